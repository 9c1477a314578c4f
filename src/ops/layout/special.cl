// Copies that no strides describe. Views are dense; T moves an element of any type of its size.
#include "cl/types.cl"
#include "cl/spread.cl"

// to[m, r, c] = from[m, r, c] inside the band around the diagonal, else 0. lower and upper are huge where there is none.
SPREAD_KERNEL void layout_band_part(global const T *from, long from_offset, global T *to, long to_offset, index_t total,
                                    index_t chunk, index_t rows, index_t columns, long lower, long upper) {
  from += from_offset;
  to += to_offset;
  SPREAD(row, total, chunk) {
    const index_t r = row % rows;
    const index_t begin = (index_t)clamp((long)r - lower, 0L, (long)columns);
    const index_t end = (index_t)clamp((long)r + upper + 1, (long)begin, (long)columns);
    const index_t at = row * columns;
    for (index_t c = 0; c < begin; ++c) to[at + c] = 0;
    for (index_t c = begin; c < end; ++c) to[at + c] = from[at + c];
    for (index_t c = end; c < columns; ++c) to[at + c] = 0;
  }
}

// The array is [outer, first, middle, second, inner]; one of first and second is the axis, the other the batch.
// to[.., i, ..] = from[.., lengths[b] - 1 - i, ..] for i < lengths[b], else from[.., i, ..].
SPREAD_KERNEL void layout_reverse_sequence(global const T *from, long from_offset, global const LENGTH *lengths,
                                           long lengths_offset, global T *to, long to_offset, index_t total, index_t chunk,
                                           index_t first, index_t middle, index_t second, index_t inner) {
  from += from_offset;
  lengths += lengths_offset;
  to += to_offset;
  SPREAD(row, total, chunk) {
    index_t rest = row;
    const index_t s = rest % second;
    rest /= second;
    const index_t m = rest % middle;
    rest /= middle;
    const index_t f = rest % first, o = rest / first;
#ifdef AXIS_FIRST
    const index_t b = s, i = f, n = first;
#else
    const index_t b = f, i = s, n = second;
#endif
    const index_t length = (index_t)clamp((long)lengths[b], 0L, (long)n);
    const index_t j = i < length ? length - 1 - i : i;
#ifdef AXIS_FIRST
    const index_t source = ((o * first + j) * middle + m) * second + s;
#else
    const index_t source = ((o * first + f) * middle + m) * second + j;
#endif
    for (index_t k = 0; k < inner; ++k) to[row * inner + k] = from[source * inner + k];
  }
}
