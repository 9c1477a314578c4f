// Another plug-in, for test_loader.py: one device of type TYPE, whose memory is the host's and whose streams do all at
// once.

#include <stdlib.h>
#include <string.h>

#include "tensorflow/c/experimental/stream_executor/stream_executor.h"

static void nothing(void) {}
#define NOTHING(member) ((__typeof__(member))nothing)

static void* host_allocate(const SP_Device* device, uint64_t bytes) {
  return aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
}
static void host_free(const SP_Device* device, void* memory) { free(memory); }
static void allocate(const SP_Device* device, uint64_t bytes, int64_t space, SP_DeviceMemoryBase* memory) {
  memory->opaque = host_allocate(device, bytes);
  memory->size = bytes;
}
static void deallocate(const SP_Device* device, SP_DeviceMemoryBase* memory) { free(memory->opaque); }
static TF_Bool no_stats(const SP_Device* device, SP_AllocatorStats* stats) { return 0; }
static TF_Bool usage(const SP_Device* device, int64_t* free, int64_t* total) {
  *free = *total = 1 << 28;
  return 1;
}

static void create_stream(const SP_Device* device, SP_Stream* stream, TF_Status* status) { *stream = malloc(1); }
static void destroy_stream(const SP_Device* device, SP_Stream stream) { free(stream); }
static void create_event(const SP_Device* device, SP_Event* event, TF_Status* status) { *event = malloc(1); }
static void destroy_event(const SP_Device* device, SP_Event event) { free(event); }
static SE_EventStatus event_status(const SP_Device* device, SP_Event event) { return SE_EVENT_COMPLETE; }
static TF_Bool host_callback(const SP_Device* device, SP_Stream stream, SE_StatusCallbackFn call, void* argument) {
  return 0;
}

static void to_host(const SP_Device* d, SP_Stream s, void* to, const SP_DeviceMemoryBase* from, uint64_t bytes,
                    TF_Status* status) {
  memcpy(to, from->opaque, bytes);
}
static void to_device(const SP_Device* d, SP_Stream s, SP_DeviceMemoryBase* to, const void* from, uint64_t bytes,
                      TF_Status* status) {
  memcpy(to->opaque, from, bytes);
}
static void to_host_now(const SP_Device* d, void* to, const SP_DeviceMemoryBase* from, uint64_t bytes,
                        TF_Status* status) {
  memcpy(to, from->opaque, bytes);
}
static void to_device_now(const SP_Device* d, SP_DeviceMemoryBase* to, const void* from, uint64_t bytes,
                          TF_Status* status) {
  memcpy(to->opaque, from, bytes);
}

static void create_executor(const SP_Platform* platform, SE_CreateStreamExecutorParams* params, TF_Status* status) {
  SP_StreamExecutor* e = params->stream_executor;
  e->allocate = allocate;
  e->deallocate = deallocate;
  e->host_memory_allocate = host_allocate;
  e->host_memory_deallocate = host_free;
  e->get_allocator_stats = no_stats;
  e->device_memory_usage = usage;
  e->create_stream = create_stream;
  e->destroy_stream = destroy_stream;
  e->create_stream_dependency = NOTHING(e->create_stream_dependency);
  e->get_stream_status = NOTHING(e->get_stream_status);
  e->create_event = create_event;
  e->destroy_event = destroy_event;
  e->get_event_status = event_status;
  e->record_event = NOTHING(e->record_event);
  e->wait_for_event = NOTHING(e->wait_for_event);
  e->create_timer = NOTHING(e->create_timer);
  e->destroy_timer = NOTHING(e->destroy_timer);
  e->start_timer = NOTHING(e->start_timer);
  e->stop_timer = NOTHING(e->stop_timer);
  e->memcpy_htod = to_device;
  e->memcpy_dtoh = to_host;
  e->memcpy_dtod = NOTHING(e->memcpy_dtod);
  e->sync_memcpy_htod = to_device_now;
  e->sync_memcpy_dtoh = to_host_now;
  e->sync_memcpy_dtod = NOTHING(e->sync_memcpy_dtod);
  e->block_host_for_event = NOTHING(e->block_host_for_event);
  e->block_host_until_done = NOTHING(e->block_host_until_done);
  e->synchronize_all_activity = NOTHING(e->synchronize_all_activity);
  e->mem_zero = NOTHING(e->mem_zero);
  e->memset = NOTHING(e->memset);
  e->memset32 = NOTHING(e->memset32);
  e->host_callback = host_callback;
}

static void device_count(const SP_Platform* platform, int* count, TF_Status* status) { *count = 1; }
static void create_device(const SP_Platform* platform, SE_CreateDeviceParams* params, TF_Status* status) {
  params->device->ordinal = params->ordinal;
  params->device->hardware_name = params->device->device_vendor = params->device->pci_bus_id = "beside";
}
static uint64_t no_time(SP_Timer timer) { return 0; }
static void timer_fns(const SP_Platform* platform, SP_TimerFns* fns, TF_Status* status) { fns->nanoseconds = no_time; }
static int32_t no_node(const SP_Device* device) { return -1; }
static int64_t no_bandwidth(const SP_Device* device) { return -1; }
static double no_gflops(const SP_Device* device) { return -1; }
static void device_fns(const SP_Platform* platform, SE_CreateDeviceFnsParams* params, TF_Status* status) {
  params->device_fns->get_numa_node = no_node;
  params->device_fns->get_memory_bandwidth = no_bandwidth;
  params->device_fns->get_gflops = no_gflops;
}

void SE_InitPlugin(SE_PlatformRegistrationParams* params, TF_Status* status) {
  params->major_version = SE_MAJOR;
  params->minor_version = SE_MINOR;
  params->patch_version = SE_PATCH;
  params->destroy_platform = NOTHING(params->destroy_platform);
  params->destroy_platform_fns = NOTHING(params->destroy_platform_fns);
  params->platform->name = params->platform->type = TYPE;
  params->platform->use_bfc_allocator = 1;
  SP_PlatformFns* fns = params->platform_fns;
  fns->get_device_count = device_count;
  fns->create_device = create_device;
  fns->destroy_device = NOTHING(fns->destroy_device);
  fns->create_device_fns = device_fns;
  fns->destroy_device_fns = NOTHING(fns->destroy_device_fns);
  fns->create_stream_executor = create_executor;
  fns->destroy_stream_executor = NOTHING(fns->destroy_stream_executor);
  fns->create_timer_fns = timer_fns;
  fns->destroy_timer_fns = NOTHING(fns->destroy_timer_fns);
}
