#pragma once

#include <cstdlib>
#include <string>

namespace ocldnn {

/// Every environment variable the library reads, and nowhere else a name of one. docs/environment.md explains them.
namespace environment {
inline constexpr const char* disable = "OCLDNN_DISABLE";
inline constexpr const char* devices = "OCLDNN_DEVICES";
inline constexpr const char* driver_folders = "OCLDNN_DRIVER_FOLDERS";
inline constexpr const char* trial = "OCLDNN_TRIAL";
inline constexpr const char* log = "OCLDNN_LOG";
inline constexpr const char* kernel_path = "OCLDNN_KERNEL_PATH";
inline constexpr const char* groups = "OCLDNN_GROUPS";
inline constexpr const char* index = "OCLDNN_INDEX";
inline constexpr const char* without = "OCLDNN_WITHOUT";
inline constexpr const char* cache_dir = "OCLDNN_CACHE_DIR";
inline constexpr const char* tuning = "OCLDNN_TUNING";
inline constexpr const char* memory_fraction = "OCLDNN_MEMORY_FRACTION";
// Of others: the two every OpenCL loader reads, and PoCL's.
inline constexpr const char* icd_vendors = "OCL_ICD_VENDORS";
inline constexpr const char* icd_filenames = "OCL_ICD_FILENAMES";
inline constexpr const char* pocl_cache_dir = "POCL_CACHE_DIR";
}  // namespace environment

/// The variable's value; empty where it is not set.
inline std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace ocldnn
