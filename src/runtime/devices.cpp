#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "runtime/drivers.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"
#include "runtime/text.hpp"
#include "runtime/trial.hpp"

namespace ocldnn {
namespace {

/// A driver as it was listed, and opened only when one of its devices is used.
class Driver {
 public:
  explicit Driver(Candidate candidate) : candidate_(std::move(candidate)) {}

  /// Its devices: out of the verdict of a trial if they are all CPUs (opening such a driver takes a while), or if
  /// listing them here would start threads, which no fork survives.
  std::vector<Listed> list() {
    auto verdict = verdict_on(candidate_);
    if (verdict && !verdict->broken.empty()) throw Error(Code::device, verdict->broken);
    check_openable(candidate_);
    if (verdict && !verdict->devices.empty() && (verdict->threads || verdict->only_cpus())) return verdict->devices;
    std::lock_guard hold(lock_);
    open();
    auto devices = list_devices(*opened_);
    if (!verdict) return devices;
    for (auto& device : devices)
      for (const auto& tried : verdict->devices)
        if (tried.platform == device.platform && tried.index == device.index && tried.info.name == device.info.name)
          device.unusable = tried.unusable;
    return devices;
  }

  cl_device_id find(const Listed& listed) {
    std::lock_guard hold(lock_);
    open();
    if (listed.platform < opened_->platforms.size()) {
      auto devices = devices_of(opened_->platforms[listed.platform]);
      if (listed.index < devices.size() && device_text(devices[listed.index], CL_DEVICE_NAME) == listed.info.name)
        return devices[listed.index];
    }
    fail(Code::device, "{} is no longer among the devices of {}", listed.info.name, candidate_.path);
  }

  const Candidate& candidate() const { return candidate_; }

 private:
  void open() {
    if (!opened_) opened_ = open_driver(candidate_);
  }
  const Candidate candidate_;
  std::mutex lock_;
  std::optional<Opened> opened_;
};

struct Found {
  Driver* driver;
  Listed listed;
};

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
  for (auto item : split(text, ',')) {
    Wish wish;
    wish.copies = std::clamp(number_after(item, '*', 1), 1, 64);
    wish.index = number_after(item, ':', -1);
    wish.word = lower(item);
    result.push_back(wish);
  }
  return result;
}

/// What add_driver_folder() was told before the first call of devices().
std::vector<std::string>& extra_folders() {
  static auto* folders = new std::vector<std::string>;
  return *folders;
}

/// All that was found at the first call of devices(). Never destroyed: drivers may be gone before static objects are.
struct Registry {
  std::vector<std::unique_ptr<Driver>> drivers;
  std::vector<std::unique_ptr<OpenclDevice>> owned;
  std::vector<Device*> offered;
  std::vector<Declined> declined;
  std::vector<Declined> faults;  // those declined for what is wrong with them, not by choice
  std::vector<Found> found;

  Registry() {
    if (auto off = environment_value(environment::disable); !off.empty() && off != "0") {
      decline("all devices", std::string(environment::disable) + " is set");
      return;
    }
    for (const auto& candidate : driver_candidates(extra_folders())) {
      drivers.push_back(std::make_unique<Driver>(candidate));
      look_at(*drivers.back());
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.listed.info.kind < b.listed.info.kind; });
    choose();
    // Where nothing is offered, whoever asked says so, and has declined() for the reason.
    for (const auto& [what, why] : faults)
      log(offered.empty() ? Level::info : Level::warning, "{} is not offered: {}", what, why);
  }

  void decline(std::string what, std::string why) {
    log(Level::info, "{} is not offered: {}", what, why);
    declined.push_back({std::move(what), std::move(why)});
  }

  void decline_fault(std::string what, std::string why) {
    declined.push_back({std::move(what), std::move(why)});
    faults.push_back(declined.back());
  }

  static std::string title(const Listed& device) {
    return fmt::format("{} ({})", device.info.name, device.info.platform);
  }

  void look_at(Driver& driver) try {
    for (const auto& listed : driver.list()) {
      if (listed.unusable.empty()) found.push_back({&driver, listed});
      else decline_fault(title(listed), listed.unusable);
    }
  } catch (const std::exception& e) {
    decline_fault(fmt::format("driver {} (named by {})", driver.candidate().path, driver.candidate().named_by),
                  e.what());
  }

  void offer(const Found& device) try {
    auto find = [device] { return device.driver->find(device.listed); };
    owned.push_back(std::make_unique<OpenclDevice>(device.listed, find));
    offered.push_back(owned.back().get());
    log(Level::info, "device {}: {}", offered.size() - 1, title(device.listed));
  } catch (const std::exception& e) {
    decline_fault(title(device.listed), e.what());
  }

  void choose() {
    auto asked = environment_value(environment::devices);
    if (asked.empty()) return choose_by_default();
    for (const auto& wish : wishes(asked)) {
      size_t before = offered.size();
      int seen = 0;
      for (const auto& device : found)
        if (wish.matches(device.listed.info) && (wish.index < 0 || wish.index == seen++))
          for (int i = 0; i < wish.copies; i++) offer(device);
      if (offered.size() == before)
        decline_fault(fmt::format("{}={}", environment::devices, wish.word), "no such device");
    }
  }

  /// All but CPU devices; those where there is nothing else.
  void choose_by_default() {
    auto is_cpu = [](const Found& device) { return device.listed.info.kind == Kind::cpu; };
    bool only_cpus = std::all_of(found.begin(), found.end(), is_cpu);
    for (const auto& device : found) {
      if (only_cpus || !is_cpu(device)) offer(device);
      else
        decline(title(device.listed),
                fmt::format("CPU devices are offered where there is nothing else, or if {} asks for them",
                            environment::devices));
    }
  }
};

Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

}  // namespace

void add_driver_folder(std::string path) { extra_folders().push_back(std::move(path)); }

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
