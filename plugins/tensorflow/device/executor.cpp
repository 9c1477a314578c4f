// The callbacks of TensorFlow's StreamExecutor over ocldnn::Device and ocldnn::Queue. What TensorFlow does with each
// was read in its source; where a failure would abort the process (an event's status, a recording), nothing fails here:
// the queue keeps the failure and the next copy to the host or kernel reports it.

#include <cstdlib>
#include <mutex>
#include <string>

#include "api/status.hpp"
#include "device/platform.hpp"
#include "device/stream.hpp"
#include "ocldnn/log.hpp"

namespace ocldnn::tf {
namespace {

Device& device_of(const SP_Device* device) { return *static_cast<Device*>(device->device_handle); }

// For callbacks without a status.
template <class Body>
void guard_log(const char* what, Body&& body) noexcept {
  guard([&](TF_Code, const char* text) { log(Level::error, fmt::format("{}: {}", what, text)); }, body);
}

// Copies and fills of nothing come with any address.
template <class Body>
void guard_bytes(uint64_t bytes, TF_Status* status, Body&& body) noexcept {
  guard_status(status, [&] {
    if (bytes > 0) body();
  });
}

// TensorFlow's allocator asks again and again, for less each time, and hides the reason: that is told once.
void tell_why_no_memory(TF_Code code, uint64_t bytes, const std::string& why) {
  static std::mutex lock;
  static auto& told = *new std::string;
  log(Level::info, fmt::format("allocation of {} bytes: {}", bytes, why));
  if (code == TF_RESOURCE_EXHAUSTED) return;
  std::lock_guard hold(lock);
  if (told != why) log(Level::error, "no memory: " + why);
  told = why;
}

// A null address makes TensorFlow's allocator try a region smaller by a tenth, rounded up to 256 bytes: from this size
// on the same again, for ever. What is as small as that is an address whose memory is found when it is used.
constexpr uint64_t never_refused = 2304;

// Memory. Null is no error yet: TensorFlow tries less.
void allocate(const SP_Device* device, uint64_t bytes, int64_t, SP_DeviceMemoryBase* memory) {
  memory->opaque = nullptr;
  memory->size = 0;
  auto refused = [&](TF_Code code, const char* why) { tell_why_no_memory(code, bytes, why); };
  guard(refused, [&] { memory->opaque = device_of(device).allocate(bytes); });
  if (!memory->opaque && bytes <= never_refused)
    guard(refused, [&] { memory->opaque = device_of(device).reserve(bytes); });
  if (memory->opaque) memory->size = bytes;
}

void deallocate(const SP_Device* device, SP_DeviceMemoryBase* memory) {
  guard_log("deallocate", [&] {
    if (memory->opaque) device_of(device).deallocate(memory->opaque);
    memory->opaque = nullptr;
    memory->size = 0;
  });
}

// Regions that TensorFlow's allocator for host memory cuts up. From 2.22 on it aborts if one is not aligned to 256
// bytes.
void* host_allocate(const SP_Device*, uint64_t bytes) { return std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096); }
void host_deallocate(const SP_Device*, void* memory) { std::free(memory); }
void* unified_allocate(const SP_Device*, uint64_t) { return nullptr; }
void unified_deallocate(const SP_Device*, void*) {}
TF_Bool allocator_stats(const SP_Device*, SP_AllocatorStats*) { return 0; }  // TensorFlow's own allocator counts

TF_Bool memory_usage(const SP_Device* device, int64_t* free, int64_t* total) {
  TF_Bool known = 0;
  guard_log("device_memory_usage", [&] {
    auto use = device_of(device).memory();
    *free = use.free;
    *total = use.total;
    known = 1;
  });
  return known;
}

// Streams.
void create_stream(const SP_Device* device, SP_Stream* stream, TF_Status* status) {
  guard_status(status, [&] { *stream = new SP_Stream_st(device_of(device)); });
}

void destroy_stream(const SP_Device*, SP_Stream stream) {
  guard_log("destroy_stream", [&] { delete stream; });
}

void depend(const SP_Device*, SP_Stream dependent, SP_Stream other, TF_Status* status) {
  guard_status(status, [&] {
    if (auto* awaited = other->made()) dependent->queue().wait_for(*awaited);
  });
}

void finish(SP_Stream stream) {
  if (auto* queue = stream->made()) queue->finish();
}

void stream_status(const SP_Device*, SP_Stream, TF_Status* status) { tf.SetStatus(status, TF_OK, ""); }

// Events.
void create_event(const SP_Device*, SP_Event* event, TF_Status* status) {
  guard_status(status, [&] { *event = new SP_Event_st; });
}

void destroy_event(const SP_Device*, SP_Event event) {
  guard_log("destroy_event", [&] { delete event; });
}

SE_EventStatus event_status(const SP_Device*, SP_Event event) {
  auto recorded = event->get();
  return !recorded || recorded->complete() ? SE_EVENT_COMPLETE : SE_EVENT_PENDING;
}

// After a failure that TensorFlow would not survive the queue is drained, so that the event may count as complete.
void record_event(const SP_Device*, SP_Stream stream, SP_Event event, TF_Status* status) {
  tf.SetStatus(status, TF_OK, "");
  guard(
      [&](TF_Code, const char* text) {
        log(Level::error, fmt::format("record_event: {}", text));
        guard_log("record_event", [&] { finish(stream); });
        event->set(nullptr);
      },
      [&] {
        auto* queue = stream->made();
        event->set(queue ? queue->record() : nullptr);
      });
}

void wait_for_event(const SP_Device* const, SP_Stream stream, SP_Event event, TF_Status* const status) {
  guard_status(status, [&] {
    if (auto recorded = event->get()) stream->queue().wait_for(*recorded);
  });
}

void block_for_event(const SP_Device*, SP_Event event, TF_Status* status) {
  guard_status(status, [&] {
    if (auto recorded = event->get()) recorded->wait();
  });
}

void block_until_done(const SP_Device*, SP_Stream stream, TF_Status* status) {
  guard_status(status, [&] { finish(stream); });
}

void synchronize_all(const SP_Device* device, TF_Status* status) {
  guard_status(status, [&] { device_of(device).finish(); });
}

// Only TensorFlow before 2.21 asks for timers.
void create_timer(const SP_Device*, SP_Timer* timer, TF_Status* status) {
  guard_status(status, [&] { *timer = new SP_Timer_st; });
}

void destroy_timer(const SP_Device*, SP_Timer timer) { delete timer; }

void start_timer(const SP_Device*, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  guard_status(status, [&] {
    finish(stream);
    timer->start = std::chrono::steady_clock::now();
  });
}

void stop_timer(const SP_Device*, SP_Stream stream, SP_Timer timer, TF_Status* status) {
  guard_status(status, [&] {
    finish(stream);
    timer->stop = std::chrono::steady_clock::now();
  });
}

// Copies. TensorFlow goes by the type: it takes int32 for host memory, as an argument of a function too, and then calls
// for a copy between host and device with two addresses of devices. Read in host memory, such an address ends the
// process.
bool is_device_memory(const void* address) { return ocldnn::device_of(address) != nullptr; }

void copy_between(Queue& queue, void* to, const void* from, uint64_t bytes) {
  // Of another device's work TensorFlow has waited for nothing, since it knows of none.
  if (auto* source = ocldnn::device_of(from); source && source != &queue.device()) source->finish();
  queue.copy(to, from, bytes);
}

void copy_to_host(const SP_Device*, SP_Stream stream, void* to, const SP_DeviceMemoryBase* from, uint64_t bytes,
                  TF_Status* status) {
  guard_bytes(bytes, status, [&] {
    if (!is_device_memory(to)) return stream->queue().read(to, from->opaque, bytes);
    copy_between(stream->queue(), to, from->opaque, bytes);
    stream->queue().finish();
  });
}

// TensorFlow leaves the source alone until an event after the copy is complete.
void copy_to_device(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to, const void* from, uint64_t bytes,
                    TF_Status* status) {
  guard_bytes(bytes, status, [&] {
    if (!is_device_memory(from)) return stream->queue().write_async(to->opaque, from, bytes);
    copy_between(stream->queue(), to->opaque, from, bytes);
  });
}

// Also called with an address of another device of ours; the queue finds the owners itself.
void copy_on_device(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* to, const SP_DeviceMemoryBase* from,
                    uint64_t bytes, TF_Status* status) {
  guard_bytes(bytes, status, [&] { stream->queue().copy(to->opaque, from->opaque, bytes); });
}

void copy_to_host_now(const SP_Device* device, void* to, const SP_DeviceMemoryBase* from, uint64_t bytes,
                      TF_Status* status) {
  guard_bytes(bytes, status, [&] {
    auto queue = device_of(device).make_queue();
    if (!is_device_memory(to)) return queue->read(to, from->opaque, bytes);
    copy_between(*queue, to, from->opaque, bytes);
    queue->finish();
  });
}

void copy_to_device_now(const SP_Device* device, SP_DeviceMemoryBase* to, const void* from, uint64_t bytes,
                        TF_Status* status) {
  guard_bytes(bytes, status, [&] {
    auto queue = device_of(device).make_queue();
    if (is_device_memory(from)) copy_between(*queue, to->opaque, from, bytes);
    else queue->write(to->opaque, from, bytes);
    queue->finish();
  });
}

void copy_on_device_now(const SP_Device* device, SP_DeviceMemoryBase* to, const SP_DeviceMemoryBase* from,
                        uint64_t bytes, TF_Status* status) {
  guard_bytes(bytes, status, [&] {
    auto queue = device_of(device).make_queue();
    queue->copy(to->opaque, from->opaque, bytes);
    queue->finish();
  });
}

template <class T>
void fill(SP_Stream stream, SP_DeviceMemoryBase* memory, T pattern, uint64_t bytes, TF_Status* status) {
  guard_bytes(bytes, status, [&] { stream->queue().fill(memory->opaque, &pattern, sizeof pattern, bytes); });
}

void fill_zero(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* memory, uint64_t bytes, TF_Status* status) {
  fill(stream, memory, uint8_t{0}, bytes, status);
}

void fill_8(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* memory, uint8_t pattern, uint64_t bytes,
            TF_Status* status) {
  fill(stream, memory, pattern, bytes, status);
}

void fill_32(const SP_Device*, SP_Stream stream, SP_DeviceMemoryBase* memory, uint32_t pattern, uint64_t bytes,
             TF_Status* status) {
  fill(stream, memory, pattern, bytes, status);
}

// To be run once, after all earlier work of the stream and before all later work: so the caller waits.
TF_Bool host_callback(const SP_Device*, SP_Stream stream, SE_StatusCallbackFn call, void* argument) {
  auto* status = tf.NewStatus();
  guard_status(status, [&] { finish(stream); });
  call(argument, status);
  tf.DeleteStatus(status);
  return 1;
}

}  // namespace

// Member by member, and none beyond host_callback: TensorFlow's struct may be older or newer than the header.
void fill_executor(SP_StreamExecutor* executor) {
  executor->allocate = allocate;
  executor->deallocate = deallocate;
  executor->host_memory_allocate = host_allocate;
  executor->host_memory_deallocate = host_deallocate;
  executor->unified_memory_allocate = unified_allocate;
  executor->unified_memory_deallocate = unified_deallocate;
  executor->get_allocator_stats = allocator_stats;
  executor->device_memory_usage = memory_usage;
  executor->create_stream = create_stream;
  executor->destroy_stream = destroy_stream;
  executor->create_stream_dependency = depend;
  executor->get_stream_status = stream_status;
  executor->create_event = create_event;
  executor->destroy_event = destroy_event;
  executor->get_event_status = event_status;
  executor->record_event = record_event;
  executor->wait_for_event = wait_for_event;
  executor->create_timer = create_timer;
  executor->destroy_timer = destroy_timer;
  executor->start_timer = start_timer;
  executor->stop_timer = stop_timer;
  executor->memcpy_dtoh = copy_to_host;
  executor->memcpy_htod = copy_to_device;
  executor->memcpy_dtod = copy_on_device;
  executor->sync_memcpy_dtoh = copy_to_host_now;
  executor->sync_memcpy_htod = copy_to_device_now;
  executor->sync_memcpy_dtod = copy_on_device_now;
  executor->block_host_for_event = block_for_event;
  executor->block_host_until_done = block_until_done;
  executor->synchronize_all_activity = synchronize_all;
  executor->mem_zero = fill_zero;
  executor->memset = fill_8;
  executor->memset32 = fill_32;
  executor->host_callback = host_callback;
}

}  // namespace ocldnn::tf
