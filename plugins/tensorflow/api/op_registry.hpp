#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/status.hpp"

namespace ocldnn::tf {

struct BufferDeleter {
  void operator()(TF_Buffer* buffer) const { tf.DeleteBuffer(buffer); }
};
using Buffer = std::unique_ptr<TF_Buffer, BufferDeleter>;

// What TensorFlow's own registries say, read from their wire format.

/// An argument's or attribute's type as TF_DataType, which is 0 where it depends on the node.
struct OpSignature {
  std::vector<int> argument_types;  // inputs and outputs
  bool has_reference = false;       // TF1's reference variables
};

struct TypeConstraint {
  std::string attribute;
  std::vector<int> types;
};

struct KernelRow {
  std::string op, device, label;
  std::vector<TypeConstraint> constraints;
  int priority = 0;
};

std::map<std::string, OpSignature, std::less<>> all_ops();
std::vector<KernelRow> all_kernels();

/// An encoded KernelDef. Holds no zero byte: TensorFlow takes it as a C string.
std::string kernel_def(const KernelRow& kernel);

}  // namespace ocldnn::tf
