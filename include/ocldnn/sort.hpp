#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// The k largest elements of each row of the last dimension, largest first, and their places in the row; of equal
/// elements the one with the lower place comes first (TF: TopKV2). k is values' last size; `indices` is i32, i64 or
/// i16. NaN counts as larger than infinity.
void top_k(const Exec& exec, const View& x, const View& values, const View& indices);

}  // namespace ocldnn
