#include "device/platform.hpp"

#include "api/status.hpp"
#include "device/stream.hpp"

namespace ocldnn::tf {
namespace {

Device* device_at(int ordinal) {
  auto offered = offered_devices();
  require(ordinal >= 0 && static_cast<size_t>(ordinal) < offered.size(), "there is no OpenCL device {}", ordinal);
  return offered[static_cast<size_t>(ordinal)];
}

void device_count(const SP_Platform*, int* count, TF_Status* status) {
  *count = 0;
  guard_status(status, [&] { *count = static_cast<int>(offered_devices().size()); });
}

// The strings are TensorFlow's to keep: those of a device live as long as the process.
void create_device(const SP_Platform*, SE_CreateDeviceParams* params, TF_Status* status) {
  guard_status(status, [&] {
    auto* device = device_at(params->ordinal);
    params->device->ordinal = params->ordinal;
    params->device->device_handle = device;
    params->device->hardware_name = device->info().name.c_str();
    params->device->device_vendor = device->info().vendor.c_str();
    params->device->pci_bus_id = "";
  });
}

void destroy_device(const SP_Platform*, SP_Device* device) { device->device_handle = nullptr; }

int32_t numa_node(const SP_Device*) { return -1; }
int64_t memory_bandwidth(const SP_Device*) { return -1; }
double gflops(const SP_Device*) { return -1; }

void create_device_fns(const SP_Platform*, SE_CreateDeviceFnsParams* params, TF_Status* status) {
  params->device_fns->get_numa_node = numa_node;
  params->device_fns->get_memory_bandwidth = memory_bandwidth;
  params->device_fns->get_gflops = gflops;
  tf.SetStatus(status, TF_OK, "");
}

void destroy_device_fns(const SP_Platform*, SP_DeviceFns*) {}

void create_executor(const SP_Platform*, SE_CreateStreamExecutorParams* params, TF_Status* status) {
  fill_executor(params->stream_executor);
  tf.SetStatus(status, TF_OK, "");
}

void destroy_executor(const SP_Platform*, SP_StreamExecutor*) {}

uint64_t nanoseconds(SP_Timer timer) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(timer->stop - timer->start).count());
}

void create_timer_fns(const SP_Platform*, SP_TimerFns* fns, TF_Status* status) {
  fns->nanoseconds = nanoseconds;
  tf.SetStatus(status, TF_OK, "");
}

void destroy_timer_fns(const SP_Platform*, SP_TimerFns*) {}
void destroy_platform(SP_Platform*) {}
void destroy_platform_fns(SP_PlatformFns*) {}

}  // namespace

void register_platform(SE_PlatformRegistrationParams* params) {
  params->major_version = SE_MAJOR;
  params->minor_version = SE_MINOR;
  params->patch_version = SE_PATCH;
  params->destroy_platform = destroy_platform;
  params->destroy_platform_fns = destroy_platform_fns;

  params->platform->name = device_type;
  params->platform->type = device_type;
  params->platform->supports_unified_memory = 0;
  // TensorFlow's best-fit allocator cuts tensors from regions that grow: few OpenCL buffers, and room for others.
  params->platform->use_bfc_allocator = 1;
  params->platform->force_memory_growth = 1;

  auto* fns = params->platform_fns;
  fns->get_device_count = device_count;
  fns->create_device = create_device;
  fns->destroy_device = destroy_device;
  fns->create_device_fns = create_device_fns;
  fns->destroy_device_fns = destroy_device_fns;
  fns->create_stream_executor = create_executor;
  fns->destroy_stream_executor = destroy_executor;
  fns->create_timer_fns = create_timer_fns;
  fns->destroy_timer_fns = destroy_timer_fns;
}

}  // namespace ocldnn::tf
