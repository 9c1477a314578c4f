#include "runtime/program_cache.hpp"

#include <chrono>

#include "runtime/log.hpp"
#include "runtime/opencl_device.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

std::string build_log(cl_program program, cl_device_id device) {
  const auto& calls = driver(device);
  size_t size = 0;
  if (calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS) return "";
  std::string text(size, '\0');
  if (calls.clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, text.data(), nullptr) != CL_SUCCESS)
    return "";
  while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
  return text;
}

/// The device's own form of a built program; empty where it gives none away.
std::string binary_of(cl_program program) {
  const auto& calls = driver(program);
  size_t size = 0;
  if (calls.clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS) return "";
  std::string binary(size, '\0');
  auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
  if (size == 0 || calls.clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
    return "";
  return binary;
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

FileCache& ProgramCache::files() {
  std::lock_guard hold(lock_);
  if (!files_) files_.emplace("programs");
  return *files_;
}

ClProgram ProgramCache::build(const KernelId& id, std::string& failure) {
  auto source = id.generated() + '\n' + kernel_text(id.file());
  auto options = id.options();
  // Division and square root as IEEE rounds them, which OpenCL leaves to the driver: floor(6.0f / 3) must not be 1.
  if (device_value<cl_device_fp_config>(device_.id(), CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
    options += " -cl-fp32-correctly-rounded-divide-sqrt";
  options += device_.habits().build_options;
  // All that the compiled form depends on. The driver's file counts as well: not every rebuild has another version.
  auto name = digest(device_.identity() + '\n' + options + '\n' + source);
  // One process builds, and the others load. PoCL needs this, not speed alone: for a moment each build takes away what
  // another has put into PoCL's own cache, of which the binary is put together; it would lack that, and loading it
  // would end the process.
  auto alone = files().lock(name);
  if (auto binary = files().get(name)) {
    if (auto program = load(*binary, options)) return program;
    files().remove(name);
  }
  auto program = compile(id, source, options, failure);
  if (program)
    if (auto binary = binary_of(program.get()); !binary.empty()) files().put(name, binary);
  return program;
}

ClProgram ProgramCache::load(const std::string& binary, const std::string& options) {
  const auto& calls = device_.calls();
  auto* device = device_.id();
  auto* bytes = reinterpret_cast<const unsigned char*>(binary.data());
  size_t size = binary.size();
  cl_int status = CL_SUCCESS, code = CL_SUCCESS;
  ClProgram program(calls.clCreateProgramWithBinary(device_.context(), 1, &device, &size, &bytes, &status, &code));
  if (code == CL_SUCCESS) code = status;
  if (code == CL_SUCCESS) code = calls.clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS) {
    log(Level::info, "{}: a program from disk is not taken ({}) and compiled again", device_.info().name,
        code_name(code));
    return nullptr;
  }
  loaded_++;
  return program;
}

ClProgram ProgramCache::compile(const KernelId& id, const std::string& source, const std::string& options,
                                std::string& failure) {
  auto began = std::chrono::steady_clock::now();
  const char* text = source.c_str();
  cl_int code = CL_SUCCESS;
  auto* device = device_.id();
  const auto& calls = device_.calls();
  ClProgram program(calls.clCreateProgramWithSource(device_.context(), 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  code = calls.clBuildProgram(program.get(), 1, &device, options.c_str(), nullptr, nullptr);
  // These may pass; every other failure is the text's own and stays.
  if (code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES) check(code, "clBuildProgram");
  if (code != CL_SUCCESS) {
    failure =
        fmt::format("{}: {} does not build for {} ({}): {}\noptions:{}\n{}", id.file(), id.entry(), device_.info().name,
                    device_.info().platform, code_name(code), options, build_log(program.get(), device));
    return nullptr;
  }
  compiled_++;
  std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  log(Level::debug, "built {} ({}) in {:.0f} ms", id.file(), options, took.count());
  return program;
}

}  // namespace ocldnn
