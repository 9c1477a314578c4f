#pragma once

#include <initializer_list>
#include <span>
#include <string>

#include "api/kernel.hpp"

namespace ocldnn::tf {

/// How kernels reach variables: by the functions of TensorFlow's C API, by a library of bridge/ that stands in where
/// the wheel lacks them (2.19 to 2.21), or not at all: then graph/ takes updates apart and no kernel touches a
/// variable.
enum class VariablePath { functions, bridge, rewrite };

/// Settled once, before the first kernel is registered: fills the functions of `tf` from a bridge if that is needed.
VariablePath variable_path();
/// In words: "TensorFlow's C API", "bridge/libocldnn_bridge_2_21.so", or why there is neither.
const std::string& variable_path_text();

/// The variables behind some resource inputs of a run, locked, in an order that cannot deadlock, until this goes. Since
/// kernels of one device run in the order they were queued, the lock need not wait for the work itself.
class Variables {
 public:
  /// Throws FAILED_PRECONDITION where a variable does not exist.
  Variables(const Context& context, std::span<const int> inputs);
  Variables(const Context& context, std::initializer_list<int> inputs)
      : Variables(context, std::span(inputs.begin(), inputs.size())) {}
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables();

  /// The variable's tensor, to be changed in place. Readers who still hold its buffer keep it, and the variable gets a
  /// copy.
  Tensor changed(int input) const;
  /// The variable's tensor, to be read by kernels queued before this goes.
  Tensor read(int input) const;

 private:
  const Context& context_;
  TF_VariableInputLockHolder* holder_ = nullptr;
};

/// Gives the variable of a resource input the value of another input, creating it if need be.
void assign_variable(const Context& context, int input, int value, bool validate_shape);

}  // namespace ocldnn::tf
