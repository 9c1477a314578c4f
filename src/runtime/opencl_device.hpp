#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ocldnn/device.hpp"
#include "runtime/address_space.hpp"
#include "runtime/habits.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program_cache.hpp"
#include "runtime/trial.hpp"

namespace ocldnn {

class CommandQueue;

/// A device of an OpenCL driver. Nothing is asked of the driver before the first use; then it gets one context.
class OpenclDevice final : public Device {
 public:
  /// `find` gives the driver's device at the first use. Throws if an address range cannot be had.
  OpenclDevice(const Listed& listed, std::function<cl_device_id()> find);
  ~OpenclDevice() override;

  const DeviceInfo& info() const override { return info_; }
  const Habits& habits() const noexcept { return habits_; }
  bool supports(Feature feature) override;
  void* allocate(size_t bytes) override;
  void* reserve(size_t bytes) override;
  void deallocate(void* address) override;
  bool owns(const void* address) const noexcept override { return addresses_.owns(address); }
  MemoryUse memory() override;
  std::unique_ptr<Queue> make_queue() override;
  void finish() override;

  cl_device_id id() { return live().id; }
  const cl_icd_dispatch& calls() { return driver(live().id); }
  cl_context context() { return live().context.get(); }
  /// All by which another device or driver would be told apart, for caches on disk.
  const std::string& identity() const { return identity_; }
  ProgramCache& programs() { return programs_; }
  Location find(const void* address) {
    auto place = addresses_.find(address);
    return place.memory ? place : back(address, place.offset + place.left);
  }

  /// Throws `device` once the device is lost, and in a child forked after its first use.
  void check_usable() const;
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  /// Called with what a failed command said: asks the device for a sign of life, and gives it up without one.
  void examine(const std::string& failure) noexcept;

  /// The queue for copies to and from other devices.
  CommandQueue& transfers();

  void enter(CommandQueue* queue);
  void leave(CommandQueue* queue) noexcept;

 private:
  /// What a device in use has.
  struct Live {
    cl_device_id id = nullptr;
    ClContext context;
    ClQueue service;  // for what the device does on its own account
    std::mutex service_lock;
    std::unique_ptr<CommandQueue> transfers;
  };
  Live& live();
  void check_size(int64_t bytes);
  ClMemory make_buffer(size_t bytes);
  Location back(const void* address, size_t bytes);
  void touch(cl_mem memory, size_t bytes);

  const int64_t largest_buffer_;  // as the driver says
  const bool host_memory_;
  const DeviceInfo info_;
  const Habits& habits_;
  const std::string identity_;
  AddressSpace addresses_;
  ProgramCache programs_;
  const std::function<cl_device_id()> find_;
  std::mutex live_lock_;
  std::unique_ptr<Live> owned_;
  std::atomic<Live*> live_{nullptr};
  std::atomic<int64_t> allocated_{0};
  std::atomic<bool> lost_{false};
  std::string lost_why_;  // written once, before lost_
  std::mutex lost_lock_;
  std::mutex queues_lock_;
  std::vector<CommandQueue*> queues_;
  std::recursive_mutex features_lock_;                      // held while a probe runs
  std::array<std::atomic<int>, feature_count> features_{};  // -1 no, 0 not asked yet, 1 yes
};

/// Whether the device can do this, found by running a kernel; the answer is kept on disk (probe.cpp).
bool probe(OpenclDevice& device, Feature feature);

}  // namespace ocldnn
