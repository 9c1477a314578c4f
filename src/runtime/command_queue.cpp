#include "runtime/command_queue.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/log.hpp"

namespace ocldnn {
namespace {

class CommandEvent final : public Event {
 public:
  /// Without an event of OpenCL's: complete from the start.
  CommandEvent(OpenclDevice& device, ClEvent event) : device_(device), event_(std::move(event)) {}

  bool complete() noexcept override {
    if (!event_ || device_.lost()) return true;
    cl_int status = CL_COMPLETE;
    cl_int code = device_.calls().clGetEventInfo(event_.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                                 &status, nullptr);
    if (code == CL_SUCCESS && status > CL_COMPLETE) return false;
    if (code != CL_SUCCESS || status < 0)
      device_.examine(fmt::format("an event: {}", code_name(status < 0 ? status : code)));
    return true;
  }
  void wait() override {
    if (!event_ || device_.lost()) return;
    auto* event = event_.get();
    cl_int code = device_.calls().clWaitForEvents(1, &event);
    if (code != CL_SUCCESS) device_.examine(fmt::format("clWaitForEvents: {}", code_name(code)));
  }

  OpenclDevice& device() { return device_; }
  cl_event event() const { return event_.get(); }

 private:
  OpenclDevice& device_;
  ClEvent event_;
};

struct Scalar64 {
  size_t size;
  uint64_t bits;
};

template <class Value>
Scalar64 bits_of(Value value) {
  Scalar64 result{sizeof value, 0};
  std::memcpy(&result.bits, &value, sizeof value);
  return result;
}

void log_launch(const std::string& name, const Grid& grid, ClEvent event) {
  const auto& calls = driver(event.get());
  auto* raw = event.get();
  cl_ulong begin = 0, end = 0;
  if (calls.clWaitForEvents(1, &raw) == CL_SUCCESS) {
    calls.clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr);
    calls.clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
  }
  log(Level::info, "exec: {} groups {}x{}x{} of {}x{}x{} {:.1f} us", name, grid.groups[0], grid.groups[1],
      grid.groups[2], grid.local[0], grid.local[1], grid.local[2], static_cast<double>(end - begin) / 1e3);
}

/// Bytes from the view's first element to the end of its last.
uint64_t extent(const View& view) {
  uint64_t last = 0;
  for (int i = 0; i < view.rank(); i++)
    last += static_cast<uint64_t>(view.shape[i] - 1) * static_cast<uint64_t>(view.strides[i]);
  return (last + 1) * size_of(view.type);
}

}  // namespace

size_t CommandQueue::Hash::operator()(std::string_view key) const noexcept {
  return XXH3_64bits(key.data(), key.size());
}

CommandQueue::CommandQueue(OpenclDevice& device) : device_(device) {
  cl_int code = CL_SUCCESS;
  cl_command_queue_properties properties = logs_launches() ? CL_QUEUE_PROFILING_ENABLE : 0;
  queue_.reset(device_.calls().clCreateCommandQueue(device_.context(), device_.id(), properties, &code));
  check(code, "clCreateCommandQueue");
  device_.enter(this);
}

CommandQueue::~CommandQueue() {
  device_.leave(this);
  if (device_.lost()) return;
  cl_int code = device_.calls().clFinish(queue_.get());
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
  const auto& calls = device_.calls();
  cl_event raw = nullptr;
  cl_int code =
      calls.clEnqueueReadBuffer(queue_.get(), place.memory, CL_TRUE, place.offset, bytes, host, 0, nullptr, &raw);
  ClEvent event(raw);
  cl_int status = CL_COMPLETE;
  if (code == CL_SUCCESS)
    code = calls.clGetEventInfo(event.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  check_late(status < 0 ? status : code, "clEnqueueReadBuffer");
}

void CommandQueue::write(void* address, const void* host, size_t bytes) {
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "write: {} bytes to an allocation with {} left", bytes, place.left);
  check(device_.calls().clEnqueueWriteBuffer(queue_.get(), place.memory, CL_TRUE, place.offset, bytes, host, 0, nullptr,
                                             nullptr),
        "clEnqueueWriteBuffer");
}

void CommandQueue::write_async(void* address, const void* host, size_t bytes) {
  if (bytes == 0) return;
  device_.check_usable();
  auto place = device_.find(address);
  require(bytes <= place.left, "write_async: {} bytes to an allocation with {} left", bytes, place.left);
  check(device_.calls().clEnqueueWriteBuffer(queue_.get(), place.memory, CL_FALSE, place.offset, bytes, host, 0,
                                             nullptr, nullptr),
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
    check(device_.calls().clEnqueueCopyBuffer(queue_.get(), source.memory, target.memory, source.offset, target.offset,
                                              bytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    return;
  }
  auto* source = device_of(from);
  auto* target = device_of(to);
  require(source && target, "copy: {} is not device memory", source ? to : from);
  require(here || there, "copy: neither address is of this queue's device");
  // Devices have a context each, so the bytes go through the host.
  std::vector<char> bounce(std::min<size_t>(bytes, 64 << 20));
  auto other = (here ? target : source)->make_queue();
  for (size_t done = 0; done < bytes; done += bounce.size()) {
    size_t part = std::min(bounce.size(), bytes - done);
    (here ? *this : static_cast<Queue&>(*other)).read(bounce.data(), static_cast<const char*>(from) + done, part);
    (there ? *this : static_cast<Queue&>(*other)).write(static_cast<char*>(to) + done, bounce.data(), part);
  }
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
  check(device_.calls().clEnqueueFillBuffer(queue_.get(), place.memory, pattern, pattern_bytes, place.offset, bytes, 0,
                                            nullptr, nullptr),
        "clEnqueueFillBuffer");
}

std::unique_ptr<Event> CommandQueue::record() {
  ClEvent event;
  if (!device_.lost()) {
    const auto& calls = device_.calls();
    cl_event raw = nullptr;
    cl_int code = calls.clEnqueueMarkerWithWaitList(queue_.get(), 0, nullptr, &raw);
    if (code == CL_SUCCESS) event.reset(raw);
    // Whoever polls the event never flushes.
    if (code == CL_SUCCESS) code = calls.clFlush(queue_.get());
    if (code != CL_SUCCESS) {
      keep(fmt::format("a marker: {}", code_name(code)));
      event.reset();
      code = calls.clFinish(queue_.get());
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
  check(device_.calls().clEnqueueBarrierWithWaitList(queue_.get(), 1, &raw, nullptr), "clEnqueueBarrierWithWaitList");
}

void CommandQueue::wait_for(Queue& other) {
  if (&other != this) wait_for(*other.record());
}

void CommandQueue::finish() {
  device_.check_usable();
  check_late(device_.calls().clFinish(queue_.get()), "clFinish");
}

CommandQueue::Slot CommandQueue::make_slot(const KernelId& id) {
  auto* program = device_.programs().get(id);
  const auto& calls = device_.calls();
  auto* device = device_.id();
  cl_int code = CL_SUCCESS;
  Slot slot;
  slot.name = id.entry();
  slot.kernel.reset(calls.clCreateKernel(program, slot.name.c_str(), &code));
  if (code != CL_SUCCESS) fail(Code::internal, "{}: kernel {}: {}", id.file(), id.entry(), code_name(code));
  cl_uint arguments = 0;
  check(calls.clGetKernelInfo(slot.kernel.get(), CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr),
        "clGetKernelInfo");
  slot.bound.resize(arguments);
  check(calls.clGetKernelWorkGroupInfo(slot.kernel.get(), device, CL_KERNEL_WORK_GROUP_SIZE, sizeof slot.max_group,
                                       &slot.max_group, nullptr),
        "clGetKernelWorkGroupInfo");
  check(calls.clGetKernelWorkGroupInfo(slot.kernel.get(), device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                       sizeof slot.fixed_group, slot.fixed_group, nullptr),
        "clGetKernelWorkGroupInfo");
  return slot;
}

/// The queue's kernel object for `id`. Builds with the lock released.
CommandQueue::Slot& CommandQueue::slot(const KernelId& id, std::unique_lock<std::mutex>& hold) {
  auto at = slots_.find(std::string_view(id.key()));
  if (at == slots_.end()) {
    hold.unlock();
    auto made = make_slot(id);
    hold.lock();
    at = slots_.try_emplace(id.key(), std::move(made)).first;
  }
  return at->second;
}

void CommandQueue::bind(Slot& slot, cl_uint index, Bound value, const void* bytes) {
  if (index >= slot.bound.size())
    fail(Code::internal, "{}: takes {} arguments, got more", slot.name, slot.bound.size());
  auto& bound = slot.bound[index];
  if (bound == value) return;
  bound = {};
  cl_int code = device_.calls().clSetKernelArg(slot.kernel.get(), index, value.size, bytes);
  if (code != CL_SUCCESS) fail(Code::internal, "{}: argument {}: {}", slot.name, index, code_name(code));
  bound = value;
}

void CommandQueue::launch(const KernelId& id, const Grid& grid, std::span<const Argument> arguments) {
  device_.check_usable();
  std::unique_lock hold(lock_);
  auto& slot = this->slot(id, hold);
  size_t items[3], group = 1;
  for (int i = 0; i < 3; i++) {
    items[i] = grid.groups[i] * grid.local[i];
    group *= grid.local[i];
    if (slot.fixed_group[0] && slot.fixed_group[i] != grid.local[i])
      fail(Code::internal, "{}: groups of {} items in dimension {}, compiled for {}", slot.name, grid.local[i], i,
           slot.fixed_group[i]);
  }
  if (group == 0 || group > slot.max_group)
    fail(Code::internal, "{}: groups of {} items; {} takes at most {}", slot.name, group, device_.info().name,
         slot.max_group);
  cl_uint index = 0;
  for (const auto& argument : arguments) {
    if (const auto* view = std::get_if<View>(&argument)) {
      Place place;
      int64_t offset = 0;
      if (view->elements() > 0) {
        place = device_.find(view->data);
        size_t size = size_of(view->type);
        require(place.offset % size == 0, "{}: {} lies {} bytes into its allocation, which is no whole {}", slot.name,
                view->data, place.offset, name(view->type));
        require(extent(*view) <= place.left,
                "{}: a view of shape {} reaches {} bytes from its start, its allocation {}", slot.name,
                view->shape.text(), extent(*view), place.left);
        offset = static_cast<int64_t>(place.offset / size);
      }
      bind(slot, index++, {sizeof(cl_mem), reinterpret_cast<uint64_t>(place.memory), place.generation + 1},
           &place.memory);
      bind(slot, index++, {sizeof offset, static_cast<uint64_t>(offset), 0}, &offset);
    } else {
      auto value = std::visit(
          [](const auto& v) {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, View>)
              return Scalar64{};
            else
              return bits_of(v);
          },
          argument);
      bind(slot, index++, {value.size, value.bits, 0}, &value.bits);
    }
  }
  if (index != slot.bound.size())
    fail(Code::internal, "{}: takes {} arguments, got {}", slot.name, slot.bound.size(), index);
  cl_uint rank = grid.groups[2] * grid.local[2] > 1 ? 3 : grid.groups[1] * grid.local[1] > 1 ? 2 : 1;
  cl_event raw = nullptr;
  cl_int code = device_.calls().clEnqueueNDRangeKernel(queue_.get(), slot.kernel.get(), rank, nullptr, items,
                                                       grid.local.data(), 0, nullptr, logs_launches() ? &raw : nullptr);
  ClEvent event(raw);
  if (code != CL_SUCCESS) fail(kind_of(code), "{}: {}: {}", device_.info().name, slot.name, code_name(code));
  if (event) log_launch(slot.name, grid, std::move(event));
}

}  // namespace ocldnn
