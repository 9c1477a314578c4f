#pragma once

#include <dlfcn.h>

#include <initializer_list>

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/experimental/grappler/grappler.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/kernels_experimental.h"

namespace ocldnn::tf {

/// TensorFlow's own libraries, as found in this process.
struct Libraries {
  void* framework = nullptr;  // libtensorflow_framework: asked first, the other repeats some of its names
  void* cc = nullptr;         // libtensorflow_cc
};

template <class Signature>
class Function;

/// One C function of TensorFlow, or null where the running TensorFlow has none of that name.
template <class R, class... A>
class Function<R(A...)> {
 public:
  using Pointer = R (*)(A...);

  constexpr Function(const Libraries& in, const char* name) {
    for (auto* library : {in.framework, in.cc})
      if (library && !call_) call_ = reinterpret_cast<Pointer>(dlsym(library, name));
  }
  /// Another library's substitute (bridge/).
  Function& operator=(Pointer call) {
    call_ = call;
    return *this;
  }
  explicit operator bool() const { return call_ != nullptr; }
  R operator()(A... arguments) const { return call_(arguments...); }

 private:
  Pointer call_ = nullptr;
};

/// Every function of TensorFlow that the plug-in calls, a line each. No symbol is linked: the wheels differ in what
/// they export and in whether a plug-in can see it, so each is looked up once in the two libraries, and null means
/// absent.
struct Functions {
  Libraries in;

  // Status, buffers, version.
  Function<decltype(TF_NewStatus)> NewStatus{in, "TF_NewStatus"};
  Function<decltype(TF_DeleteStatus)> DeleteStatus{in, "TF_DeleteStatus"};
  Function<decltype(TF_SetStatus)> SetStatus{in, "TF_SetStatus"};
  Function<decltype(TF_GetCode)> GetCode{in, "TF_GetCode"};
  Function<decltype(TF_Message)> Message{in, "TF_Message"};
  Function<decltype(TF_DeleteBuffer)> DeleteBuffer{in, "TF_DeleteBuffer"};
  Function<decltype(TF_Version)> Version{in, "TF_Version"};

  // Tensors.
  Function<decltype(TF_DeleteTensor)> DeleteTensor{in, "TF_DeleteTensor"};
  Function<decltype(TF_TensorType)> TensorType{in, "TF_TensorType"};
  Function<decltype(TF_NumDims)> NumDims{in, "TF_NumDims"};
  Function<decltype(TF_Dim)> Dim{in, "TF_Dim"};
  Function<decltype(TF_TensorData)> TensorData{in, "TF_TensorData"};
  Function<decltype(TF_TensorByteSize)> TensorByteSize{in, "TF_TensorByteSize"};
  Function<decltype(TF_TensorElementCount)> TensorElementCount{in, "TF_TensorElementCount"};
  Function<decltype(TF_AllocateTensor)> AllocateTensor{in, "TF_AllocateTensor"};
  Function<decltype(TF_TensorBitcastFrom)> TensorBitcastFrom{in, "TF_TensorBitcastFrom"};

  // Registration.
  Function<decltype(TF_NewKernelBuilder)> NewKernelBuilder{in, "TF_NewKernelBuilder"};
  Function<decltype(TF_KernelBuilder_TypeConstraint)> TypeConstraint{in, "TF_KernelBuilder_TypeConstraint"};
  Function<decltype(TF_KernelBuilder_HostMemory)> HostMemory{in, "TF_KernelBuilder_HostMemory"};
  Function<decltype(TF_KernelBuilder_Priority)> Priority{in, "TF_KernelBuilder_Priority"};
  Function<decltype(TF_RegisterKernelBuilder)> RegisterKernelBuilder{in, "TF_RegisterKernelBuilder"};
  Function<decltype(TF_RegisterKernelBuilderWithKernelDef)> RegisterKernelBuilderWithKernelDef{
      in, "TF_RegisterKernelBuilderWithKernelDef"};
  Function<decltype(TF_DeleteKernelBuilder)> DeleteKernelBuilder{in, "TF_DeleteKernelBuilder"};
  Function<decltype(TF_GetAllOpList)> GetAllOpList{in, "TF_GetAllOpList"};
  Function<decltype(TF_GetAllRegisteredKernels)> GetAllRegisteredKernels{in, "TF_GetAllRegisteredKernels"};
  Function<decltype(TF_GetRegisteredKernelsForOp)> GetRegisteredKernelsForOp{in, "TF_GetRegisteredKernelsForOp"};

  // Construction of a kernel: attributes.
  Function<decltype(TF_OpKernelConstruction_HasAttr)> HasAttr{in, "TF_OpKernelConstruction_HasAttr"};
  Function<decltype(TF_OpKernelConstruction_GetAttrSize)> GetAttrSize{in, "TF_OpKernelConstruction_GetAttrSize"};
  Function<decltype(TF_OpKernelConstruction_GetAttrType)> GetAttrType{in, "TF_OpKernelConstruction_GetAttrType"};
  Function<decltype(TF_OpKernelConstruction_GetAttrInt64)> GetAttrInt64{in, "TF_OpKernelConstruction_GetAttrInt64"};
  Function<decltype(TF_OpKernelConstruction_GetAttrFloat)> GetAttrFloat{in, "TF_OpKernelConstruction_GetAttrFloat"};
  Function<decltype(TF_OpKernelConstruction_GetAttrBool)> GetAttrBool{in, "TF_OpKernelConstruction_GetAttrBool"};
  Function<decltype(TF_OpKernelConstruction_GetAttrString)> GetAttrString{in, "TF_OpKernelConstruction_GetAttrString"};
  Function<decltype(TF_OpKernelConstruction_GetAttrInt64List)> GetAttrInt64List{
      in, "TF_OpKernelConstruction_GetAttrInt64List"};
  Function<decltype(TF_OpKernelConstruction_GetAttrFloatList)> GetAttrFloatList{
      in, "TF_OpKernelConstruction_GetAttrFloatList"};
  Function<decltype(TF_OpKernelConstruction_GetAttrTypeList)> GetAttrTypeList{
      in, "TF_OpKernelConstruction_GetAttrTypeList"};
  Function<decltype(TF_OpKernelConstruction_GetName)> GetName{in, "TF_OpKernelConstruction_GetName"};
  Function<decltype(TF_OpKernelConstruction_GetNodeDef)> GetNodeDef{in, "TF_OpKernelConstruction_GetNodeDef"};
  Function<decltype(TF_OpKernelConstruction_Failure)> ConstructionFailure{in, "TF_OpKernelConstruction_Failure"};

  // A run of a kernel.
  Function<decltype(TF_GetStream)> GetStream{in, "TF_GetStream"};
  Function<decltype(TF_NumInputs)> NumInputs{in, "TF_NumInputs"};
  Function<decltype(TF_NumOutputs)> NumOutputs{in, "TF_NumOutputs"};
  Function<decltype(TF_GetInput)> GetInput{in, "TF_GetInput"};
  Function<decltype(TF_InputRange)> InputRange{in, "TF_InputRange"};
  Function<decltype(TF_InputDatatype)> InputDatatype{in, "TF_InputDatatype"};
  Function<decltype(TF_IsHostMemoryInput)> IsHostMemoryInput{in, "TF_IsHostMemoryInput"};
  Function<decltype(TF_IsHostMemoryOutput)> IsHostMemoryOutput{in, "TF_IsHostMemoryOutput"};
  Function<decltype(TF_ExpectedOutputDataType)> ExpectedOutputDataType{in, "TF_ExpectedOutputDataType"};
  Function<decltype(TF_AllocateOutput)> AllocateOutput{in, "TF_AllocateOutput"};
  Function<decltype(TF_ForwardInputOrAllocateOutput)> ForwardInputOrAllocateOutput{in,
                                                                                   "TF_ForwardInputOrAllocateOutput"};
  Function<decltype(TF_AllocateTemp)> AllocateTemp{in, "TF_AllocateTemp"};
  Function<decltype(TF_SetOutput)> SetOutput{in, "TF_SetOutput"};
  Function<decltype(TF_GetOpKernelName)> GetOpKernelName{in, "TF_GetOpKernelName"};
  Function<decltype(TF_OpKernelContext_Failure)> ContextFailure{in, "TF_OpKernelContext_Failure"};

  // Variables: absent from some wheels, where a library of bridge/ stands in.
  Function<decltype(TF_AssignVariable)> AssignVariable{in, "TF_AssignVariable"};
  Function<decltype(TF_MaybeLockVariableInputMutexesInOrder)> MaybeLockVariableInputMutexesInOrder{
      in, "TF_MaybeLockVariableInputMutexesInOrder"};
  Function<decltype(TF_ReleaseVariableInputLockHolder)> ReleaseVariableInputLockHolder{
      in, "TF_ReleaseVariableInputLockHolder"};
  Function<decltype(TF_GetInputTensorFromVariable)> GetInputTensorFromVariable{in, "TF_GetInputTensorFromVariable"};
  Function<void(TF_OpKernelContext*, int, TF_Tensor**, TF_Status*)> PeekVariable{in,
                                                                                 "ocldnn_peek_variable"};  // bridge/
  Function<decltype(TF_AddNVariant)> AddNVariant{in, "TF_AddNVariant"};
  Function<decltype(TF_ZerosLikeVariant)> ZerosLikeVariant{in, "TF_ZerosLikeVariant"};

  // Graph optimiser.
  Function<decltype(TF_GetNodesToPreserveListSize)> GetNodesToPreserveListSize{in, "TF_GetNodesToPreserveListSize"};
  Function<decltype(TF_GetNodesToPreserveList)> GetNodesToPreserveList{in, "TF_GetNodesToPreserveList"};
  Function<decltype(TF_GetFetchNodesListSize)> GetFetchNodesListSize{in, "TF_GetFetchNodesListSize"};
  Function<decltype(TF_GetFetchNodesList)> GetFetchNodesList{in, "TF_GetFetchNodesList"};
};

/// All null until load_functions().
extern Functions tf;

/// Fills `tf` from the libraries in this process, once. False if no TensorFlow that we can work with is among them.
bool load_functions();

/// Whether the running TensorFlow says that it is this version or a later one. For what cannot be seen in its
/// functions.
bool version_at_least(int major, int minor);

}  // namespace ocldnn::tf
