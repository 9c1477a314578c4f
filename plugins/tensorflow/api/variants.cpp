#include "api/variants.hpp"

#include "api/registrar.hpp"
#include "api/variables.hpp"
#include "ocldnn/pointwise.hpp"

namespace ocldnn::tf {
namespace {

void report(TF_OpKernelContext* context, TF_Code code, const char* text) {
  Status status;
  tf.SetStatus(status.get(), code, text);
  tf.ContextFailure(context, status.get());
}

// TensorFlow's callbacks for one element of a list. They own the tensors.
void add_elements(TF_OpKernelContext* context, TF_Tensor* a, TF_Tensor* b, TF_Tensor* sum) {
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          Tensor x(a), y(b), z(sum);
          pointwise(Context(context).queue(), "AddN", compute_type(x.type), {{"x", x}, {"y", y}}, {{z, "x + y"}});
        });
}

void clear_element(TF_OpKernelContext* context, TF_Tensor* like, TF_Tensor* out) {
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          Tensor x(like), y(out);
          const uint8_t zero = 0;
          if (y.bytes()) Context(context).queue().fill(y.data, &zero, 1, y.bytes());
        });
}

/// A kernel that is one call of TensorFlow's, `call(context, status)`.
template <auto call>
void run(void*, TF_OpKernelContext* context) {
  guard([&](TF_Code code, const char* text) { report(context, code, text); },
        [&] {
          Status status;
          call(context, status.get());
          status.raise();
        });
}

void add_lists(TF_OpKernelContext* context, TF_Status* status) { tf.AddNVariant(context, add_elements, status); }
void clear_list(TF_OpKernelContext* context, TF_Status* status) { tf.ZerosLikeVariant(context, clear_element, status); }

void add(const char* device_type, const char* op, void (*compute)(void*, TF_OpKernelContext*)) {
  auto* builder =
      tf.NewKernelBuilder(op, device_type, [](TF_OpKernelConstruction*) -> void* { return nullptr; }, compute, [](void*) {});
  checked(tf.TypeConstraint, builder, "T", TF_VARIANT);
  checked(tf.RegisterKernelBuilder, op, builder);
}

}  // namespace

void register_variants(const char* device_type) {
  variable_path();  // a bridge brings these functions too
  if (tf.AddNVariant) add(device_type, "AddN", run<add_lists>);
  if (tf.ZerosLikeVariant) add(device_type, "ZerosLike", run<clear_list>);
}

}  // namespace ocldnn::tf
