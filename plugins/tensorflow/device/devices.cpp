// Which of the library's devices TensorFlow is told of.

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "api/python.hpp"
#include "api/status.hpp"
#include "device/platform.hpp"
#include "ocldnn/log.hpp"

namespace ocldnn::tf {
namespace {

// A CUDA build has kernels of its own for device type GPU. Asked of one op that every build knows.
bool is_cuda_build() {
  if (!tf.GetRegisteredKernelsForOp || !tf.DeleteBuffer) return false;
  auto* status = tf.NewStatus();
  auto* kernels = tf.GetRegisteredKernelsForOp("MatMul", status);
  bool found = kernels && std::string_view(static_cast<const char*>(kernels->data), kernels->length).find("GPU") !=
                              std::string_view::npos;
  if (kernels) tf.DeleteBuffer(kernels);
  tf.DeleteStatus(status);
  return found;
}

// The folder of the file that holds `address`.
std::string folder_of(const void* address) {
  Dl_info info;
  if (!address || !dladdr(address, &info) || !info.dli_fname) return {};
  std::string path = info.dli_fname;
  return path.substr(0, path.rfind('/'));
}

// TensorFlow uses a card only if it finds cuDNN as well: by the loader, or where pip puts it, beside the package.
bool finds_cudnn() {
  if (void* library = dlopen("libcudnn.so.9", RTLD_LAZY | RTLD_LOCAL)) return dlclose(library) == 0;
  auto path = folder_of(dlsym(tf.in.framework, "TF_NewStatus")) + "/../nvidia/cudnn/lib/libcudnn.so.9";
  if (void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL)) return dlclose(library) == 0;
  return false;
}

// Whether NVIDIA's driver shows this process a card (CUDA_VISIBLE_DEVICES is the driver's to read).
bool has_cuda_device() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!driver) return false;
  auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  int found = 0;
  return init && count && init(0) == 0 && count(&found) == 0 &&
         found > 0;  // the driver stays open: TensorFlow needs it
}

// Whether TensorFlow itself drives a card. It knows best: a card, its driver and some cuDNN do not suffice, each of
// CUDA's libraries must be there in the version of this build. Where no Python is, that must do.
bool drives_cuda() {
  if (!is_cuda_build()) return false;
  if (auto cards = physical_devices("GPU")) return *cards > 0;
  return finds_cudnn() && has_cuda_device();
}

// Drivers that pip installs lie in <prefix>/lib (Intel's) or in a package's folder (PoCL's); site-packages, where we
// and TensorFlow are, is two folders below the first.
void look_where_pip_installs() {
  for (const auto& package :
       {folder_of(reinterpret_cast<const void*>(&folder_of)), folder_of(dlsym(tf.in.framework, "TF_NewStatus"))}) {
    if (package.empty()) continue;
    add_driver_folder(package + "/../../..");
    add_driver_folder(package + "/../pyopencl/.libs");
  }
}

// Why a device cannot be used, or "". What kernels are registered depends on fp64, and the first time it is asked for
// the driver has to run a kernel. Where it cannot (another process holds the device, say) TensorFlow would have no
// kernels.
std::string why_unusable(Device* device) {
  std::string why;
  guard([&](TF_Code, const char* text) { why = fmt::format("{} ({})", text, device->info().name); },
        [&] { device->supports(Feature::fp64); });
  return why;
}

struct Offer {
  std::vector<Device*> devices;
  std::string why_none;
};

// Our type is TensorFlow's default device before GPU. So where TensorFlow drives an NVIDIA card by CUDA, that card is
// left to it, and CPU devices, which would take the card's place, are not offered; unless the user names devices.
Offer choose() {
  Offer offer;
  look_where_pip_installs();
  auto all = ocldnn::devices();
  offer.devices.assign(all.begin(), all.end());
  if (all.empty()) {
    offer.why_none = "no OpenCL device was found";
    if (!declined().empty()) offer.why_none += ": " + declined().front().why + " (" + declined().front().what + ")";
    return offer;
  }
  if (!std::getenv("OCLDNN_DEVICES") && drives_cuda()) {
    std::erase_if(offer.devices, [](Device* device) {
      const auto& info = device->info();
      return info.kind == Kind::cpu || info.vendor.find("NVIDIA") != std::string::npos;
    });
    if (offer.devices.empty())
      offer.why_none = "TensorFlow drives this machine's NVIDIA device by CUDA (OCLDNN_DEVICES chooses OpenCL devices)";
  }
  std::string unusable;
  std::erase_if(offer.devices, [&](Device* device) {
    auto why = why_unusable(device);
    if (!why.empty()) unusable = why;
    return !why.empty();
  });
  if (unusable.empty()) return offer;
  if (offer.devices.empty()) offer.why_none = unusable;
  else log(Level::warning, "a device is not offered: " + unusable);
  return offer;
}

const Offer& offer() {
  static const Offer chosen = choose();
  return chosen;
}

}  // namespace

std::span<Device* const> offered_devices() { return offer().devices; }
const std::string& why_no_devices() { return offer().why_none; }

}  // namespace ocldnn::tf
