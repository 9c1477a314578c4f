// The plug-in's entry points, called by loader/, and the list of everything that is registered.

#include <cstdio>

#include "api/python.hpp"
#include "api/registrar.hpp"
#include "api/strict.hpp"
#include "api/variables.hpp"
#include "api/variants.hpp"
#include "device/platform.hpp"
#include "graph/optimizer.hpp"
#include "ocldnn/log.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

// One register_*() a file of ops/, in alphabetical order.
void register_kernels() {
  auto offered = offered_devices();
  if (offered.empty()) return;
  bool has_f64 = true;  // the registry is one for all devices
  for (auto* device : offered) has_f64 &= device->supports(Feature::fp64);
  const Registrar registrar(device_type, has_f64);
  register_activations(registrar);
  register_arithmetic(registrar);
  register_bias(registrar);
  register_comparisons(registrar);
  register_convolutions(registrar);
  register_einsum(registrar);
  register_elementwise(registrar);
  register_in_top_k(registrar);
  register_index(registrar);
  register_layout(registrar);
  register_matmul(registrar);
  register_matrix_diag(registrar);
  register_norm(registrar);
  register_optimizers(registrar);
  register_pool(registrar);
  register_random(registrar);
  register_random_state(registrar);
  register_reductions(registrar);
  register_resize(registrar);
  register_row_optimizers(registrar);
  register_scans(registrar);
  register_softmax(registrar);
  register_segments(registrar);
  register_sorts(registrar);
  register_space(registrar);
  register_strided_slices(registrar);
  register_variable_rows(registrar);
  register_variables(registrar);

  register_variants(device_type);
  leave_variables_to_cpu(device_type, has_f64);
  if (strict_mode()) register_refusals(device_type);
  run_python_startup(device_type, variable_path() == VariablePath::rewrite);
}

void print_log(Level, std::string_view line) {
  std::fprintf(stderr, "tensorflow-ocldnn: %.*s\n", static_cast<int>(line.size()), line.data());
}

void warn(TF_Code, const char* text) { log(Level::warning, text); }

}  // namespace
}  // namespace ocldnn::tf

#pragma GCC visibility push(default)
extern "C" {

// False where the loader must register a platform without devices. Never an error status: TensorFlow would abort. What
// goes wrong is a line on stderr and 0 devices.
bool ocldnn_tensorflow_platform(SE_PlatformRegistrationParams* params, TF_Status*) {
  using namespace ocldnn::tf;
  ocldnn::set_log(print_log);
  if (!load_functions()) {
    ocldnn::log(ocldnn::Level::warning, "no OpenCL device: TensorFlow's libraries were not found");
    return false;
  }
  register_platform(params);
  guard(warn, [] {
    if (offered_devices().empty()) ocldnn::log(ocldnn::Level::warning, "no OpenCL device: " + why_no_devices());
  });
  return true;
}

void ocldnn_tensorflow_kernels() {
  using namespace ocldnn::tf;
  guard(warn, register_kernels);
}

// False where the loader must register passes that do nothing.
bool ocldnn_tensorflow_graph(TP_OptimizerRegistrationParams* params, TF_Status*) {
  using namespace ocldnn::tf;
  bool registered = false;
  guard(warn, [&] { registered = register_optimizer(params, device_type); });
  return registered;
}

// Kernels launched since the process began: tests see by it that an op ran on the device.
uint64_t ocldnn_launch_count() { return ocldnn::launch_count(); }
}
#pragma GCC visibility pop
