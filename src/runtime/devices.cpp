#include <algorithm>
#include <cctype>
#include <mutex>
#include <sstream>

#include "runtime/drivers.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

struct Found {
  cl_device_id id;
  DeviceInfo info;
};

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// One entry of OCLDNN_DEVICES: gpu, accelerator, cpu, all, or a part of a platform's or device's name; then :N for
/// the Nth of those alone, then *N for N copies of each.
struct Wish {
  std::string word;
  int index = -1, copies = 1;

  bool matches(const DeviceInfo& info) const {
    switch (info.kind) {
      case Kind::gpu:
        if (word == "gpu") return true;
        break;
      case Kind::accelerator:
        if (word == "accelerator") return true;
        break;
      case Kind::cpu:
        if (word == "cpu") return true;
        break;
    }
    return word == "all" || lower(info.platform).find(word) != std::string::npos ||
           lower(info.name).find(word) != std::string::npos;
  }
};

int number_after(std::string& text, char mark, int otherwise) {
  auto at = text.rfind(mark);
  if (at == std::string::npos || at + 1 == text.size()) return otherwise;
  if (text.find_first_not_of("0123456789", at + 1) != std::string::npos) return otherwise;
  int value = std::stoi(text.substr(at + 1, 6));
  text.erase(at);
  return value;
}

std::vector<Wish> wishes(const std::string& text) {
  std::vector<Wish> result;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    if (item.empty()) continue;
    Wish wish;
    wish.copies = std::clamp(number_after(item, '*', 1), 1, 64);
    wish.index = number_after(item, ':', -1);
    wish.word = lower(item);
    result.push_back(wish);
  }
  return result;
}

/// All that was found at the first call of devices(). Never destroyed: drivers may be gone before static objects are.
struct Registry {
  std::vector<std::unique_ptr<OpenclDevice>> owned;
  std::vector<Device*> offered;
  std::vector<Declined> declined;
  std::vector<Found> found;

  Registry() {
    if (auto off = environment_value(environment::disable); !off.empty() && off != "0") {
      decline("all devices", std::string(environment::disable) + " is set");
      return;
    }
    for (const auto& candidate : driver_candidates(extra_folders())) look_at(candidate);
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.info.kind < b.info.kind; });
    choose();
  }

  void decline(std::string what, std::string why) {
    log(Level::info, "{} is not offered: {}", what, why);
    declined.push_back({std::move(what), std::move(why)});
  }

  void look_at(const Candidate& candidate) try {
    for (auto* platform : open_driver(candidate).platforms) {
      for (auto* id : devices_of(platform)) look_at(candidate, platform, id);
    }
  } catch (const std::exception& e) {
    decline(fmt::format("driver {} (named by {})", candidate.path, candidate.named_by), e.what());
  }

  void look_at(const Candidate& candidate, cl_platform_id platform, cl_device_id id) try {
    auto info = read_info(platform, id, candidate.path);
    auto what = fmt::format("{} ({})", info.name, info.platform);
    if (!device_value<cl_bool>(id, CL_DEVICE_AVAILABLE))
      return decline(what, "the driver says that it is not available");
    if (!device_value<cl_bool>(id, CL_DEVICE_COMPILER_AVAILABLE)) return decline(what, "its driver has no compiler");
    if (!device_value<cl_bool>(id, CL_DEVICE_ENDIAN_LITTLE)) return decline(what, "it is big-endian");
    if (info.version.starts_with("OpenCL 1.0") || info.version.starts_with("OpenCL 1.1"))
      return decline(what, "it has " + info.version + "; 1.2 is needed");
    found.push_back({id, info});
  } catch (const std::exception& e) {
    decline("a device of " + candidate.path, e.what());
  }

  void offer(const Found& device) try {
    owned.push_back(std::make_unique<OpenclDevice>(device.id, device.info));
    offered.push_back(owned.back().get());
    log(Level::info, "device {}: {} ({})", offered.size() - 1, device.info.name, device.info.platform);
  } catch (const std::exception& e) {
    decline(fmt::format("{} ({})", device.info.name, device.info.platform), e.what());
  }

  void choose() {
    auto asked = environment_value(environment::devices);
    if (asked.empty()) {
      bool only_cpus = std::all_of(found.begin(), found.end(), [](const Found& f) { return f.info.kind == Kind::cpu; });
      for (const auto& device : found) {
        if (only_cpus || device.info.kind != Kind::cpu)
          offer(device);
        else
          decline(fmt::format("{} ({})", device.info.name, device.info.platform),
                  std::string("CPU devices are offered where there is nothing else, or asked for by ") +
                      environment::devices);
      }
      return;
    }
    for (const auto& wish : wishes(asked)) {
      int seen = 0, before = static_cast<int>(offered.size());
      for (const auto& device : found)
        if (wish.matches(device.info) && (wish.index < 0 || wish.index == seen++))
          for (int i = 0; i < wish.copies; i++) offer(device);
      if (static_cast<int>(offered.size()) == before)
        decline(fmt::format("{}={}", environment::devices, wish.word), "no such device");
    }
  }

  static std::vector<std::string>& extra_folders() {
    static std::vector<std::string> folders;
    return folders;
  }
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

}  // namespace

void add_driver_folder(std::string path) { Registry::extra_folders().push_back(std::move(path)); }

std::span<Device* const> devices() { return registry().offered; }

Device* device_of(const void* address) noexcept try {
  for (auto* device : registry().offered)
    if (device->owns(address)) return device;
  return nullptr;
} catch (...) {
  return nullptr;
}

const std::vector<Declined>& declined() { return registry().declined; }

}  // namespace ocldnn
