#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ocldnn/view.hpp"

namespace ocldnn {

enum class Kind { gpu, accelerator, cpu };

/// What the driver says of a device, read without making a context.
struct DeviceInfo {
  std::string name, vendor, platform, version,
      driver_version;   // CL_DEVICE_NAME, ..., CL_PLATFORM_NAME, CL_DEVICE_VERSION
  std::string library;  // the file the driver came from
  Kind kind = Kind::cpu;
  int64_t memory_bytes = 0;    // honest: on CPUs bounded by cgroup and free memory, see docs/memory-model.md
  int64_t max_allocation = 0;  // bytes of one buffer; below 4 GiB, though larger ones may work (large_buffers)
  int64_t local_bytes = 0;     // local memory a work-group may use
  int64_t max_group = 0;       // work-items of one work-group
  int compute_units = 0;
  int float_width = 1;  // CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT
};

/// What a device can do, found by building and running a tiny kernel, never by reading a list.
enum class Feature {
  fp64,
  fp16,
  int64_atomics,
  ptx,            // inline PTX: the driver's own form of a program is PTX text
  mma_sync,       // mma.sync.m16n8k8 on TF32 by inline PTX
  large_local,    // local arrays of a fixed size beyond DeviceInfo::local_bytes, up to what the compiler takes
  large_buffers,  // buffers of 4 GiB and more, asked for by the first allocation of one
};
inline constexpr int feature_count = 7;

/// Free and total bytes as an allocator should believe them.
struct MemoryUse {
  int64_t free = 0, total = 0;
};

class Queue;

/// One OpenCL device: its context, address space and programs. Made by devices(); lives until the process ends.
/// Every member may be called from any thread.
class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual bool supports(Feature feature) = 0;

  /// Device memory, its address aligned to 256 bytes. The address can be offset freely but never dereferenced.
  /// Throws `out_of_memory`.
  virtual void* allocate(size_t bytes) = 0;
  /// As allocate(), but the driver is asked by the first command that uses the address, which throws if it has none.
  virtual void* reserve(size_t bytes) = 0;
  /// Commands already queued keep the memory alive until they end. Null and foreign addresses throw `invalid_argument`.
  virtual void deallocate(void* address) = 0;
  virtual bool owns(const void* address) const noexcept = 0;
  virtual MemoryUse memory() = 0;

  /// A new in-order queue of its own.
  virtual std::unique_ptr<Queue> make_queue() = 0;
  /// Blocks until every queue of the device is idle.
  virtual void finish() = 0;
};

/// Another folder to look for drivers in, such as a Python package's. Before the first devices().
void add_driver_folder(std::string path);

/// The devices offered to users, GPUs first, in a stable order (docs/environment.md: OCLDNN_DEVICES, OCLDNN_DISABLE).
/// Opens drivers at the first call; makes no context and starts no thread.
std::span<Device* const> devices();

/// The device whose address space holds `address`, or null.
Device* device_of(const void* address) noexcept;

/// Drivers and devices that were looked at and not offered, each with the reason.
struct Declined {
  std::string what, why;
};
const std::vector<Declined>& declined();

/// Kernels launched since the process began, on all devices.
uint64_t launch_count() noexcept;

/// A point in a queue's work. An event never recorded counts as complete.
class Event {
 public:
  virtual ~Event() = default;
  /// Never throws: a failed device counts as complete here and throws at its queue's next synchronise.
  virtual bool complete() noexcept = 0;
  virtual void wait() = 0;
};

/// An in-order queue of commands. Every member may be called from any thread.
/// Failures found after a call returned are kept and thrown by the next finish() or read().
class Queue {
 public:
  virtual ~Queue() = default;
  virtual Device& device() = 0;

  /// Blocks until `host` holds the bytes.
  virtual void read(void* host, const void* address, size_t bytes) = 0;
  /// Returns when `host` may be reused.
  virtual void write(void* address, const void* host, size_t bytes) = 0;
  /// Does not wait; `host` must stay as it is until the queue has passed this command.
  virtual void write_async(void* address, const void* host, size_t bytes) = 0;
  /// Between two addresses of this device or of two devices (then through the host, blocking).
  virtual void copy(void* to, const void* from, size_t bytes) = 0;
  /// `pattern` repeated: `pattern_bytes` is 1, 2, 4 or 8 and divides `bytes` and the address.
  virtual void fill(void* address, const void* pattern, size_t pattern_bytes, size_t bytes) = 0;

  virtual std::unique_ptr<Event> record() = 0;
  virtual void wait_for(Event& event) = 0;  // later commands run after the event; may block across devices
  virtual void wait_for(Queue& other) = 0;  // later commands run after what `other` holds now
  virtual void finish() = 0;                // blocks; throws what was kept
};

/// Where an algorithm takes its temporary device memory from; the front end decides how long it lives, at least until
/// the algorithm's commands have been queued.
class Scratch {
 public:
  virtual ~Scratch() = default;
  virtual void* allocate(size_t bytes) = 0;
};

/// What every op is handed: the queue to run on and the scratch memory to use.
struct Exec {
  Queue& queue;
  Scratch& scratch;

  View temporary(Type type, const Shape& shape) const {
    auto bytes = static_cast<size_t>(shape.elements()) * size_of(type);
    return {bytes ? scratch.allocate(bytes) : nullptr, type, shape};
  }
};

/// Scratch from the device itself, freed with the object. For programs without a framework, and tests.
class DeviceScratch final : public Scratch {
 public:
  explicit DeviceScratch(Device& device) : device_(device) {}
  DeviceScratch(const DeviceScratch&) = delete;
  DeviceScratch& operator=(const DeviceScratch&) = delete;
  ~DeviceScratch() override {
    for (auto* address : blocks_) device_.deallocate(address);
  }
  void* allocate(size_t bytes) override {
    blocks_.reserve(blocks_.size() + 1);
    return blocks_.emplace_back(device_.allocate(bytes));
  }

 private:
  Device& device_;
  std::vector<void*> blocks_;
};

}  // namespace ocldnn
