#pragma once

#include <span>
#include <string>

#include "api/functions.hpp"
#include "ocldnn/device.hpp"

namespace ocldnn::tf {

inline constexpr const char* device_type = "OPENCL";

/// The devices that TensorFlow is told of, in its order: ordinal i is the i-th.
std::span<Device* const> offered_devices();
/// Why there are none; empty if there are some.
const std::string& why_no_devices();

/// Fills what TensorFlow hands to SE_InitPlugin.
void register_platform(SE_PlatformRegistrationParams* params);

/// Writes the callbacks of memory, streams, events and copies.
void fill_executor(SP_StreamExecutor* executor);

}  // namespace ocldnn::tf
