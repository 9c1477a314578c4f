#include "api/variables.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "ocldnn/log.hpp"

namespace ocldnn::tf {
namespace {

struct Chosen {
  VariablePath path;
  std::string text;
};

/// The folder of the library that this code is in.
std::string own_folder() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<const void*>(&own_folder), &self) || !self.dli_fname) return ".";
  std::string path = self.dli_fname;
  auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

/// "2.21.0-rc1" -> "2_21".
std::string minor_version() {
  std::string_view version = tf.Version ? tf.Version() : "";
  auto first = version.find('.'), second = version.find('.', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return {};
  return fmt::format("{}_{}", version.substr(0, first), version.substr(first + 1, second - first - 1));
}

template <class Signature>
bool take(Function<Signature>& function, void* library, const char* name) {
  function = reinterpret_cast<typename Function<Signature>::Pointer>(dlsym(library, name));
  return static_cast<bool>(function);
}

Chosen open_bridge() {
  auto version = minor_version();
  auto name = fmt::format("bridge/libocldnn_bridge_{}.so", version);
  void* library = dlopen(fmt::format("{}/{}", own_folder(), name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return {VariablePath::rewrite, fmt::format("graph rewrite: {}", dlerror())};
  // dlopen has checked that TensorFlow has every symbol the bridge needs; two releases could still share them all.
  auto built_for = reinterpret_cast<const char* (*)()>(dlsym(library, "ocldnn_bridge_version"));
  std::string expected = built_for ? built_for() : "";
  if (auto dot = expected.find('.'); dot != std::string::npos) expected[dot] = '_';
  bool complete = expected == version && take(tf.AssignVariable, library, "TF_AssignVariable") &&
                  take(tf.MaybeLockVariableInputMutexesInOrder, library, "TF_MaybeLockVariableInputMutexesInOrder") &&
                  take(tf.ReleaseVariableInputLockHolder, library, "TF_ReleaseVariableInputLockHolder") &&
                  take(tf.GetInputTensorFromVariable, library, "TF_GetInputTensorFromVariable") &&
                  take(tf.PeekVariable, library, "ocldnn_peek_variable") &&
                  take(tf.AddNVariant, library, "TF_AddNVariant") &&
                  take(tf.ZerosLikeVariant, library, "TF_ZerosLikeVariant");
  if (!complete) return {VariablePath::rewrite, fmt::format("graph rewrite: {} was built for \"{}\"", name, expected)};
  return {VariablePath::bridge, name};
}

/// OCLDNN_VARIABLES=bridge or rewrite skips what comes before it, for tests.
Chosen choose() {
  const char* wish = std::getenv("OCLDNN_VARIABLES");
  std::string_view wanted = wish ? wish : "";
  if (wanted == "rewrite") return {VariablePath::rewrite, "graph rewrite: OCLDNN_VARIABLES=rewrite"};
  if (wanted != "bridge" && tf.AssignVariable && tf.MaybeLockVariableInputMutexesInOrder &&
      tf.ReleaseVariableInputLockHolder && tf.GetInputTensorFromVariable)
    return {VariablePath::functions, "TensorFlow's C API"};
  return open_bridge();
}

const Chosen& chosen() {
  static const Chosen made = [] {
    auto result = choose();
    log(result.path == VariablePath::rewrite ? Level::warning : Level::info, fmt::format("variables: {}", result.text));
    return result;
  }();
  return made;
}

/// TensorFlow's callback for a variable that needs a buffer of its own. It owns both tensors.
void copy_tensor(TF_OpKernelContext* context, TF_Tensor* source, TF_Tensor* target) {
  auto report = [&](TF_Code code, const char* text) {
    Status status;
    tf.SetStatus(status.get(), code, text);
    tf.ContextFailure(context, status.get());
  };
  guard(report, [&] {
    if (auto bytes = tf.TensorByteSize(source))
      Context(context).queue().copy(tf.TensorData(target), tf.TensorData(source), bytes);
  });
  tf.DeleteTensor(source);
  tf.DeleteTensor(target);
}

[[noreturn]] void fail_missing() {
  throw StatusError(TF_FAILED_PRECONDITION,
                    "Could not find variable. It has not been initialised, or has been deleted.");
}

void require_path() {
  if (variable_path() == VariablePath::rewrite)
    fail(Code::unimplemented, "this TensorFlow lets no plug-in change a variable ({})", variable_path_text());
}

}  // namespace

VariablePath variable_path() { return chosen().path; }
const std::string& variable_path_text() { return chosen().text; }

Variables::Variables(const Context& context, std::span<const int> inputs) : context_(context) {
  require_path();
  checked(tf.MaybeLockVariableInputMutexesInOrder, context.handle(), /*do_lock=*/true, /*sparse=*/false, inputs.data(),
          inputs.size(), copy_tensor, &holder_);
}

Variables::~Variables() {
  if (holder_) tf.ReleaseVariableInputLockHolder(holder_);
}

Tensor Variables::changed(int input) const {
  TF_Tensor* tensor = nullptr;
  checked(tf.GetInputTensorFromVariable, context_.handle(), input, /*lock_held=*/true, /*is_variant=*/false,
          /*sparse=*/false, copy_tensor, &tensor);
  if (!tensor) fail_missing();  // TensorFlow's own tells the run, not the status
  return Tensor(tensor);
}

Tensor Variables::read(int input) const {
  if (!tf.PeekVariable) return changed(input);
  TF_Tensor* tensor = nullptr;
  checked(tf.PeekVariable, context_.handle(), input, &tensor);
  return Tensor(tensor);
}

void assign_variable(const Context& context, int input, int value, bool validate_shape) {
  require_path();
  checked(tf.AssignVariable, context.handle(), input, value, validate_shape, copy_tensor);
}

}  // namespace ocldnn::tf
