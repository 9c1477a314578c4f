// A copy whose two sides are contiguous along different dimensions:
//   to[o..., b, a] = from[o..., a, b], each row-major, o any number of outer dimensions.
//
// The matrix is cut into tiles of TILE_A x TILE_B, a tile a group, so that both sides are touched a cache line at a time.
// WORD, T, OUTER, GEOMETRY: as in copy.cl. to_b and from_a are the steps of the rows.
#include "cl/types.cl"

#ifndef TILE_A
#define TILE_A 32  // along to's rows
#endif
#ifndef TILE_B
#define TILE_B 32  // along from's rows
#endif

#define TILE_SETUP                                                                   \
  GEOMETRY_ARRAYS                                                                    \
  const index_t tiles_a = (size_a + TILE_A - 1) / TILE_A;                            \
  const index_t tiles_b = (size_b + TILE_B - 1) / TILE_B;                            \
  index_t rest = (index_t)get_group_id(0);                                           \
  const index_t a0 = rest % tiles_a * TILE_A;                                        \
  rest /= tiles_a;                                                                   \
  const index_t b0 = rest % tiles_b * TILE_B;                                        \
  rest /= tiles_b;                                                                   \
  index_t to_at = 0, from_at = 0;                                                    \
  for (int d = OUTER - 1; d >= 0; --d) {                                             \
    to_at += rest % size[d] * to_step[d];                                            \
    from_at += rest % size[d] * from_step[d];                                        \
    rest /= size[d];                                                                 \
  }                                                                                  \
  global const T *restrict from = (global const T *)(from_base + from_offset) + from_at; \
  global T *restrict to = (global T *)(to_base + to_offset) + to_at;

#define PARAMETERS                                                                                          \
  global const WORD *from_base, long from_offset, global WORD *to_base, long to_offset, index_t size_a,      \
      index_t size_b, index_t to_b, index_t from_a GEOMETRY

// A group of one item: through a tile of its own, so that each line of either side is touched in one go; with rows a
// power of two apart, a line left half read is pushed out of the cache before its turn comes again.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void layout_transpose_block(PARAMETERS) {
  TILE_SETUP
  T tile[TILE_B][TILE_A];
  const int count_a = (int)min((index_t)TILE_A, size_a - a0), count_b = (int)min((index_t)TILE_B, size_b - b0);
  from += a0 * from_a + b0;
  to += b0 * to_b + a0;
  if (count_b == TILE_B) {
    for (int a = 0; a < count_a; ++a)
      for (int b = 0; b < TILE_B; ++b) tile[b][a] = from[a * from_a + b];
  } else {
    for (int a = 0; a < count_a; ++a)
      for (int b = 0; b < count_b; ++b) tile[b][a] = from[a * from_a + b];
  }
  for (int b = 0; b < count_b; ++b)
    for (int a = 0; a < count_a; ++a) to[b * to_b + a] = tile[b][a];
}

// A wide group of TILE_A x ROWS items: through local memory, one column wider so that no bank is hit twice.
#ifndef ROWS
#define ROWS 8
#endif
kernel __attribute__((reqd_work_group_size(32, ROWS, 1))) void layout_transpose_tile(PARAMETERS) {
  local T tile[32][33];
  TILE_SETUP
  const int x = (int)get_local_id(0), y = (int)get_local_id(1);
  for (int a = y; a < 32; a += ROWS)
    if (a0 + a < size_a && b0 + x < size_b) tile[a][x] = from[(a0 + a) * from_a + b0 + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = y; b < 32; b += ROWS)
    if (b0 + b < size_b && a0 + x < size_a) to[(b0 + b) * to_b + a0 + x] = tile[x][b];
}
