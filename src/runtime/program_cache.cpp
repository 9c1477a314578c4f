#include "runtime/program_cache.hpp"

#include <chrono>

#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"

namespace ocldnn {
namespace {

std::string build_log(cl_program program, cl_device_id device) {
  const auto& calls = driver(device);
  size_t size = 0;
  if (calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string text(size, '\0');
  if (calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr) != CL_SUCCESS) return "";
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace

cl_program ProgramCache::get(const KernelId& id) {
  std::string key(id.program_key());
  Entry* entry = nullptr;
  {
    std::lock_guard hold(lock_);
    auto& place = entries_[key];
    if (!place) place = std::make_unique<Entry>();
    entry = place.get();
  }
  std::lock_guard building(entry->lock);
  if (!entry->program && entry->failure.empty()) entry->program = build(id, entry->failure);
  if (!entry->program) throw Error(Code::internal, entry->failure);
  return entry->program.get();
}

size_t ProgramCache::count() {
  std::lock_guard hold(lock_);
  return entries_.size();
}

ClProgram ProgramCache::build(const KernelId& id, std::string& failure) {
  auto began = std::chrono::steady_clock::now();
  auto source = id.generated() + kernel_text(id.file());
  auto options = id.options();
  const char* text = source.c_str();
  cl_int code = CL_SUCCESS;
  auto* device = device_.id();
  const auto& calls = device_.calls();
  ClProgram program(calls.clCreateProgramWithSource(device_.context(), 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  code = calls.clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES) check(code, "clBuildProgram");
  if (code != CL_SUCCESS) {
    failure = fmt::format("{}: {} does not build for {} ({}): {}\noptions:{}\n{}", id.file(), id.entry(),
                          device_.info().name, device_.info().platform, code_name(code), options,
                          build_log(program.get(), device));
    return nullptr;
  }
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  log(Level::debug, "built {} ({}) in {:.0f} ms", id.file(), options, took.count());
  return program;
}

}  // namespace ocldnn
