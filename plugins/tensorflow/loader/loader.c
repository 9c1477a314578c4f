// The file that TensorFlow opens from tensorflow-plugins/. TensorFlow treats every failure of a plug-in as fatal: a
// missing symbol makes `import tensorflow` raise, an error status aborts the process, and so does a name registered
// twice. So this library needs nothing but libc. It opens the real one from the package beside it and hands the calls
// on; where that cannot be done, or where a copy of it is at work already, it registers a platform without devices,
// which does nothing.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "tensorflow/c/experimental/grappler/grappler.h"
#include "tensorflow/c/experimental/stream_executor/stream_executor.h"

#define PUBLIC __attribute__((visibility("default")))

typedef bool (*PlatformFunction)(SE_PlatformRegistrationParams*, TF_Status*);
typedef void (*KernelsFunction)(void);
typedef bool (*GraphFunction)(TP_OptimizerRegistrationParams*, TF_Status*);

static void* library;           // the real one, or null: then nothing below does anything
static const char* inert_name;  // of the platform without devices
static bool was_loaded;         // this very file, before

// Copies of this library in one process share no memory, so what they tell each other stands in the environment: how
// many have been opened, and whether one is at work. A child process inherits it and must not be fooled: it begins with
// a mark of the process and of the program it runs (the kernel hands each program 16 random bytes; they are a secret,
// so only a hash of them is shown).
struct copies {
  int opened;
  int at_work;
};

static int mark_of_process(char* text, size_t size) {
  uint64_t hash = 14695981039346656037u;
  const unsigned char* random = (const unsigned char*)(uintptr_t)getauxval(AT_RANDOM);
  for (int i = 0; random && i < 16; ++i) hash = (hash ^ random[i]) * 1099511628211u;
  return snprintf(text, size, "%ld-%016llx:", (long)getpid(), (unsigned long long)hash);
}

static struct copies copies_so_far(void) {
  char mark[64];
  int length = mark_of_process(mark, sizeof mark);
  const char* found = getenv("OCLDNN_LOADED_IN");
  struct copies copies = {0, 0};
  if (!found || strncmp(found, mark, (size_t)length) != 0) return copies;
  const char* at_work = strchr(found, ',');
  copies.opened = atoi(found + length);
  copies.at_work = at_work ? atoi(at_work + 1) : 0;
  return copies;
}

static void tell(struct copies copies) {
  char text[96];
  int length = mark_of_process(text, sizeof text);
  snprintf(text + length, sizeof text - (size_t)length, "%d,%d", copies.opened, copies.at_work);
  setenv("OCLDNN_LOADED_IN", text, 1);
}

static const char* own_path(void) {
  Dl_info self;
  return dladdr((void*)(uintptr_t)&own_path, &self) && self.dli_fname ? self.dli_fname : "";
}

// ../tensorflow_ocldnn/libocldnn_tensorflow.so, seen from this file. Says why on stderr if it cannot be opened.
static void open_library(void) {
  const char *self = own_path(), *slash = strrchr(self, '/');
  char path[4096] = "";
  snprintf(path, sizeof path, "%.*s/../tensorflow_ocldnn/libocldnn_tensorflow.so", slash ? (int)(slash - self) : 1,
           slash ? self : ".");
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "tensorflow-ocldnn: no OpenCL device: %s\n", dlerror());
}

// What TensorFlow checks for when it registers a platform, and never calls where there is no device. One body does for
// all that return nothing.
static void nothing(void) {}
static void* no_memory(const SP_Device* device, uint64_t bytes) { return NULL; }
static TF_Bool no_usage(const SP_Device* device, int64_t* free, int64_t* total) { return 0; }
static TF_Bool no_stats(const SP_Device* device, SP_AllocatorStats* stats) { return 0; }
static SE_EventStatus no_event(const SP_Device* device, SP_Event event) { return SE_EVENT_COMPLETE; }
static TF_Bool no_callback(const SP_Device* d, SP_Stream s, SE_StatusCallbackFn call, void* argument) { return 0; }
static void no_devices(const SP_Platform* platform, int* count, TF_Status* status) { *count = 0; }
static uint64_t no_time(SP_Timer timer) { return 0; }
static void no_timer(const SP_Platform* platform, SP_TimerFns* fns, TF_Status* status) { fns->nanoseconds = no_time; }

// A pointer to nothing() as a function of the type of `member`.
#define NOTHING(member) ((__typeof__(member))(uintptr_t)nothing)

static void no_executor(const SP_Platform* platform, SE_CreateStreamExecutorParams* params, TF_Status* status) {
  SP_StreamExecutor* e = params->stream_executor;
  e->allocate = NOTHING(e->allocate);
  e->deallocate = NOTHING(e->deallocate);
  e->host_memory_allocate = no_memory;
  e->host_memory_deallocate = NOTHING(e->host_memory_deallocate);
  e->get_allocator_stats = no_stats;
  e->device_memory_usage = no_usage;
  e->create_stream = NOTHING(e->create_stream);
  e->destroy_stream = NOTHING(e->destroy_stream);
  e->create_stream_dependency = NOTHING(e->create_stream_dependency);
  e->get_stream_status = NOTHING(e->get_stream_status);
  e->create_event = NOTHING(e->create_event);
  e->destroy_event = NOTHING(e->destroy_event);
  e->get_event_status = no_event;
  e->record_event = NOTHING(e->record_event);
  e->wait_for_event = NOTHING(e->wait_for_event);
  e->create_timer = NOTHING(e->create_timer);
  e->destroy_timer = NOTHING(e->destroy_timer);
  e->start_timer = NOTHING(e->start_timer);
  e->stop_timer = NOTHING(e->stop_timer);
  e->memcpy_dtoh = NOTHING(e->memcpy_dtoh);
  e->memcpy_htod = NOTHING(e->memcpy_htod);
  e->memcpy_dtod = NOTHING(e->memcpy_dtod);
  e->sync_memcpy_dtoh = NOTHING(e->sync_memcpy_dtoh);
  e->sync_memcpy_htod = NOTHING(e->sync_memcpy_htod);
  e->sync_memcpy_dtod = NOTHING(e->sync_memcpy_dtod);
  e->block_host_for_event = NOTHING(e->block_host_for_event);
  e->synchronize_all_activity = NOTHING(e->synchronize_all_activity);
  e->mem_zero = NOTHING(e->mem_zero);
  e->memset = NOTHING(e->memset);
  e->memset32 = NOTHING(e->memset32);
  e->host_callback = no_callback;
}

// All that TensorFlow checks for, and no device.
static void register_inert_platform(SE_PlatformRegistrationParams* params) {
  params->major_version = SE_MAJOR;
  params->minor_version = SE_MINOR;
  params->patch_version = SE_PATCH;
  params->destroy_platform = NOTHING(params->destroy_platform);
  params->destroy_platform_fns = NOTHING(params->destroy_platform_fns);
  params->platform->name = inert_name;
  params->platform->type = inert_name;
  SP_PlatformFns* fns = params->platform_fns;
  fns->get_device_count = no_devices;
  fns->create_device = NOTHING(fns->create_device);
  fns->destroy_device = NOTHING(fns->destroy_device);
  fns->create_device_fns = NOTHING(fns->create_device_fns);
  fns->destroy_device_fns = NOTHING(fns->destroy_device_fns);
  fns->create_stream_executor = no_executor;
  fns->destroy_stream_executor = NOTHING(fns->destroy_stream_executor);
  fns->create_timer_fns = no_timer;
  fns->destroy_timer_fns = NOTHING(fns->destroy_timer_fns);
}

// A name that no other copy takes, never freed: TensorFlow keeps the pointer.
static void choose_inert_name(int copies) {
  static const char fallback[] = "OPENCL_COPY";
  char* name = malloc(32);
  if (name) snprintf(name, 32, "OPENCL_COPY_%c%c", 'A' + copies / 26 % 26, 'A' + copies % 26);
  inert_name = name ? name : fallback;
}

PUBLIC void SE_InitPlugin(SE_PlatformRegistrationParams* params, TF_Status* status) {
  library = NULL;
  struct copies copies = copies_so_far();
  choose_inert_name(copies.opened++);
  if (!copies.at_work) open_library();
  // Systems that name one folder twice (lib64, a link to lib) open one file twice, which nobody has to hear of.
  else if (!was_loaded)
    fprintf(stderr, "tensorflow-ocldnn: %s is left out: another copy of it is at work\n", own_path());
  was_loaded = true;
  PlatformFunction call = library ? (PlatformFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_platform") : NULL;
  bool works = call && call(params, status);
  copies.at_work |= works;
  tell(copies);
  if (works) return;
  library = NULL;
  register_inert_platform(params);
}

PUBLIC void TF_InitKernel(void) {
  KernelsFunction call = library ? (KernelsFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_kernels") : NULL;
  if (call) call();
}

PUBLIC void TF_InitGraph(TP_OptimizerRegistrationParams* params, TF_Status* status) {
  GraphFunction call = library ? (GraphFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_graph") : NULL;
  if (call && call(params, status)) return;
  params->major_version = GO_MAJOR;
  params->minor_version = GO_MINOR;
  params->patch_version = GO_PATCH;
  params->device_type = inert_name;
  params->optimizer->optimize_func = NOTHING(params->optimizer->optimize_func);
}
