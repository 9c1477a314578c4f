// An OpenCL driver that computes nothing and fails on demand, for what no real driver does when it is asked to: lost
// devices, late failures, exhausted memory, old versions. FAKE_OPENCL_DEVICES lists its devices as kind/name/version,
// separated by semicolons; FAKE_OPENCL is one thing that it does wrong all the time (is_broken() below has them), and
// control.hpp what it does wrong when a test says so.

#include <CL/cl_icd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "control.hpp"

namespace {

FakeControl control;
extern cl_icd_dispatch calls;

/// What every object has; the driver's functions come first, as cl_khr_icd wants them.
struct Object {
  cl_icd_dispatch* dispatch = &calls;
  std::atomic<int> references{1};
  Object() { control.live_objects++; }
  ~Object() { control.live_objects--; }
};

}  // namespace

struct _cl_platform_id : Object {};
struct _cl_device_id : Object {
  cl_device_type type = CL_DEVICE_TYPE_GPU;
  std::string name, version;
};
struct _cl_context : Object {};
struct _cl_command_queue : Object {};
struct _cl_mem : Object {
  std::vector<char> bytes;
};
struct _cl_program : Object {
  std::string source;
};
struct _cl_kernel : Object {
  cl_uint arguments = 0;
  bool adds = false;  // the kernel of the trial, the only one that is computed
  cl_mem memory = nullptr;
};
struct _cl_event : Object {
  cl_int status = CL_COMPLETE;
};

namespace {

cl_int take(std::atomic<int>& code) { return code.exchange(0); }
cl_int queue_state() { return control.lost ? CL_OUT_OF_RESOURCES : CL_SUCCESS; }

cl_int answer(const void* value, size_t bytes, size_t size, void* to, size_t* needed) {
  if (needed) *needed = bytes;
  if (to && size < bytes) return CL_INVALID_VALUE;
  if (to) std::memcpy(to, value, bytes);
  return CL_SUCCESS;
}
template <class Value>
cl_int answer_value(Value value, size_t size, void* to, size_t* needed) {
  return answer(&value, sizeof value, size, to, needed);
}
cl_int answer_text(const std::string& text, size_t size, void* to, size_t* needed) {
  return answer(text.c_str(), text.size() + 1, size, to, needed);
}

template <class Handle>
cl_int retain(Handle object) {
  object->references++;
  return CL_SUCCESS;
}
template <class Handle>
cl_int release(Handle object) {
  if (--object->references == 0) delete object;
  return CL_SUCCESS;
}

std::vector<cl_device_id>& devices() {
  // Never destroyed, as a real driver's devices.
  static auto& list = *new auto([] {
    std::vector<cl_device_id> made;
    const char* text = std::getenv("FAKE_OPENCL_DEVICES");
    std::istringstream entries(text ? text : "gpu/Fake GPU/OpenCL 3.0 fake");
    for (std::string entry; std::getline(entries, entry, ';');) {
      std::istringstream parts(entry);
      std::string kind;
      auto* device = new _cl_device_id;
      std::getline(parts, kind, '/');
      std::getline(parts, device->name, '/');
      std::getline(parts, device->version, '/');
      device->type = kind == "cpu"           ? CL_DEVICE_TYPE_CPU
                     : kind == "accelerator" ? CL_DEVICE_TYPE_ACCELERATOR
                                             : CL_DEVICE_TYPE_GPU;
      made.push_back(device);
    }
    return made;
  }());
  return list;
}

/// Whether FAKE_OPENCL names this way of being broken.
bool is_broken(const char* how) {
  const char* wish = std::getenv("FAKE_OPENCL");
  return wish && std::string(wish) == how;
}

/// A library's own code runs while it is opened, before anybody has called it.
const bool opened = [] {
  if (is_broken("crash at load")) std::abort();
  if (is_broken("hang at load")) std::this_thread::sleep_for(std::chrono::hours(1));
  return true;
}();

cl_int platform_ids(cl_uint size, cl_platform_id* to, cl_uint* count) {
  static _cl_platform_id platform;
  if (is_broken("crash")) std::abort();
  if (is_broken("hang")) std::this_thread::sleep_for(std::chrono::hours(1));
  if (is_broken("exit")) std::exit(0);
  if (is_broken("platforms")) return CL_OUT_OF_HOST_MEMORY;
  if (to && size > 0) *to = &platform;
  if (count) *count = 1;
  return CL_SUCCESS;
}

cl_int platform_info(cl_platform_id, cl_platform_info, size_t size, void* to, size_t* needed) {
  return answer_text("Fake OpenCL", size, to, needed);
}

cl_int device_ids(cl_platform_id, cl_device_type, cl_uint size, cl_device_id* to, cl_uint* count) {
  auto& list = devices();
  if (is_broken("devices")) return CL_OUT_OF_RESOURCES;
  for (size_t i = 0; to && i < size && i < list.size(); i++) to[i] = list[i];
  if (count) *count = static_cast<cl_uint>(list.size());
  return list.empty() ? CL_DEVICE_NOT_FOUND : CL_SUCCESS;
}

cl_int device_info(cl_device_id device, cl_device_info what, size_t size, void* to, size_t* needed) {
  if (is_broken("answers")) return CL_INVALID_DEVICE;
  switch (what) {
    case CL_DEVICE_NAME: return answer_text(device->name, size, to, needed);
    case CL_DEVICE_VENDOR: return answer_text("Nobody", size, to, needed);
    case CL_DEVICE_VERSION: return answer_text(device->version, size, to, needed);
    case CL_DRIVER_VERSION: return answer_text("1.0", size, to, needed);
    case CL_DEVICE_TYPE: return answer_value(device->type, size, to, needed);
    case CL_DEVICE_GLOBAL_MEM_SIZE: return answer_value(cl_ulong{1} << 30, size, to, needed);
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return answer_value(cl_ulong{1} << 28, size, to, needed);
    case CL_DEVICE_LOCAL_MEM_SIZE: return answer_value(cl_ulong{32} << 10, size, to, needed);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return answer_value(size_t{256}, size, to, needed);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return answer_value(cl_uint{4}, size, to, needed);
    case CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT: return answer_value(cl_uint{4}, size, to, needed);
    case CL_DEVICE_SINGLE_FP_CONFIG:
      return answer_value(cl_device_fp_config{CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN}, size, to, needed);
    case CL_DEVICE_HOST_UNIFIED_MEMORY:
      return answer_value(cl_bool{device->type == CL_DEVICE_TYPE_CPU}, size, to, needed);
    case CL_DEVICE_COMPILER_AVAILABLE: return answer_value(cl_bool{!is_broken("no compiler")}, size, to, needed);
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE: return answer_value(cl_bool{CL_TRUE}, size, to, needed);
    default: return CL_INVALID_VALUE;
  }
}

template <class Made>
Made* made(cl_int code, cl_int* to) {
  if (to) *to = code;
  return code == CL_SUCCESS ? new Made : nullptr;
}

cl_context create_context(const cl_context_properties*, cl_uint, const cl_device_id*,
                          void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* code) {
  control.contexts++;
  return made<_cl_context>(is_broken("context") ? CL_OUT_OF_RESOURCES : take(control.context), code);
}
cl_command_queue create_queue(cl_context, cl_device_id, cl_command_queue_properties, cl_int* code) {
  return made<_cl_command_queue>(queue_state(), code);
}

cl_mem create_buffer(cl_context, cl_mem_flags flags, size_t size, void* host, cl_int* code) {
  auto* memory = made<_cl_mem>(control.full ? CL_MEM_OBJECT_ALLOCATION_FAILURE : take(control.create_buffer), code);
  if (!memory) return nullptr;
  control.buffers++;
  memory->bytes.resize(size);
  if (flags & CL_MEM_COPY_HOST_PTR) std::memcpy(memory->bytes.data(), host, size);
  return memory;
}

cl_program create_program(cl_context, cl_uint, const char** texts, const size_t*, cl_int* code) {
  auto* program = made<_cl_program>(CL_SUCCESS, code);
  program->source = texts[0];
  return program;
}
cl_program create_from_binary(cl_context, cl_uint, const cl_device_id*, const size_t* sizes,
                              const unsigned char** bytes, cl_int* status, cl_int* code) {
  std::string text(reinterpret_cast<const char*>(bytes[0]), sizes[0]);
  bool good = text.rfind("fake binary\n", 0) == 0;
  if (status) *status = good ? CL_SUCCESS : CL_INVALID_BINARY;
  auto* program = made<_cl_program>(good ? CL_SUCCESS : CL_INVALID_BINARY, code);
  if (program) program->source = text.substr(12), control.binaries++;
  return program;
}

cl_int build(cl_program, cl_uint, const cl_device_id*, const char*, void(CL_CALLBACK*)(cl_program, void*), void*) {
  if (is_broken("crash in the compiler")) std::abort();
  if (is_broken("compiler")) return CL_BUILD_PROGRAM_FAILURE;
  control.builds++;
  int now = ++control.builds_at_once;
  for (int most = control.most_builds_at_once;
       now > most && !control.most_builds_at_once.compare_exchange_weak(most, now);) {
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(control.build_milliseconds));
  control.builds_at_once--;
  return take(control.build);
}
cl_int program_info(cl_program program, cl_program_info what, size_t size, void* to, size_t* needed) {
  auto binary = "fake binary\n" + program->source;
  if (what == CL_PROGRAM_BINARY_SIZES) return answer_value(binary.size(), size, to, needed);
  if (what != CL_PROGRAM_BINARIES) return CL_INVALID_VALUE;
  std::memcpy(*static_cast<unsigned char**>(to), binary.data(), binary.size());
  return CL_SUCCESS;
}
cl_int build_info(cl_program, cl_device_id, cl_program_build_info, size_t size, void* to, size_t* needed) {
  return answer_text("the fake compiler does not like it", size, to, needed);
}

/// The parameters of a kernel as they stand in the source, with macros that stand for several of them written out.
std::string parameters(const std::string& source, size_t open) {
  auto text = source.substr(open, source.find(')', open) - open);
  for (size_t at = source.find("#define "); at != source.npos; at = source.find("#define ", at + 1)) {
    std::string name;
    std::istringstream(source.substr(at + 8, 100)) >> name;
    auto used = text.find(name);
    if (name.ends_with("PARAMETERS") && used != text.npos)
      text.replace(used, name.size(), source, at + 8 + name.size(), source.find('\n', at) - at - 8 - name.size());
  }
  return text;
}

/// The kernel takes as many arguments as its head in the source has commas, and one.
cl_kernel create_kernel(cl_program program, const char* name, cl_int* code) {
  auto at = program->source.find("void " + std::string(name) + "(");
  auto* kernel = made<_cl_kernel>(at == std::string::npos ? CL_INVALID_KERNEL_NAME : CL_SUCCESS, code);
  if (!kernel) return nullptr;
  auto list = parameters(program->source, at);
  kernel->arguments = static_cast<cl_uint>(1 + std::count(list.begin(), list.end(), ','));
  kernel->adds = std::string(name) == "trial";
  return kernel;
}
cl_int kernel_info(cl_kernel kernel, cl_kernel_info, size_t size, void* to, size_t* needed) {
  return answer_value(kernel->arguments, size, to, needed);
}
cl_int group_info(cl_kernel, cl_device_id, cl_kernel_work_group_info what, size_t size, void* to, size_t* needed) {
  const size_t any[3] = {0, 0, 0};
  if (what == CL_KERNEL_COMPILE_WORK_GROUP_SIZE) return answer(any, sizeof any, size, to, needed);
  if (what == CL_KERNEL_WORK_GROUP_SIZE) return answer_value(size_t{256}, size, to, needed);
  return answer_value(cl_ulong{0}, size, to, needed);
}
cl_int set_argument(cl_kernel kernel, cl_uint index, size_t, const void* value) {
  control.arguments++;
  if (kernel->adds) kernel->memory = *static_cast<const cl_mem*>(value);
  return index < kernel->arguments ? CL_SUCCESS : CL_INVALID_ARG_INDEX;
}

cl_event event_of(cl_int status, cl_event* to) {
  if (!to) return nullptr;
  *to = new _cl_event;
  (*to)->status = status;
  return *to;
}

cl_int enqueue_kernel(cl_command_queue, cl_kernel kernel, cl_uint, const size_t*, const size_t*, const size_t*, cl_uint,
                      const cl_event*, cl_event* event) {
  if (cl_int code = take(control.enqueue_kernel)) return code;
  control.kernels++;
  if (kernel->adds && !is_broken("arithmetic"))
    for (size_t at = 0; at < kernel->memory->bytes.size(); at += 4) kernel->memory->bytes[at] += 41;
  event_of(CL_COMPLETE, event);
  return queue_state();
}
cl_int enqueue_read(cl_command_queue, cl_mem memory, cl_bool, size_t offset, size_t size, void* to, cl_uint,
                    const cl_event*, cl_event* event) {
  std::memcpy(to, memory->bytes.data() + offset, size);
  event_of(take(control.read_status), event);
  return queue_state();
}
struct LateWrite {
  cl_mem memory;
  size_t offset;
  std::vector<char> bytes;
};
std::vector<LateWrite> late_writes;

cl_int enqueue_write(cl_command_queue, cl_mem memory, cl_bool, size_t offset, size_t size, const void* from, cl_uint,
                     const cl_event*, cl_event* event) {
  if (control.late_writes) {
    auto* first = static_cast<const char*>(from);
    late_writes.push_back({memory, offset, {first, first + size}});
  } else {
    std::memcpy(memory->bytes.data() + offset, from, size);
  }
  event_of(CL_COMPLETE, event);
  return queue_state();
}
cl_int enqueue_copy(cl_command_queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
                    cl_uint, const cl_event*, cl_event* event) {
  std::memcpy(to->bytes.data() + to_offset, from->bytes.data() + from_offset, size);
  event_of(CL_COMPLETE, event);
  return queue_state();
}
cl_int enqueue_fill(cl_command_queue, cl_mem memory, const void* pattern, size_t pattern_size, size_t offset,
                    size_t size, cl_uint, const cl_event*, cl_event* event) {
  for (size_t at = 0; at < size; at += pattern_size)
    std::memcpy(memory->bytes.data() + offset + at, pattern, pattern_size);
  event_of(CL_COMPLETE, event);
  return queue_state();
}
cl_int enqueue_marker(cl_command_queue, cl_uint, const cl_event*, cl_event* event) {
  if (cl_int code = take(control.marker)) return code;
  if (queue_state() == CL_SUCCESS) event_of(control.hold_events ? CL_QUEUED : CL_COMPLETE, event);
  return queue_state();
}
cl_int enqueue_barrier(cl_command_queue, cl_uint, const cl_event*, cl_event*) { return queue_state(); }
cl_int event_info(cl_event event, cl_event_info, size_t size, void* to, size_t* needed) {
  cl_int status = control.hold_events || event->status < 0 ? event->status : CL_COMPLETE;
  return answer_value(status, size, to, needed);
}
cl_int wait_for_events(cl_uint, const cl_event*) { return queue_state(); }
cl_int flush(cl_command_queue) { return queue_state(); }
cl_int finish(cl_command_queue) {
  for (const auto& late : late_writes)
    std::memcpy(late.memory->bytes.data() + late.offset, late.bytes.data(), late.bytes.size());
  late_writes.clear();
  cl_int code = take(control.finish);
  return code ? code : queue_state();
}

void* extension(const char* name) {
  return std::string(name) == "clIcdGetPlatformIDsKHR" ? reinterpret_cast<void*>(&platform_ids) : nullptr;
}

cl_icd_dispatch make_table() {
  cl_icd_dispatch t{};
  t.clGetPlatformInfo = platform_info;
  t.clGetDeviceIDs = device_ids;
  t.clGetDeviceInfo = device_info;
  t.clCreateContext = create_context;
  t.clReleaseContext = release<cl_context>;
  t.clCreateCommandQueue = create_queue;
  t.clReleaseCommandQueue = release<cl_command_queue>;
  t.clCreateBuffer = create_buffer;
  t.clRetainMemObject = retain<cl_mem>;
  t.clReleaseMemObject = release<cl_mem>;
  t.clCreateProgramWithSource = create_program;
  t.clCreateProgramWithBinary = create_from_binary;
  t.clReleaseProgram = release<cl_program>;
  t.clBuildProgram = build;
  t.clGetProgramInfo = program_info;
  t.clGetProgramBuildInfo = build_info;
  t.clCreateKernel = create_kernel;
  t.clReleaseKernel = release<cl_kernel>;
  t.clGetKernelInfo = kernel_info;
  t.clGetKernelWorkGroupInfo = group_info;
  t.clSetKernelArg = set_argument;
  t.clEnqueueNDRangeKernel = enqueue_kernel;
  t.clEnqueueReadBuffer = enqueue_read;
  t.clEnqueueWriteBuffer = enqueue_write;
  t.clEnqueueCopyBuffer = enqueue_copy;
  t.clEnqueueFillBuffer = enqueue_fill;
  t.clEnqueueMarkerWithWaitList = enqueue_marker;
  t.clEnqueueBarrierWithWaitList = enqueue_barrier;
  t.clGetEventInfo = event_info;
  t.clReleaseEvent = release<cl_event>;
  t.clWaitForEvents = wait_for_events;
  t.clFlush = flush;
  t.clFinish = finish;
  return t;
}
cl_icd_dispatch calls = make_table();

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))
EXPORT void* clGetExtensionFunctionAddress(const char* name) { return extension(name); }
EXPORT FakeControl* fake_control() { return &control; }

/// For tests in Python: sets the member of the control that is so called; false where there is none.
EXPORT bool fake_set(const char* member, int value) {
  const std::pair<std::string_view, std::atomic<int>*> codes[]{{"create_buffer", &control.create_buffer},
                                                               {"build", &control.build},
                                                               {"enqueue_kernel", &control.enqueue_kernel},
                                                               {"finish", &control.finish},
                                                               {"marker", &control.marker},
                                                               {"context", &control.context},
                                                               {"read_status", &control.read_status}};
  const std::pair<std::string_view, std::atomic<bool>*> states[]{
      {"full", &control.full}, {"lost", &control.lost}, {"hold_events", &control.hold_events}};
  for (const auto& [name, code] : codes)
    if (name == member) return *code = value, true;
  for (const auto& [name, state] : states)
    if (name == member) return *state = value != 0, true;
  return false;
}
