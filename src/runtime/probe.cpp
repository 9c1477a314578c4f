#include <cstdlib>
#include <string_view>

#include "runtime/environment.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

/// A kernel that leaves 1 in ok[0] where the feature works.
struct Probe {
  std::string_view name;
  const char* source;
  size_t items = 1;
  size_t bytes = 64;       // of the buffer
  bool needs_ptx = false;  // other compilers may end the process on it
};

constexpr const char* fp64_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void probe(global int *ok, float one) {
  double third = (double)one / 3;
  ok[0] = fabs(third * 3 - 1) < 1e-15 && fabs(third - 0.33333333333333331) < 1e-16;
})";

constexpr const char* fp16_source = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void probe(global int *ok, float one) {
  half x = (half)one + (half)0.0009765625f, y = x * x;
  ok[0] = (float)x == 1.0009765625f && (float)y == 1.001953125f;
})";

constexpr const char* int64_atomics_source = R"(
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void probe(global int *ok, float one) {
  volatile global long *total = (volatile global long *)ok + 1;
  *total = (long)one << 40;
  long before = atom_add(total, (long)1);
  ok[0] = before == ((long)1 << 40) && *total == before + 1;
})";

constexpr const char* plain_source = "kernel void probe(global int *ok, float one) { ok[0] = (int)one; }";

constexpr const char* mma_sync_source = R"(
kernel void probe(global int *ok, float one) {
  uint a = as_uint(one);
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a), "r"(a), "r"(a), "r"(a), "r"(a), "r"(a));
  if (get_global_id(0) == 0) ok[0] = c0 == 8 && c1 == 8 && c2 == 8 && c3 == 8;
})";

// 96 KiB, each item writing what another reads.
constexpr const char* large_local_source = R"(
kernel void probe(global int *ok, float one) {
  local int block[24576];
  int item = get_local_id(0), n = get_local_size(0), good = 1;
  for (int i = item; i < 24576; i += n) block[i] = i * (int)one;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = n - 1 - item; i < 24576; i += n) good &= block[i] == i;
  barrier(CLK_LOCAL_MEM_FENCE);
  block[item] = good;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    for (int i = 1; i < n; i++) good &= block[i];
    ok[0] = good;
  }
})";

// Bytes 2^32 apart must be two bytes.
constexpr const char* large_buffers_source = R"(
kernel void probe(global int *ok, float one) {
  global int *far = ok + ((long)1 << 30) + (long)one;
  ok[1] = 3;
  *far = 5;
  ok[0] = ok[1] == 3 && *far == 5;
})";

constexpr Probe probes[feature_count]{
    {"fp64", fp64_source},
    {"fp16", fp16_source},
    {"int64 atomics", int64_atomics_source},
    {"PTX", plain_source},
    {"mma.sync", mma_sync_source, 32, 64, true},
    {"large local memory", large_local_source, 64, 64, true},
    {"large buffers", large_buffers_source, 1, (size_t{4} << 30) + 4096},
};

bool binary_is_ptx(cl_program program) {
  const auto& calls = driver(program);
  size_t size = 0;
  if (calls.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS) return false;
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  return size && calls.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) == CL_SUCCESS &&
         binary.find(".target sm_") != std::string::npos;
}

bool run(OpenclDevice& device, Feature feature, const Probe& probe) {
  const auto& calls = device.calls();
  auto* id = device.id();
  cl_int code = CL_SUCCESS;
  auto good = [&] { return code == CL_SUCCESS; };
  ClQueue queue(calls.clCreateCommandQueue(device.context(), id, 0, &code));
  check(code, "clCreateCommandQueue");
  ClMemory memory(calls.clCreateBuffer(device.context(), CL_MEM_READ_WRITE, probe.bytes, nullptr, &code));
  auto* buffer = memory.get();
  const cl_int zeros[4]{};
  if (good())
    code = calls.clEnqueueWriteBuffer(queue.get(), buffer, CL_TRUE, 0, sizeof zeros, zeros, 0, nullptr, nullptr);
  auto* source = probe.source;
  ClProgram program;
  if (good()) program.reset(calls.clCreateProgramWithSource(device.context(), 1, &source, nullptr, &code));
  if (good()) code = calls.clBuildProgram(program.get(), 1, &id, "", nullptr, nullptr);
  ClKernel kernel;
  if (good()) kernel.reset(calls.clCreateKernel(program.get(), "probe", &code));
  const float one = 1;
  if (good()) code = calls.clSetKernelArg(kernel.get(), 0, sizeof buffer, &buffer);
  if (good()) code = calls.clSetKernelArg(kernel.get(), 1, sizeof one, &one);
  if (good())
    code = calls.clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &probe.items, &probe.items, 0, nullptr,
                                        nullptr);
  cl_int answer = 0;
  if (good())
    code = calls.clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, sizeof answer, &answer, 0, nullptr, nullptr);
  return good() && answer == 1 && (feature != Feature::ptx || binary_is_ptx(program.get()));
}

}  // namespace

bool probe(OpenclDevice& device, Feature feature) {
  const auto& probe = probes[static_cast<size_t>(feature)];
  auto without = ',' + environment_value(environment::without) + ',';
  if (without.find(fmt::format(",{},", probe.name)) != std::string::npos) return false;
  if (probe.needs_ptx && !device.supports(Feature::ptx)) return false;
  FileCache answers("probes", 4 << 20);
  auto name = digest(fmt::format("{}\n{}\n{}", device.identity(), probe.name, probe.source));
  auto alone = answers.lock(name);
  auto known = answers.get(name).value_or("");
  if (known == "yes" || known == "no") return known == "yes";
  // The mark of a probe that ended its process is still there. One that runs in another process, which holds the lock
  // for too long, says nothing yet.
  if (known.starts_with("running ") && !system::is_process(std::atoi(known.c_str() + 8))) {
    log(Level::warning, "{}: asking for {} ended a process before; taken for no", device.info().name, probe.name);
    answers.put(name, "no");
    return false;
  }
  answers.put(name, fmt::format("running {}", system::process()));
  bool works = false;
  try {
    works = run(device, feature, probe);
  } catch (...) {
    answers.remove(name);
    throw;
  }
  answers.put(name, works ? "yes" : "no");
  log(Level::info, "{}: {} {}", device.info().name, probe.name, works ? "works" : "does not work");
  return works;
}

}  // namespace ocldnn
