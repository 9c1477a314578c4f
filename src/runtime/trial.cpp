#include "runtime/trial.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "runtime/environment.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/log.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

constexpr int patience = 60;  // seconds; a first kernel on a slow machine takes a few

Kind kind_of_type(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return Kind::gpu;
  return type & CL_DEVICE_TYPE_ACCELERATOR ? Kind::accelerator : Kind::cpu;
}

std::string reason_against(cl_device_id device, const DeviceInfo& info) {
  if (!device_value<cl_bool>(device, CL_DEVICE_AVAILABLE)) return "its driver says that it is not available";
  if (!device_value<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE)) return "its driver has no compiler";
  if (!device_value<cl_bool>(device, CL_DEVICE_ENDIAN_LITTLE)) return "it is big-endian";
  if (info.version.starts_with("OpenCL 1.0") || info.version.starts_with("OpenCL 1.1"))
    return "it has " + info.version + "; 1.2 is needed";
  return "";
}

Listed list_device(cl_platform_id platform, cl_device_id device, const std::string& library) {
  auto number = [&](cl_device_info what) { return static_cast<int64_t>(device_value<cl_ulong>(device, what)); };
  auto count = [&](cl_device_info what) { return static_cast<int>(device_value<cl_uint>(device, what)); };
  Listed listed;
  auto& info = listed.info;
  info.name = device_text(device, CL_DEVICE_NAME);
  info.vendor = device_text(device, CL_DEVICE_VENDOR);
  info.platform = platform_text(platform, CL_PLATFORM_NAME);
  info.version = device_text(device, CL_DEVICE_VERSION);
  info.driver_version = device_text(device, CL_DRIVER_VERSION);
  info.library = library;
  info.kind = kind_of_type(device_value<cl_device_type>(device, CL_DEVICE_TYPE));
  info.memory_bytes = number(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.max_allocation = number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.local_bytes = number(CL_DEVICE_LOCAL_MEM_SIZE);
  info.max_group = static_cast<int64_t>(device_value<size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  info.compute_units = count(CL_DEVICE_MAX_COMPUTE_UNITS);
  info.float_width = std::max(1, count(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
  listed.host_memory = info.kind != Kind::gpu || device_value<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY);
  listed.unusable = reason_against(device, info);
  return listed;
}

/// Throws unless the device builds a kernel and runs it to the right answer.
void run_kernel(cl_device_id device) {
  const auto& calls = driver(device);
  cl_int code = CL_SUCCESS;
  ClContext context(calls.clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code));
  check(code, "clCreateContext");
  ClQueue queue(calls.clCreateCommandQueue(context.get(), device, 0, &code));
  check(code, "clCreateCommandQueue");
  const char* text = "kernel void trial(global int *x) { x[get_global_id(0)] += 41; }";
  ClProgram program(calls.clCreateProgramWithSource(context.get(), 1, &text, nullptr, &code));
  check(code, "clCreateProgramWithSource");
  check(calls.clBuildProgram(program.get(), 1, &device, "", nullptr, nullptr),
        "a kernel does not build: clBuildProgram");
  ClKernel kernel(calls.clCreateKernel(program.get(), "trial", &code));
  check(code, "clCreateKernel");
  cl_int values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  ClMemory memory(
      calls.clCreateBuffer(context.get(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof values, values, &code));
  check(code, "clCreateBuffer");
  auto* buffer = memory.get();
  check(calls.clSetKernelArg(kernel.get(), 0, sizeof buffer, &buffer), "clSetKernelArg");
  const size_t items = std::size(values);
  check(calls.clEnqueueNDRangeKernel(queue.get(), kernel.get(), 1, nullptr, &items, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  check(calls.clEnqueueReadBuffer(queue.get(), buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  for (auto value : values)
    if (value != 42) fail(Code::device, "a kernel that adds 41 to 1 gave {}", value);
}

/// All that a verdict depends on besides the driver's file: a home folder may be shared by machines, cards come and go,
/// and drivers have variables that hide devices.
std::string circumstances() {
  std::string text = system::machine();
  for (const char* folder : {"/dev", "/dev/dri"})
    for (const auto& name : system::list_folder(folder))
      if (name.starts_with("nvidia") || name.starts_with("render") || name.starts_with("kfd")) text += '\n' + name;
  return text + '\n' +
         system::environment_with({"POCL_", "OCLGRIND_", "CL_CONFIG_", "CUDA_", "NVIDIA_", "HIP_", "ROCR_", "GPU_",
                                   "ZE_", "LD_LIBRARY_PATH"});
}

}  // namespace

std::vector<Listed> list_devices(const Opened& driver) {
  std::vector<Listed> all;
  for (size_t p = 0; p < driver.platforms.size(); p++) {
    auto devices = devices_of(driver.platforms[p]);
    for (size_t d = 0; d < devices.size(); d++) {
      all.push_back(list_device(driver.platforms[p], devices[d], driver.library));
      all.back().platform = p;
      all.back().index = d;
    }
  }
  return all;
}

Verdict try_driver(const Candidate& candidate) {
  Verdict verdict;
  try {
    int before = system::thread_count();
    auto driver = open_driver(candidate);
    verdict.devices = list_devices(driver);
    verdict.threads = system::thread_count() > before;
    for (auto& device : verdict.devices) try {
        if (device.unusable.empty()) run_kernel(devices_of(driver.platforms[device.platform])[device.index]);
      } catch (const std::exception& e) {
        device.unusable = e.what();
      }
  } catch (const std::exception& e) {
    verdict.broken = e.what();
  }
  return verdict;
}

bool Verdict::only_cpus() const {
  return std::all_of(devices.begin(), devices.end(),
                     [](const Listed& device) { return device.info.kind == Kind::cpu; });
}

std::string Verdict::text() const {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [info, host_memory, unusable, platform, index] : devices)
    list.push_back({{"name", info.name},
                    {"vendor", info.vendor},
                    {"platform", info.platform},
                    {"version", info.version},
                    {"driver", info.driver_version},
                    {"library", info.library},
                    {"kind", static_cast<int>(info.kind)},
                    {"memory", info.memory_bytes},
                    {"allocation", info.max_allocation},
                    {"local", info.local_bytes},
                    {"group", info.max_group},
                    {"units", info.compute_units},
                    {"width", info.float_width},
                    {"host_memory", host_memory},
                    {"unusable", unusable},
                    {"at", {platform, index}}});
  // Drivers name devices in whatever encoding; what is not UTF-8 is replaced, not thrown at.
  return nlohmann::json{{"broken", broken}, {"threads", threads}, {"devices", list}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<Verdict> Verdict::parse(const std::string& text) try {
  auto json = nlohmann::json::parse(text);
  Verdict verdict{json.at("broken"), json.at("threads"), {}};
  for (const auto& item : json.at("devices")) {
    Listed listed;
    auto& info = listed.info;
    info.name = item.at("name"), info.vendor = item.at("vendor"), info.platform = item.at("platform");
    info.version = item.at("version"), info.driver_version = item.at("driver"), info.library = item.at("library");
    info.kind = static_cast<Kind>(item.at("kind").get<int>());
    info.memory_bytes = item.at("memory"), info.max_allocation = item.at("allocation");
    info.local_bytes = item.at("local"), info.max_group = item.at("group");
    info.compute_units = item.at("units"), info.float_width = item.at("width");
    listed.host_memory = item.at("host_memory"), listed.unusable = item.at("unusable");
    listed.platform = item.at("at").at(0), listed.index = item.at("at").at(1);
    verdict.devices.push_back(listed);
  }
  return verdict;
} catch (const nlohmann::json::exception&) {
  return std::nullopt;
}

std::optional<Verdict> verdict_on(const Candidate& candidate) {
  auto program = environment_value(environment::trial);
  if (program.empty()) program = system::own_folder() + "/ocldnn-trial";
  if (!system::is_file(program)) return std::nullopt;
  auto path = system::real_path(candidate.path);
  FileCache verdicts("drivers", 4 << 20);
  auto name =
      digest(path + '\n' + system::file_stamp(path) + '\n' + system::file_stamp(program) + '\n' + circumstances());
  auto alone = verdicts.lock(name);
  // A broken driver may be mended from outside (a missing library, a full disk): that verdict holds for this hour.
  auto broken = fmt::format("{}-{}", name, std::time(nullptr) / 3600);
  for (const auto& file : {name, broken})
    if (auto known = verdicts.get(file))
      if (auto verdict = Verdict::parse(*known)) return verdict;
  log(Level::info, "trying {} in a process of its own", candidate.path);
  system::Outcome outcome;
  std::optional<Verdict> verdict;
  auto good = [&] {
    return outcome.ended_well && verdict && verdict->broken.empty() &&
           std::all_of(verdict->devices.begin(), verdict->devices.end(),
                       [](const Listed& device) { return device.unusable.empty(); });
  };
  // Twice: a driver may stumble over the cache that it fills for another program, one that starts at once and does not
  // share our cache folder with its lock. A broken one does so again.
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 2 && !good() && std::chrono::steady_clock::now() - start < std::chrono::seconds(patience / 2);
       ++i) {
    outcome = system::run_program({program, candidate.path}, patience);
    verdict = Verdict::parse(outcome.output);
  }
  bool remember = good();
  if (!outcome.ended_well || !verdict) {
    verdict.emplace();
    verdict->broken = fmt::format("tried in a process of its own, it {}{}{}", outcome.how,
                                  outcome.last_words.empty() ? "" : ": ", outcome.last_words);
  }
  verdicts.put(remember ? name : broken, verdict->text());
  return verdict;
}

}  // namespace ocldnn
