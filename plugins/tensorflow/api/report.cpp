// The C functions that the Python package and the tests call by ctypes. Texts stay valid until the next call on the
// thread.

#include <nlohmann/json.hpp>
#include <string>

#include "api/functions.hpp"
#include "api/strict.hpp"
#include "api/variables.hpp"
#include "device/platform.hpp"

#define OCLDNN_PUBLIC extern "C" __attribute__((visibility("default")))

namespace ocldnn::tf {
namespace {

nlohmann::json describe(const DeviceInfo& info) {
  constexpr const char* kinds[]{"GPU", "accelerator", "CPU"};
  return {{"name", info.name},
          {"vendor", info.vendor},
          {"platform", info.platform},
          {"version", info.version},
          {"driver", info.driver_version},
          {"library", info.library},
          {"kind", kinds[static_cast<int>(info.kind)]},
          {"memory_bytes", info.memory_bytes},
          {"compute_units", info.compute_units}};
}

nlohmann::json describe_all() {
  nlohmann::json report{{"tensorflow", tf.Version ? tf.Version() : ""},
                        {"variables", variable_path_text()},
                        {"strict", strict_mode()},
                        {"devices", nlohmann::json::array()},
                        {"why_none", why_no_devices()},
                        {"declined", nlohmann::json::array()}};
  for (auto* device : offered_devices()) report["devices"].push_back(describe(device->info()));
  for (const auto& [what, why] : declined()) report["declined"].push_back({{"what", what}, {"why", why}});
  return report;
}

}  // namespace
}  // namespace ocldnn::tf

/// Devices, what was declined and why, and how this process reaches variables, as JSON; an "error" alone if that fails.
OCLDNN_PUBLIC const char* ocldnn_report() {
  thread_local std::string text;
  try {
    text = ocldnn::tf::describe_all().dump();
  } catch (const std::exception& error) {
    text = nlohmann::json{{"error", error.what()}}.dump();
  }
  return text.c_str();
}

/// Kernels launched so far in this process.
OCLDNN_PUBLIC uint64_t ocldnn_launches() { return ocldnn::launch_count(); }

/// Why `op` belongs on the CPU whatever kernels there are, or "".
OCLDNN_PUBLIC const char* ocldnn_cpu_only(const char* op) {
  thread_local std::string text;
  try {
    text = ocldnn::tf::cpu_only_reason(op);
  } catch (...) {
    text.clear();
  }
  return text.c_str();
}
