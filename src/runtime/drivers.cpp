#include "runtime/drivers.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "runtime/environment.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/system.hpp"
#include "runtime/text.hpp"

namespace ocldnn {
namespace {

bool ends_with(const std::string& text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// Collects candidates; an .icd file stands for the library that its first line names.
class List {
 public:
  void library(const std::string& name, const std::string& named_by) {
    auto path = system::find_library(name);
    if (seen_.insert(system::real_path(path)).second) found_.push_back({path, named_by});
  }

  void icd(const std::string& file) {
    auto path = first_line(file);
    if (!path.empty()) library(path, file);
  }

  /// OCL_ICD_VENDORS and /etc/OpenCL/vendors: a folder of .icd files, one such file, or the library itself.
  void vendors(const std::string& path) {
    if (system::is_folder(path)) {
      for (const auto& name : system::list_folder(path))
        if (ends_with(name, ".icd")) icd(path + "/" + name);
    } else if (ends_with(path, ".icd")) {
      icd(path);
    } else {
      library(path, environment::icd_vendors);
    }
  }

  /// A folder of a Python package. pip turns links into copies, so that one file a driver is enough, and leaves
  /// placeholder paths in .icd files, so that only the file name in them counts.
  void package(const std::string& folder) {
    auto names = system::list_folder(folder);
    for (std::string_view driver : {"libintelocl.so", "libintelocl_emu.so", "libpocl.so", "liboclgrind-rt-icd.so"})
      for (const auto& name : names)
        if (name.starts_with(driver) && name.find_first_not_of(".0123456789", driver.size()) == name.npos) {
          library(folder + "/" + name, folder);
          break;
        }
    for (const auto& name : names) {
      if (!ends_with(name, ".icd")) continue;
      auto beside = folder + "/" + name_of(first_line(folder + "/" + name));
      if (system::is_file(beside)) library(beside, folder + "/" + name);
    }
  }

  std::vector<Candidate> take() { return std::move(found_); }

 private:
  static std::string first_line(const std::string& file) {
    std::string line;
    std::istringstream(system::read_file(file).value_or("")) >> std::ws >> line;
    return line;
  }

  std::vector<Candidate> found_;
  std::set<std::string> seen_;
};

/// Whether the library has to prefer its own symbols. A driver that links LLVM would otherwise bind to the LLVM symbols
/// that TensorFlow offers to the whole process, of another version, and crash.
bool needs_deep_bind(const std::string& path) {
  if (system::under_sanitizer() || !system::llvm_is_visible()) return false;
  if (!system::needs_library(path, "libLLVM") && !system::needs_library(path, "libclang")) return false;
  if (system::malloc_is_replaced())
    fail(Code::device,
         "it links LLVM, and with malloc replaced (tcmalloc, jemalloc) it would crash beside TensorFlow's LLVM");
  return true;
}

/// PoCL ends the process where it cannot write its cache folder, so that it is handed one that it can.
void provide_pocl_cache(const std::string& path) {
  if (lower(name_of(path)).find("pocl") == std::string::npos) return;
  auto folder = environment_value(environment::pocl_cache_dir), home = system::user_cache_folder();
  if (folder.empty() && !home.empty()) folder = home + "/pocl";
  if (!folder.empty() && system::make_folder(folder)) return;
  folder = cache_folder() + "/pocl";
  std::string why;
  if (cache_folder().empty()) folder = system::temporary_folder() + "/ocldnn-pocl-" + system::user();
  if (system::private_folder(folder, why)) system::set_environment(environment::pocl_cache_dir, folder);
  else fail(Code::device, "PoCL needs a folder for its cache: {}", why);
}

}  // namespace

std::vector<Candidate> driver_candidates(const std::vector<std::string>& folders) {
  List list;
  for (const auto& path : split(environment_value(environment::icd_filenames), ':'))
    list.library(path, environment::icd_filenames);
  if (auto vendors = environment_value(environment::icd_vendors); !vendors.empty()) {
    list.vendors(vendors);
    return list.take();
  }
  list.vendors("/etc/OpenCL/vendors");
  for (const auto& folder : folders) list.package(folder);
  for (const auto& folder : split(environment_value(environment::driver_folders), ':')) list.package(folder);
  return list.take();
}

void check_openable(const Candidate& candidate) { needs_deep_bind(candidate.path); }

Opened open_driver(const Candidate& candidate) {
  provide_pocl_cache(candidate.path);
  std::string why;
  void* library = system::open_library(candidate.path, needs_deep_bind(candidate.path), why);
  if (!library) throw Error(Code::device, why);
  using Address = void*(CL_API_CALL*)(const char*);
  auto address = reinterpret_cast<Address>(system::symbol(library, "clGetExtensionFunctionAddress"));
  if (!address) fail(Code::device, "it has no clGetExtensionFunctionAddress, so it is no OpenCL driver");
  auto platform_ids = reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(address("clIcdGetPlatformIDsKHR"));
  if (!platform_ids) fail(Code::device, "it has no clIcdGetPlatformIDsKHR, so it is no installable OpenCL driver");
  cl_uint count = 0;
  cl_int code = platform_ids(0, nullptr, &count);
  Opened opened;
  opened.library = system::library_path(library);
  if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0)) return opened;
  check(code, "clIcdGetPlatformIDsKHR");
  opened.platforms.resize(count);
  check(platform_ids(count, opened.platforms.data(), nullptr), "clIcdGetPlatformIDsKHR");
  return opened;
}

}  // namespace ocldnn
