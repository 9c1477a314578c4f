#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// result[r] = whether fewer than k classes have a greater prediction than class targets[r] (TF: InTopKV2). False where
/// the target is no class, or a prediction of the row is not finite. predictions [rows, classes] of a floating type,
/// targets [rows] i32 or i64, result [rows] boolean.
void in_top_k(const Exec& exec, const View& predictions, const View& targets, int64_t k, const View& result);

}  // namespace ocldnn
