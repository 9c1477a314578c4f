// The part of CommandQueue that launches kernels.

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "runtime/command_queue.hpp"
#include "runtime/log.hpp"

namespace ocldnn {
namespace {

/// The most groups that every device takes, by dimension; more than that is an error everywhere, so that it shows on
/// the device at hand.
constexpr size_t most_groups[3]{std::numeric_limits<int32_t>::max(), 65535, 65535};

constexpr unsigned flush_every = 64;

/// Bytes from the view's first element to the end of its last.
uint64_t extent(const View& view) {
  uint64_t last = 0;
  for (int i = 0; i < view.rank(); i++)
    last += static_cast<uint64_t>(view.shape[i] - 1) * static_cast<uint64_t>(view.strides[i]);
  return (last + 1) * size_of(view.type);
}

void log_launch(std::string_view file, std::string_view name, const Grid& grid, ClEvent event) {
  const auto& calls = driver(event.get());
  auto* raw = event.get();
  cl_ulong begin = 0, end = 0;
  if (calls.clWaitForEvents(1, &raw) == CL_SUCCESS) {
    calls.clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_START, sizeof begin, &begin, nullptr);
    calls.clGetEventProfilingInfo(raw, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
  }
  log(Level::info, "exec: {} {} {}x{}x{} groups of {}x{}x{}: {:.1f} us", file, name, grid.groups[0], grid.groups[1],
      grid.groups[2], grid.local[0], grid.local[1], grid.local[2], static_cast<double>(end - begin) / 1e3);
}

}  // namespace

size_t CommandQueue::Hash::operator()(std::string_view key) const noexcept {
  return XXH3_64bits(key.data(), key.size());
}

CommandQueue::Slot CommandQueue::make_slot(const KernelId& id) {
  auto* program = device_.programs().get(id);
  auto* device = device_.id();
  cl_int code = CL_SUCCESS;
  Slot slot;
  slot.name = id.entry(), slot.file = id.file();
  slot.kernel.reset(calls_.clCreateKernel(program, slot.name.c_str(), &code));
  if (code != CL_SUCCESS) fail(Code::internal, "{}: kernel {}: {}", id.file(), id.entry(), code_name(code));
  auto* kernel = slot.kernel.get();
  cl_uint arguments = 0;
  check(calls_.clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, nullptr), "clGetKernelInfo");
  slot.bound.resize(arguments);
  auto ask = [&](cl_kernel_work_group_info what, auto& value) {
    check(calls_.clGetKernelWorkGroupInfo(kernel, device, what, sizeof value, &value, nullptr),
          "clGetKernelWorkGroupInfo");
  };
  ask(CL_KERNEL_WORK_GROUP_SIZE, slot.max_group);
  ask(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, slot.fixed_group);
  cl_ulong local = 0;
  ask(CL_KERNEL_LOCAL_MEM_SIZE, local);
  // Some drivers take what is too much and overrun it.
  auto most = static_cast<cl_ulong>(device_.info().local_bytes);
  if (local > most && !device_.supports(Feature::large_local))
    fail(Code::internal, "{}: {} takes {} bytes of local memory, {} has {}", slot.file, slot.name, local,
         device_.info().name, most);
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

void CommandQueue::check_grid(const Slot& slot, const Grid& grid) const {
  size_t group = 1;
  for (size_t i = 0; i < 3; i++) {
    group *= grid.local[i];
    if (slot.fixed_group[0] && slot.fixed_group[i] != grid.local[i])
      fail(Code::internal, "{}: groups of {} items in dimension {}, compiled for {}", slot.name, grid.local[i], i,
           slot.fixed_group[i]);
    if (grid.groups[i] > most_groups[i])
      fail(Code::internal, "{}: {} groups in dimension {}; devices take at most {}", slot.name, grid.groups[i], i,
           most_groups[i]);
  }
  if (group == 0 || group > slot.max_group)
    fail(Code::internal, "{}: groups of {} items; {} takes 1 to {}", slot.name, group, device_.info().name,
         slot.max_group);
}

void CommandQueue::bind(Slot& slot, cl_uint index, Bound value) {
  if (index >= slot.bound.size())
    fail(Code::internal, "{}: takes {} arguments, got more", slot.name, slot.bound.size());
  auto& bound = slot.bound[index];
  if (bound == value) return;
  bound = {};
  cl_int code = calls_.clSetKernelArg(slot.kernel.get(), index, value.size, &value.bits);
  if (code != CL_SUCCESS) fail(Code::internal, "{}: argument {}: {}", slot.name, index, code_name(code));
  bound = value;
}

/// A view is two arguments: its buffer, and where it begins in that, in elements.
void CommandQueue::bind(Slot& slot, cl_uint& index, const View& view) {
  Location place;
  uint64_t offset = 0;
  if (view.elements() > 0) {
    try {
      place = device_.find(view.data);
    } catch (const Error& e) {
      throw Error(e.code(), slot.name + ": " + e.what());
    }
    size_t size = size_of(view.type);
    require(place.offset % size == 0, "{}: {} lies {} bytes into its allocation, which is no whole {}", slot.name,
            view.data, place.offset, name(view.type));
    require(extent(view) <= place.left, "{}: a view of shape {} reaches {} bytes from its start, its allocation {}",
            slot.name, view.shape.text(), extent(view), place.left);
    offset = place.offset / size;
  }
  uint64_t handle = 0;
  static_assert(sizeof(cl_mem) == sizeof handle);
  std::memcpy(&handle, &place.memory, sizeof handle);
  bind(slot, index++, {sizeof handle, handle, place.generation});
  bind(slot, index++, {sizeof offset, offset, 0});
}

/// For drivers that compile when a kernel runs: nothing is put behind the first run of a form.
void CommandQueue::finish_compiling(Slot& slot, const Grid& grid) {
  size_t widest = 0;
  for (int i = 0; i < 3; ++i) widest = std::max(widest, grid.groups[i] * grid.local[i]);
  const std::array<size_t, 4> form{grid.local[0], grid.local[1], grid.local[2], widest > 65535};
  if (std::find(slot.compiled.begin(), slot.compiled.end(), form) != slot.compiled.end()) return;
  check_now(calls_.clFinish(queue_.get()), "clFinish");
  slot.compiled.push_back(form);
}

void CommandQueue::launch(const KernelId& id, const Grid& grid, std::span<const Argument> arguments) {
  device_.check_usable();
  std::unique_lock hold(lock_);
  auto& slot = this->slot(id, hold);
  check_grid(slot, grid);
  cl_uint index = 0;
  for (const auto& argument : arguments)
    std::visit(
        [&](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, View>) {
            bind(slot, index, value);
          } else {
            Bound bound{sizeof value};
            std::memcpy(&bound.bits, &value, sizeof value);
            bind(slot, index++, bound);
          }
        },
        argument);
  if (index != slot.bound.size())
    fail(Code::internal, "{}: takes {} arguments, got {}", slot.name, slot.bound.size(), index);

  const size_t items[3]{grid.groups[0] * grid.local[0], grid.groups[1] * grid.local[1], grid.groups[2] * grid.local[2]};
  cl_uint rank = items[2] > 1 ? 3 : items[1] > 1 ? 2 : 1;
  cl_event raw = nullptr;
  cl_int code = calls_.clEnqueueNDRangeKernel(queue_.get(), slot.kernel.get(), rank, nullptr, items, grid.local.data(),
                                              0, nullptr, logs_launches() ? &raw : nullptr);
  ClEvent event(raw);
  if (code != CL_SUCCESS) check_now(code, slot.name.c_str());
  if (device_.habits().compiles_when_run) finish_compiling(slot, grid);
  // A driver may hold commands back until it is asked for results.
  if (++unflushed_ % flush_every == 0) check_now(calls_.clFlush(queue_.get()), "clFlush");
  if (event) log_launch(slot.file, slot.name, grid, std::move(event));
}

}  // namespace ocldnn
