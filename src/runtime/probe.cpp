#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"

namespace ocldnn {
namespace {

/// A kernel that writes 1 where the feature works; built with nothing but what it says itself.
struct Probe {
  const char* name;
  const char* source;
};
constexpr Probe probes[]{{"fp64", R"(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void probe(global int *ok, float one) {
  double third = (double)one / 3;
  ok[0] = fabs(third * 3 - 1) < 1e-15 && fabs(third - 0.33333333333333331) < 1e-16;
})"},
                         {"fp16", R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void probe(global int *ok, float one) {
  half x = (half)one + (half)0.0009765625f, y = x * x;
  ok[0] = (float)x == 1.0009765625f && (float)y == 1.001953125f;
})"},
                         {"int64 atomics", R"(
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void probe(global int *ok, float one) {
  volatile global long *total = (volatile global long *)ok + 1;
  *total = (long)one << 40;
  long before = atom_add(total, (long)1);
  ok[0] = before == ((long)1 << 40) && *total == before + 1;
})"},
                         {"mma.sync", R"(
kernel void probe(global int *ok, float one) {
  uint a = as_uint(one), b = as_uint(one);
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a), "r"(a), "r"(a), "r"(a), "r"(b), "r"(b));
  if (get_global_id(0) == 0) ok[0] = c0 == 8 && c1 == 8 && c2 == 8 && c3 == 8;
})"}};

}  // namespace

bool probe(OpenclDevice& device, Feature feature) {
  const auto& [name, source] = probes[static_cast<int>(feature)];
  const auto& calls = device.calls();
  auto* id = device.id();
  cl_int code = CL_SUCCESS;
  auto good = [&] { return code == CL_SUCCESS; };
  cl_int answer[4]{};
  ClQueue queue(calls.clCreateCommandQueue(device.context(), id, 0, &code));
  check(code, "clCreateCommandQueue");
  ClMemory memory(
      calls.clCreateBuffer(device.context(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof answer, answer, &code));
  check(code, "clCreateBuffer");
  ClProgram program(
      calls.clCreateProgramWithSource(device.context(), 1, const_cast<const char**>(&source), nullptr, &code));
  if (good()) code = calls.clBuildProgram(program.get(), 1, &id, "", nullptr, nullptr);
  ClKernel kernel;
  if (good()) kernel.reset(calls.clCreateKernel(program.get(), "probe", &code));
  auto* buffer = memory.get();
  const float one = 1;
  if (good()) code = calls.clSetKernelArg(kernel.get(), 0, sizeof(cl_mem), &buffer);
  if (good()) code = calls.clSetKernelArg(kernel.get(), 1, sizeof one, &one);
  const size_t items = feature == Feature::mma_sync ? 32 : 1;
  if (good())
    code = calls.clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &items, &items, 0, nullptr, nullptr);
  if (good())
    code = calls.clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, sizeof answer, answer, 0, nullptr, nullptr);
  bool works = good() && answer[0] == 1;
  log(Level::info, "{}: {} {}", device.info().name, name, works ? "works" : "does not work");
  return works;
}

}  // namespace ocldnn
