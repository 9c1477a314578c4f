#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

struct KeyedValues {
  View keys, values;  // u32 or u64, and u32; one dimension
};

/// Sorts by the keys' lowest `bits` bits, upwards and stably. The arrays handed in are overwritten; the result lies in
/// them or in scratch memory.
KeyedValues radix_sort(const Exec& exec, const KeyedValues& unsorted, int bits);

/// counts[i] becomes the sum of those before it; counts has one element more than `n`, which gets the total. u32.
void exclusive_prefix(Queue& queue, const View& counts, int64_t n);

/// Work-items of a group of the sort's kernels.
int64_t sort_group(Queue& queue);

}  // namespace ocldnn
