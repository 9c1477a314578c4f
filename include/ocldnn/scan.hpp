#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

enum class Scan { sum, product, log_sum_exp };

/// y[..., i, ...] = x[..., 0, ...] + ... + x[..., i, ...] along `axis` (TF: Cumsum, Cumprod, CumulativeLogsumexp).
/// `exclusive` leaves out x[i] itself, `reverse` runs from the end. f16 and bf16 are summed in f32.
void scan(const Exec& exec, Scan operation, const View& x, int axis, bool exclusive, bool reverse, const View& y);

}  // namespace ocldnn
