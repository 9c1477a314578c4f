#include "runtime/opencl_device.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "runtime/command_queue.hpp"
#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

// Frameworks take most of what they are told of at once, and a CPU device shares its memory with all that runs on the
// host.
constexpr double default_fraction = 0.8;
constexpr int64_t four_gib = int64_t{4} << 30;
constexpr int64_t worth_a_look = 16 << 20;  // allocations from this size on ask the system what is left

double memory_fraction() {
  auto text = environment_value(environment::memory_fraction);
  double value = text.empty() ? default_fraction : std::atof(text.c_str());
  return value > 0 && value <= 1 ? value : default_fraction;
}

/// What the driver lists, with the host's limits on its memory where that is the host's.
DeviceInfo bounded(const Listed& listed) {
  auto info = listed.info;
  if (listed.host_memory) {
    auto most = memory_fraction() * static_cast<double>(system::total_memory());
    info.memory_bytes = std::min(info.memory_bytes, static_cast<int64_t>(most));
  }
  info.max_allocation = std::min({info.max_allocation, info.memory_bytes, four_gib - 1});
  return info;
}

}  // namespace

OpenclDevice::OpenclDevice(const Listed& listed, std::function<cl_device_id()> find)
    : largest_buffer_(listed.info.max_allocation),
      host_memory_(listed.host_memory),
      info_(bounded(listed)),
      habits_(habits_of(info_.platform)),
      identity_(fmt::format("{}\n{}\n{}\n{}\n{}\n{} {}", info_.name, info_.vendor, info_.platform, info_.version,
                            info_.driver_version, info_.library, system::file_stamp(info_.library))),
      addresses_(4 * static_cast<size_t>(info_.memory_bytes), static_cast<size_t>(info_.memory_bytes) / 8),
      programs_(*this),
      find_(std::move(find)) {}

OpenclDevice::~OpenclDevice() = default;

OpenclDevice::Live& OpenclDevice::live() {
  check_usable();
  if (auto* live = live_.load(std::memory_order_acquire)) return *live;
  std::lock_guard hold(live_lock_);
  if (owned_) return *owned_;
  system::watch_forks();
  auto made = std::make_unique<Live>();
  made->id = find_();
  const auto& calls = driver(made->id);
  cl_int code = CL_SUCCESS;
  made->context.reset(calls.clCreateContext(nullptr, 1, &made->id, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  made->service.reset(calls.clCreateCommandQueue(made->context.get(), made->id, 0, &code));
  check(code, "clCreateCommandQueue");
  owned_ = std::move(made);
  live_.store(owned_.get(), std::memory_order_release);
  log(Level::info, "using {} ({}, driver {}), {} MiB", info_.name, info_.platform, info_.driver_version,
      info_.memory_bytes >> 20);
  return *owned_;
}

void OpenclDevice::check_usable() const {
  if (lost()) fail(Code::device, "{}: the device is lost: {}", info_.name, lost_why_);
  if (system::forked())
    fail(Code::device, "{}: this process was forked after the device was first used; fork before, or spawn",
         info_.name);
}

ClMemory OpenclDevice::make_buffer(size_t bytes) {
  cl_int code = CL_SUCCESS;
  ClMemory memory(calls().clCreateBuffer(context(), CL_MEM_READ_WRITE, bytes, nullptr, &code));
  if (code != CL_SUCCESS) fail(kind_of(code), "{}: a buffer of {} bytes: {}", info_.name, bytes, code_name(code));
  return memory;
}

/// Makes the driver find the memory now, where the caller can still do with less, not at the first kernel.
void OpenclDevice::touch(cl_mem memory, size_t bytes) {
  auto& live = this->live();
  std::lock_guard hold(live.service_lock);
  const char zero = 0;
  for (size_t at : {size_t{0}, bytes - 1}) {
    cl_int code = calls().clEnqueueWriteBuffer(live.service.get(), memory, CL_TRUE, at, 1, &zero, 0, nullptr, nullptr);
    if (code == CL_SUCCESS) continue;
    if (code == CL_OUT_OF_RESOURCES) code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    fail(kind_of(code), "{}: {} bytes: {}", info_.name, bytes, code_name(code));
  }
}

void OpenclDevice::check_size(int64_t bytes) {
  if (bytes > info_.max_allocation && (bytes > largest_buffer_ || !supports(Feature::large_buffers)))
    fail(Code::out_of_memory, "{}: {} bytes asked for, one allocation may have {}", info_.name, bytes,
         info_.max_allocation);
  // A driver of the host's memory hands out more than there is, and the process dies when it is touched.
  if (!host_memory_ || bytes < worth_a_look) return;
  if (auto left = system::available_memory(); bytes > left)
    fail(Code::out_of_memory, "{}: {} bytes asked for, the host has {} left", info_.name, bytes, left);
}

void* OpenclDevice::allocate(size_t bytes) {
  check_usable();
  auto size = static_cast<int64_t>(std::max<size_t>(bytes, 1));
  check_size(size);
  auto before = allocated_.fetch_add(size);
  try {
    if (before + size > info_.memory_bytes)
      fail(Code::out_of_memory, "{}: {} bytes asked for, {} of {} in use", info_.name, bytes, before,
           info_.memory_bytes);
    auto memory = make_buffer(static_cast<size_t>(size));
    if (!host_memory_) touch(memory.get(), static_cast<size_t>(size));
    return addresses_.insert(std::move(memory), static_cast<size_t>(size));
  } catch (...) {
    allocated_ -= size;
    throw;
  }
}

void* OpenclDevice::reserve(size_t bytes) {
  bytes = std::max<size_t>(bytes, 1);
  auto* address = addresses_.insert(ClMemory(), bytes);
  allocated_ += static_cast<int64_t>(bytes);
  return address;
}

/// Finds the memory of a block that was only reserved.
Location OpenclDevice::back(const void* address, size_t bytes) {
  check_usable();
  auto memory = make_buffer(bytes);
  if (!host_memory_) touch(memory.get(), bytes);
  addresses_.back(address, std::move(memory));
  return addresses_.find(address);
}

void OpenclDevice::deallocate(void* address) { allocated_ -= static_cast<int64_t>(addresses_.remove(address)); }

MemoryUse OpenclDevice::memory() {
  int64_t left = std::max<int64_t>(0, info_.memory_bytes - allocated_);
  if (host_memory_)
    left = std::min(left, static_cast<int64_t>(memory_fraction() * static_cast<double>(system::available_memory())));
  return {left, info_.memory_bytes};
}

std::unique_ptr<Queue> OpenclDevice::make_queue() { return std::make_unique<CommandQueue>(*this); }

CommandQueue& OpenclDevice::transfers() {
  auto& live = this->live();
  std::lock_guard hold(live.service_lock);
  if (!live.transfers) live.transfers = std::make_unique<CommandQueue>(*this);
  return *live.transfers;
}

void OpenclDevice::finish() {
  std::exception_ptr first;
  std::lock_guard hold(queues_lock_);
  for (auto* queue : queues_) try {
      queue->finish();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
}

void OpenclDevice::enter(CommandQueue* queue) {
  std::lock_guard hold(queues_lock_);
  queues_.push_back(queue);
}

void OpenclDevice::leave(CommandQueue* queue) noexcept {
  std::lock_guard hold(queues_lock_);
  std::erase(queues_, queue);
}

void OpenclDevice::examine(const std::string& failure) noexcept try {
  if (lost()) return;
  // A fresh queue and buffer: a context that a fault has taken down refuses one or the other, or their work.
  cl_int code = CL_SUCCESS;
  ClQueue queue(calls().clCreateCommandQueue(context(), id(), 0, &code));
  ClMemory memory;
  if (code == CL_SUCCESS) memory.reset(calls().clCreateBuffer(context(), CL_MEM_READ_WRITE, 64, nullptr, &code));
  cl_uint value = 0;
  if (code == CL_SUCCESS)
    code =
        calls().clEnqueueWriteBuffer(queue.get(), memory.get(), CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
  if (code == CL_SUCCESS) code = calls().clFinish(queue.get());
  if (code == CL_SUCCESS || kind_of(code) == Code::out_of_memory) return;
  std::lock_guard hold(lost_lock_);
  if (lost()) return;
  lost_why_ = failure;
  lost_.store(true, std::memory_order_release);
  log(Level::error, "{}: the device is lost: {}", info_.name, failure);
} catch (...) {
  log(Level::error, "a failed device could not be examined");
}

bool OpenclDevice::supports(Feature feature) {
  auto& answer = features_.at(static_cast<size_t>(feature));
  if (answer == 0) {
    // Some probes ask for another feature first.
    std::lock_guard hold(features_lock_);
    if (answer == 0) answer = probe(*this, feature) ? 1 : -1;
  }
  return answer > 0;
}

}  // namespace ocldnn
