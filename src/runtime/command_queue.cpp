#include "runtime/command_queue.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/log.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

class CommandEvent final : public Event {
 public:
  /// Without an event of OpenCL's: complete from the start.
  CommandEvent(OpenclDevice& device, ClEvent event) : device_(device), event_(std::move(event)) {}

  bool complete() noexcept override try {
    if (!event_ || !usable()) return true;
    cl_int status = CL_COMPLETE;
    cl_int code = driver(event_.get())
                      .clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    if (code == CL_SUCCESS && status > CL_COMPLETE) return false;
    if (code == CL_SUCCESS) code = status;
    if (code != CL_SUCCESS) device_.examine(fmt::format("an event: {}", code_name(code)));
    return true;
  } catch (...) {
    return true;
  }

  void wait() override {
    if (!event_ || !usable()) return;
    auto* event = event_.get();
    cl_int code = driver(event).clWaitForEvents(1, &event);
    if (code != CL_SUCCESS) device_.examine(fmt::format("clWaitForEvents: {}", code_name(code)));
  }

  OpenclDevice& device() { return device_; }
  cl_event event() const { return event_.get(); }

 private:
  bool usable() const { return !device_.lost() && !system::forked(); }
  OpenclDevice& device_;
  ClEvent event_;
};

}  // namespace

CommandQueue::CommandQueue(OpenclDevice& device) : device_(device), calls_(device.calls()) {
  cl_int code = CL_SUCCESS;
  cl_command_queue_properties properties = logs_launches() ? CL_QUEUE_PROFILING_ENABLE : 0;
  queue_.reset(calls_.clCreateCommandQueue(device_.context(), device_.id(), properties, &code));
  check(code, "clCreateCommandQueue");
  device_.enter(this);
}

CommandQueue::~CommandQueue() {
  device_.leave(this);
  if (system::forked()) {
    // The driver's threads are in the parent: here nothing of it can be waited for, nor released.
    queue_.release();
    for (auto& [key, slot] : slots_) slot.kernel.release();
    return;
  }
  cl_int code = device_.lost() ? CL_SUCCESS : calls_.clFinish(queue_.get());
  if (code != CL_SUCCESS) log(Level::error, "{}: a queue ended with {}", device_.info().name, code_name(code));
  if (!kept_.empty())
    log(Level::error, "{}: a queue ended with a failure that nobody asked for: {}", device_.info().name, kept_);
}

void CommandQueue::keep(std::string failure) {
  device_.examine(failure);
  std::lock_guard hold(lock_);
  if (kept_.empty()) kept_ = std::move(failure);
}

void CommandQueue::throw_kept() {
  std::string failure;
  {
    std::lock_guard hold(lock_);
    failure.swap(kept_);
  }
  if (!failure.empty()) throw Error(Code::device, device_.info().name + ": " + failure);
}

/// For calls that report what they themselves cannot do; a lost device is then known as one.
void CommandQueue::check_now(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  if (kind_of(code) != Code::out_of_memory) device_.examine(fmt::format("{}: {}", call, code_name(code)));
  device_.check_usable();
  fail(kind_of(code), "{}: {}: {}", device_.info().name, call, code_name(code));
}

/// For calls that report what earlier commands did.
void CommandQueue::check_late(cl_int code, const char* call) {
  if (code != CL_SUCCESS) keep(fmt::format("{}: {}", call, code_name(code)));
  device_.check_usable();
  throw_kept();
}

void CommandQueue::read(void* host, const void* address, size_t bytes) {
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "read: {} bytes from an allocation with {} left", bytes, place.left);
  cl_event raw = nullptr;
  cl_int code =
      calls_.clEnqueueReadBuffer(queue_.get(), place.memory, CL_TRUE, place.offset, bytes, host, 0, nullptr, &raw);
  ClEvent event(raw);
  cl_int status = CL_COMPLETE;
  if (code == CL_SUCCESS)
    code = calls_.clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  check_late(status < 0 ? status : code, "clEnqueueReadBuffer");
}

void CommandQueue::write(void* address, const void* host, size_t bytes) {
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "write: {} bytes to an allocation with {} left", bytes, place.left);
  check_now(
      calls_.clEnqueueWriteBuffer(queue_.get(), place.memory, CL_TRUE, place.offset, bytes, host, 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}

void CommandQueue::write_async(void* address, const void* host, size_t bytes) {
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "write_async: {} bytes to an allocation with {} left", bytes, place.left);
  check_now(
      calls_.clEnqueueWriteBuffer(queue_.get(), place.memory, CL_FALSE, place.offset, bytes, host, 0, nullptr, nullptr),
      "clEnqueueWriteBuffer");
}

void CommandQueue::copy(void* to, const void* from, size_t bytes) {
  if (bytes == 0 || to == from) return;
  device_.check_usable();
  bool here = device_.owns(from), there = device_.owns(to);
  if (here && there) {
    auto source = device_.find(from), target = device_.find(to);
    require(bytes <= source.left && bytes <= target.left, "copy: {} bytes, source has {} left and target {}", bytes,
            source.left, target.left);
    require(source.memory != target.memory || source.offset + bytes <= target.offset ||
                target.offset + bytes <= source.offset,
            "copy: source and target overlap");
    check_now(calls_.clEnqueueCopyBuffer(queue_.get(), source.memory, target.memory, source.offset, target.offset,
                                         bytes, 0, nullptr, nullptr),
              "clEnqueueCopyBuffer");
    return;
  }
  auto* source = device_of(from);
  auto* target = device_of(to);
  require(source && target, "copy: {} is not device memory", source ? to : from);
  require(here || there, "copy: neither address is of this queue's device");
  // Devices have a context each, so the bytes go through the host.
  auto& other = static_cast<OpenclDevice*>(here ? target : source)->transfers();
  std::vector<char> bounce(std::min<size_t>(bytes, 64 << 20));
  for (size_t done = 0; done < bytes; done += bounce.size()) {
    size_t part = std::min(bounce.size(), bytes - done);
    (here ? *this : other).read(bounce.data(), static_cast<const char*>(from) + done, part);
    (there ? *this : other).write(static_cast<char*>(to) + done, bounce.data(), part);
  }
  // A blocking write has only taken the bytes over: some drivers hold it back, and other queues would not wait for it.
  if (here) other.finish();
}

void CommandQueue::fill(void* address, const void* pattern, size_t pattern_bytes, size_t bytes) {
  require(pattern_bytes == 1 || pattern_bytes == 2 || pattern_bytes == 4 || pattern_bytes == 8,
          "fill: a pattern of {} bytes; expected 1, 2, 4 or 8", pattern_bytes);
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "fill: {} bytes of an allocation with {} left", bytes, place.left);
  require(bytes % pattern_bytes == 0 && place.offset % pattern_bytes == 0,
          "fill: {} bytes at offset {} with a pattern of {}", bytes, place.offset, pattern_bytes);
  check_now(calls_.clEnqueueFillBuffer(queue_.get(), place.memory, pattern, pattern_bytes, place.offset, bytes, 0,
                                       nullptr, nullptr),
            "clEnqueueFillBuffer");
}

std::unique_ptr<Event> CommandQueue::record() {
  ClEvent event;
  if (!device_.lost()) {
    cl_event raw = nullptr;
    cl_int code = calls_.clEnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &raw);
    if (code == CL_SUCCESS) event.reset(raw);
    // Whoever polls the event never flushes.
    if (code == CL_SUCCESS) code = calls_.clFlush(queue_.get());
    if (code != CL_SUCCESS) {
      keep(fmt::format("a marker: {}", code_name(code)));
      event.reset();
      code = calls_.clFinish(queue_.get());
      if (code != CL_SUCCESS) keep(fmt::format("clFinish: {}", code_name(code)));
    }
  }
  return std::make_unique<CommandEvent>(device_, std::move(event));
}

void CommandQueue::wait_for(Event& event) {
  auto& other = static_cast<CommandEvent&>(event);
  if (event.complete()) return;
  if (&other.device() != &device_) return event.wait();
  auto* raw = other.event();
  check_now(calls_.clEnqueueBarrierWithWaitList(queue_.get(), 1, &raw, nullptr), "clEnqueueBarrierWithWaitList");
}

void CommandQueue::wait_for(Queue& other) {
  if (&other == this) return;
  // Were a thread that works while it waits to wait behind a barrier in this queue, one core would be idle.
  if (device_.habits().waiting_threads_work && &other.device() == &device_) {
    auto& queue = static_cast<CommandQueue&>(other);
    cl_int code = calls_.clFinish(queue.queue_.get());
    if (code != CL_SUCCESS) queue.keep(fmt::format("clFinish: {}", code_name(code)));
  }
  wait_for(*other.record());
}

void CommandQueue::finish() {
  device_.check_usable();
  check_late(calls_.clFinish(queue_.get()), "clFinish");
}

}  // namespace ocldnn
