// Strided copies and fills: to[i0, i1, ..., j] = from[i0, i1, ..., j], or one value.
//
// WORD   the type the views are counted in; T what is moved at once, up to 32 bytes (WORD or a vector of it)
// Put in front of this text by the host: OUTER, the number of dimensions around the row j, and their sizes and steps,
// GEOMETRY as parameters and GEOMETRY_ARRAYS as the arrays size[], to_step[], from_step[]. Steps count T.
// TO_STEP, FROM_STEP  the row's steps where they are known when this is compiled: 1, or 0 for a repeated element.
// FILL   there is no source: the value is an argument.
// SCALAR T is a scalar, and rows may start at any element: whole vectors are moved by vload and vstore.
#include "cl/types.cl"

#ifndef TO_STEP
#define TO_STEP to_row_step
#endif
#ifndef FROM_STEP
#define FROM_STEP from_row_step
#endif

#ifdef FILL
#define SOURCE ulong bits
#define FROM_AT(row_begin, j) value
#else
#define SOURCE global const WORD *from_base, long from_offset
#define FROM_AT(row_begin, j) from[(row_begin) + (j) * FROM_STEP]
#endif

// Where row `row` begins on both sides.
typedef struct {
  index_t at[OUTER + 1];
  index_t to, from;
} Row;

// A group of one item moves `rows_per_group` rows, or `piece` elements of a long one, counting coordinates up.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void layout_copy_rows(
    SOURCE, global WORD *to_base, long to_offset, index_t rows, index_t rows_per_group, index_t length, index_t piece,
    index_t to_row_step, index_t from_row_step GEOMETRY) {
  GEOMETRY_ARRAYS
#ifdef FILL
  const T value = (T)(bits);
#else
  global const T *restrict from = (global const T *)(from_base + from_offset);
#endif
  global T *restrict to = (global T *)(to_base + to_offset);
  const index_t pieces = (length + piece - 1) / piece;
  const index_t group = (index_t)get_group_id(0);
  const index_t first = group / pieces * rows_per_group, last = min(first + rows_per_group, rows);
  const index_t begin = group % pieces * piece, end = min(begin + piece, length);

  Row r;
  r.to = 0, r.from = 0;
  index_t rest = first;
  for (int d = OUTER - 1; d >= 0; --d) {
    r.at[d] = rest % size[d];
    rest /= size[d];
    r.to += r.at[d] * to_step[d];
    r.from += r.at[d] * from_step[d];
  }
  for (index_t row = first; row < last; ++row) {
    index_t j = begin;
#if defined(SCALAR) && !defined(FILL) && defined(CONTIGUOUS)
    for (; j + 16 <= end; j += 16) vstore16(vload16(0, from + r.from + j), 0, to + r.to + j);
#endif
    for (; j < end; ++j) to[r.to + j * TO_STEP] = FROM_AT(r.from, j);
    for (int d = OUTER - 1; d >= 0; --d) {
      r.to += to_step[d];
      r.from += from_step[d];
      if (++r.at[d] < size[d]) break;
      r.to -= size[d] * to_step[d];
      r.from -= size[d] * from_step[d];
      r.at[d] = 0;
    }
  }
}

// One item moves one element.
kernel void layout_copy_items(SOURCE, global WORD *to_base, long to_offset, index_t total, index_t length,
                              index_t to_row_step, index_t from_row_step GEOMETRY) {
  GEOMETRY_ARRAYS
  const index_t i = (index_t)get_global_id(0);
  if (i >= total) return;
#ifdef FILL
  const T value = (T)(bits);
#else
  global const T *from = (global const T *)(from_base + from_offset);
#endif
  global T *to = (global T *)(to_base + to_offset);
  index_t rest = i / length;
  const index_t j = i % length;
  index_t to_at = 0, from_at = 0;
  for (int d = OUTER - 1; d >= 0; --d) {
    const index_t at = rest % size[d];
    rest /= size[d];
    to_at += at * to_step[d];
    from_at += at * from_step[d];
  }
  to[to_at + j * TO_STEP] = FROM_AT(from_at, j);
}
