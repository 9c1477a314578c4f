#pragma once

#include "api/functions.hpp"

namespace ocldnn::tf {

/// Fills what TF_InitGraph is handed: our passes for graphs with nodes on devices of `device_type`, which must outlive
/// the process's use of it, and TensorFlow's remapper turned off. False where another plug-in has passes: then there
/// are none of ours.
bool register_optimizer(TP_OptimizerRegistrationParams* params, const char* device_type);

}  // namespace ocldnn::tf
