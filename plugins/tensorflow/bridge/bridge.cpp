// The functions of tensorflow/c/kernels_experimental.h that the plug-in uses, for the TensorFlow wheels that lack them.
//
// Built once for each minor version of TensorFlow, against the C++ headers of that wheel: OpKernelContext has no ABI
// promise, and the plug-in opens a bridge only in the version that it was built for (api/variables.cpp). The signatures
// are TensorFlow's. Where this differs from TensorFlow's own code, it is stricter: a missing variable is an error
// status, never an abort, and a variable is copied only when somebody else holds its buffer.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/c/kernels.h"
#include "tensorflow/c/kernels_experimental.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor_internal.h"
#include "tensorflow/core/framework/op_kernel.h"
#include "tensorflow/core/framework/resource_mgr.h"
#include "tensorflow/core/framework/resource_var.h"
#include "tensorflow/core/framework/variant.h"
#include "tensorflow/core/kernels/tensor_list.h"
#include "tensorflow/core/kernels/tensor_list_util.h"
#include "tensorflow/core/kernels/variant_ops_util.h"

struct TF_VariableInputLockHolder {
  // Declared in this order so that the mutexes are released before the variables that own them.
  std::vector<tensorflow::core::RefCountPtr<tensorflow::Var>> variables;
  std::vector<std::unique_ptr<tensorflow::mutex_lock>> locks;
};

namespace {

using absl::Status;
using tensorflow::Tensor;
using tensorflow::Var;
using tensorflow::Variant;
using Variable = tensorflow::core::RefCountPtr<Var>;
using Copy = void (*)(TF_OpKernelContext*, TF_Tensor* source, TF_Tensor* target);

tensorflow::OpKernelContext* unwrap(TF_OpKernelContext* context) {
  return reinterpret_cast<tensorflow::OpKernelContext*>(context);
}

void report(const Status& result, TF_Status* status) {
  TF_SetStatus(status, static_cast<TF_Code>(result.code()), std::string(result.message()).c_str());
}

Status lookup(TF_OpKernelContext* context, int input, Variable* variable) {
  if (unwrap(context)->input_dtype(input) != tensorflow::DT_RESOURCE)
    return absl::InvalidArgumentError("the input is not a resource variable");
  const auto& handle = tensorflow::HandleFromInput(unwrap(context), input);
  auto found = tensorflow::LookupResource(unwrap(context), handle, variable);
  if (absl::IsNotFound(found))
    return absl::FailedPreconditionError("Could not find variable " + handle.name() +
                                         ". It has not been initialised, or has been deleted.");
  return found;
}

Status new_tensor_like(TF_OpKernelContext* context, const Tensor& like, Tensor* tensor) {
  tensorflow::AllocatorAttributes attributes;
  attributes.set_gpu_compatible(true);
  attributes.set_nic_compatible(true);
  return unwrap(context)->allocate_temp(like.dtype(), like.shape(), tensor, attributes);
}

Status copy_tensor(TF_OpKernelContext* context, const Tensor& source, Copy copy, Tensor* target) {
  TF_RETURN_IF_ERROR(new_tensor_like(context, source, target));
  Status wrapped;
  auto* from = tensorflow::TF_TensorFromTensor(source, &wrapped);
  TF_RETURN_IF_ERROR(wrapped);
  auto* to = tensorflow::TF_TensorFromTensor(*target, &wrapped);
  TF_RETURN_IF_ERROR(wrapped);
  copy(context, from, to);  // takes both
  return unwrap(context)->status();
}

Status assign(TF_OpKernelContext* context, int input, int value_index, bool validate_shape, Copy copy) {
  const Tensor& value = unwrap(context)->input(value_index);
  Variable variable;
  TF_RETURN_IF_ERROR(tensorflow::LookupOrCreateResource<Var>(
      unwrap(context), tensorflow::HandleFromInput(unwrap(context), input), &variable, [&](Var** created) {
        *created = new Var(value.dtype());
        return absl::OkStatus();
      }));
  tensorflow::mutex_lock lock(*variable->mu());
  if (variable->is_initialized && variable->tensor()->dtype() != value.dtype())
    return absl::InvalidArgumentError("Trying to assign a tensor of type " + tensorflow::DataTypeString(value.dtype()) +
                                      " to a variable of type " +
                                      tensorflow::DataTypeString(variable->tensor()->dtype()));
  if (validate_shape && variable->is_initialized && !variable->tensor()->shape().IsSameSize(value.shape()))
    return absl::InvalidArgumentError("Trying to assign a tensor of shape " + value.shape().DebugString() +
                                      " to a variable of shape " + variable->tensor()->shape().DebugString());
  if (variable->copy_on_read_mode.load()) {  // then nobody else may hold the variable's buffer
    Tensor own;
    TF_RETURN_IF_ERROR(copy_tensor(context, value, copy, &own));
    *variable->tensor() = own;
  } else {
    *variable->tensor() = value;
  }
  variable->is_initialized = true;
  return absl::OkStatus();
}

Status lock(TF_OpKernelContext* context, const int* inputs, size_t count, TF_VariableInputLockHolder* holder) {
  std::vector<tensorflow::mutex*> mutexes;
  for (size_t i = 0; i < count; ++i) {
    Variable variable;
    TF_RETURN_IF_ERROR(lookup(context, inputs[i], &variable));
    mutexes.push_back(variable->mu());
    holder->variables.push_back(std::move(variable));
  }
  std::sort(mutexes.begin(), mutexes.end());  // by address, as every other holder of several does
  mutexes.erase(std::unique(mutexes.begin(), mutexes.end()), mutexes.end());
  for (auto* mutex : mutexes) holder->locks.push_back(std::make_unique<tensorflow::mutex_lock>(*mutex));
  return absl::OkStatus();
}

/// The tensor of a variable whose mutex is held; with `copy`, first given a buffer that nobody else reads.
Status locked_tensor(TF_OpKernelContext* context, int input, Copy copy, TF_Tensor** out) {
  Variable variable;
  TF_RETURN_IF_ERROR(lookup(context, input, &variable));
  auto* tensor = variable->tensor();
  if (!variable->is_initialized) return absl::FailedPreconditionError("The variable has not been initialised.");
  if (copy && !tensor->RefCountIsOne()) {
    Tensor own;
    TF_RETURN_IF_ERROR(copy_tensor(context, *tensor, copy, &own));
    *tensor = own;
  }
  Status wrapped;
  *out = tensorflow::TF_TensorFromTensor(*tensor, &wrapped);
  return wrapped;
}

using Add = void (*)(TF_OpKernelContext*, TF_Tensor* a, TF_Tensor* b, TF_Tensor* out);
using Zeros = void (*)(TF_OpKernelContext*, TF_Tensor* input, TF_Tensor* out);

Status on_context(TF_OpKernelContext* context, std::initializer_list<const Tensor*> tensors, TF_Tensor** wrapped) {
  for (const auto* tensor : tensors) {
    Status status;
    *wrapped++ = tensorflow::TF_TensorFromTensor(*tensor, &status);
    TF_RETURN_IF_ERROR(status);
  }
  return absl::OkStatus();
}

Status add_tensors(TF_OpKernelContext* context, const Tensor& a, const Tensor& b, Add add, Tensor* out) {
  if (a.dtype() == tensorflow::DT_INVALID || b.dtype() == tensorflow::DT_INVALID) {  // an element never written
    *out = a.dtype() == tensorflow::DT_INVALID ? b : a;
    return absl::OkStatus();
  }
  if (a.dtype() == tensorflow::DT_VARIANT)
    return absl::UnimplementedError("AddN: lists inside lists have no OpenCL kernel");
  if (a.shape() != b.shape())
    return absl::InvalidArgumentError("AddN: list elements have shapes " + a.shape().DebugString() + " and " +
                                      b.shape().DebugString());
  TF_RETURN_IF_ERROR(new_tensor_like(context, a, out));
  TF_Tensor* wrapped[3];
  TF_RETURN_IF_ERROR(on_context(context, {&a, &b, out}, wrapped));
  add(context, wrapped[0], wrapped[1], wrapped[2]);  // takes all three
  return unwrap(context)->status();
}

Status add_variants(TF_OpKernelContext* context, const Variant& a, const Variant& b, Add add, Variant* out) {
  const auto *left = a.get<tensorflow::TensorList>(), *right = b.get<tensorflow::TensorList>();
  if (!left || !right) return absl::UnimplementedError("AddN: no OpenCL kernel for variants of type " + a.TypeName());
  tensorflow::TensorList sum;
  TF_RETURN_IF_ERROR(tensorflow::TensorListBinaryAdd(unwrap(context), *left, *right, &sum,
                                                     [&](tensorflow::OpKernelContext*, const Tensor& x, const Tensor& y,
                                                         Tensor* z) { return add_tensors(context, x, y, add, z); }));
  *out = std::move(sum);
  return absl::OkStatus();
}

Status zeros_like(TF_OpKernelContext* context, Zeros zeros) {
  auto* kernel = unwrap(context);
  const Tensor& input = kernel->input(0);
  if (!tensorflow::TensorShapeUtils::IsScalar(input.shape()))
    return absl::InvalidArgumentError("ZerosLike: a variant must be a scalar, got shape " +
                                      input.shape().DebugString());
  const auto* list = input.scalar<Variant>()().get<tensorflow::TensorList>();
  if (!list)
    return absl::UnimplementedError("ZerosLike: no OpenCL kernel for variants of type " +
                                    input.scalar<Variant>()().TypeName());
  tensorflow::TensorList result;
  TF_RETURN_IF_ERROR(tensorflow::TensorListZerosLike(
      kernel, *list, &result, [&](tensorflow::OpKernelContext*, const Tensor& x, Tensor* y) -> Status {
        if (x.dtype() == tensorflow::DT_INVALID) {  // never written, and so it stays
          *y = x;
          return absl::OkStatus();
        }
        if (x.dtype() == tensorflow::DT_VARIANT)
          return absl::UnimplementedError("ZerosLike: lists inside lists have no OpenCL kernel");
        TF_RETURN_IF_ERROR(new_tensor_like(context, x, y));
        TF_Tensor* wrapped[2];
        TF_RETURN_IF_ERROR(on_context(context, {&x, y}, wrapped));
        zeros(context, wrapped[0], wrapped[1]);  // takes both
        return kernel->status();
      }));
  tensorflow::AllocatorAttributes host;
  host.set_on_host(true);
  Tensor* output = nullptr;
  TF_RETURN_IF_ERROR(kernel->allocate_output(0, tensorflow::TensorShape({}), &output, host));
  output->scalar<Variant>()() = std::move(result);
  return absl::OkStatus();
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

const char* ocldnn_bridge_version() { return OCLDNN_BRIDGE_VERSION; }

void TF_AssignVariable(TF_OpKernelContext* context, int input, int value, bool validate_shape, Copy copy,
                       TF_Status* status) {
  report(assign(context, input, value, validate_shape, copy), status);
}

// Always exclusive, and never puts a variable into copy-on-read mode: kernels of one device run in order, so a sparse
// update under the lock is as safe as a dense one.
void TF_MaybeLockVariableInputMutexesInOrder(TF_OpKernelContext* context, bool, bool, const int* inputs, size_t count,
                                             Copy, TF_VariableInputLockHolder** out, TF_Status* status) {
  auto holder = std::make_unique<TF_VariableInputLockHolder>();
  auto result = lock(context, inputs, count, holder.get());
  *out = result.ok() ? holder.release() : nullptr;
  report(result, status);
}

void TF_ReleaseVariableInputLockHolder(TF_VariableInputLockHolder* holder) { delete holder; }

void TF_GetInputTensorFromVariable(TF_OpKernelContext* context, int input, bool, bool, bool, Copy copy, TF_Tensor** out,
                                   TF_Status* status) {
  report(locked_tensor(context, input, copy, out), status);
}

/// The tensor of a variable whose mutex is held, to read only: never copies. TensorFlow has no such function.
void ocldnn_peek_variable(TF_OpKernelContext* context, int input, TF_Tensor** out, TF_Status* status) {
  report(locked_tensor(context, input, nullptr, out), status);
}

void TF_AddNVariant(TF_OpKernelContext* context, Add add, TF_Status* status) {
  tensorflow::AddNVariant(unwrap(context), [&](tensorflow::OpKernelContext*, const Variant& a, const Variant& b,
                                               Variant* out) { return add_variants(context, a, b, add, out); });
  report(unwrap(context)->status(), status);
}

void TF_ZerosLikeVariant(TF_OpKernelContext* context, Zeros zeros, TF_Status* status) {
  report(zeros_like(context, zeros), status);
}

}  // extern "C"
#pragma GCC visibility pop
