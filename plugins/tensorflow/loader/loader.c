// The file that TensorFlow opens from tensorflow-plugins/. TensorFlow treats every failure of a plug-in as fatal: a missing
// symbol makes `import tensorflow` raise, an error status aborts the process, and so does a name registered twice. So this
// library needs nothing but libc. It opens the real one from the package beside it and hands the calls on; where that
// cannot be done, or where a copy of it is at work already, it registers a platform without devices, which does nothing.

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

typedef void (*PlatformFunction)(SE_PlatformRegistrationParams*, TF_Status*);
typedef void (*KernelsFunction)(void);
typedef void (*GraphFunction)(TP_OptimizerRegistrationParams*, TF_Status*);

static void* library;            // the real one, or null: then nothing below does anything
static const char* inert_name;  // of the platform without devices

// Counts the copies of this library that this process has opened, this one left out. Copies share no memory, so the count
// stands in the environment. A child process inherits it and must not be fooled: the mark names the process, and the
// program it runs (the kernel hands each program 16 random bytes; they are a secret, so only a hash of them is shown).
static int copies_before(void) {
  uint64_t hash = 14695981039346656037u;
  const unsigned char* random = (const unsigned char*)(uintptr_t)getauxval(AT_RANDOM);
  for (int i = 0; random && i < 16; ++i) hash = (hash ^ random[i]) * 1099511628211u;
  char mine[64];
  int length = snprintf(mine, sizeof mine, "%ld-%016llx:", (long)getpid(), (unsigned long long)hash);
  const char* found = getenv("OCLDNN_LOADED_IN");
  int count = found && strncmp(found, mine, (size_t)length) == 0 ? atoi(found + length) : 0;
  snprintf(mine + length, sizeof mine - (size_t)length, "%d", count + 1);
  setenv("OCLDNN_LOADED_IN", mine, 1);
  return count;
}

// ../tensorflow_ocldnn/libocldnn_tensorflow.so, seen from this file. Says why on stderr if it cannot be opened.
static void open_library(void) {
  Dl_info self;
  char path[4096] = "";
  if (dladdr((void*)(uintptr_t)&open_library, &self) && self.dli_fname) {
    const char* slash = strrchr(self.dli_fname, '/');
    int folder = slash ? (int)(slash - self.dli_fname) : 0;
    snprintf(path, sizeof path, "%.*s/../tensorflow_ocldnn/libocldnn_tensorflow.so", slash ? folder : 1,
             slash ? self.dli_fname : ".");
  }
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "tensorflow-ocldnn: no OpenCL device: %s\n", dlerror());
}

static void no_devices(const SP_Platform* platform, int* count, TF_Status* status) { *count = 0; }
static void no_device(const SP_Platform* platform, SE_CreateDeviceParams* params, TF_Status* status) {}
static void no_destroy_device(const SP_Platform* platform, SP_Device* device) {}
static void no_device_fns(const SP_Platform* platform, SE_CreateDeviceFnsParams* params, TF_Status* status) {}
static void no_destroy_device_fns(const SP_Platform* platform, SP_DeviceFns* fns) {}
static void no_executor(const SP_Platform* platform, SE_CreateStreamExecutorParams* params, TF_Status* status) {}
static void no_destroy_executor(const SP_Platform* platform, SP_StreamExecutor* executor) {}
static void no_timer(const SP_Platform* platform, SP_TimerFns* fns, TF_Status* status) {}
static void no_destroy_timer(const SP_Platform* platform, SP_TimerFns* fns) {}
static void no_destroy_platform(SP_Platform* platform) {}
static void no_destroy_platform_fns(SP_PlatformFns* fns) {}
static void no_optimizer(void* optimizer, const TF_Buffer* in, const TF_GrapplerItem* item, TF_Buffer* out,
                         TF_Status* status) {}

// All that TensorFlow checks for, and no device. The name is one that no other copy takes, and is never freed:
// TensorFlow keeps the pointer.
static void register_inert_platform(SE_PlatformRegistrationParams* params, int copies) {
  char* name = malloc(32);
  if (!name) return;
  snprintf(name, 32, "OPENCL_COPY_%c%c", 'A' + copies / 26 % 26, 'A' + copies % 26);
  inert_name = name;
  params->major_version = SE_MAJOR;
  params->minor_version = SE_MINOR;
  params->patch_version = SE_PATCH;
  params->destroy_platform = no_destroy_platform;
  params->destroy_platform_fns = no_destroy_platform_fns;
  params->platform->name = inert_name;
  params->platform->type = inert_name;
  params->platform_fns->get_device_count = no_devices;
  params->platform_fns->create_device = no_device;
  params->platform_fns->destroy_device = no_destroy_device;
  params->platform_fns->create_device_fns = no_device_fns;
  params->platform_fns->destroy_device_fns = no_destroy_device_fns;
  params->platform_fns->create_stream_executor = no_executor;
  params->platform_fns->destroy_stream_executor = no_destroy_executor;
  params->platform_fns->create_timer_fns = no_timer;
  params->platform_fns->destroy_timer_fns = no_destroy_timer;
}

PUBLIC void SE_InitPlugin(SE_PlatformRegistrationParams* params, TF_Status* status) {
  library = NULL;
  int copies = copies_before();
  if (copies == 0) open_library();
  PlatformFunction call = library ? (PlatformFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_platform") : NULL;
  if (call) {
    call(params, status);
  } else {
    library = NULL;
    register_inert_platform(params, copies);
  }
}

PUBLIC void TF_InitKernel(void) {
  KernelsFunction call = library ? (KernelsFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_kernels") : NULL;
  if (call) call();
}

PUBLIC void TF_InitGraph(TP_OptimizerRegistrationParams* params, TF_Status* status) {
  GraphFunction call = library ? (GraphFunction)(uintptr_t)dlsym(library, "ocldnn_tensorflow_graph") : NULL;
  if (call) {
    call(params, status);
    return;
  }
  params->major_version = GO_MAJOR;
  params->minor_version = GO_MINOR;
  params->patch_version = GO_PATCH;
  params->device_type = inert_name;
  params->optimizer->optimize_func = no_optimizer;
}
