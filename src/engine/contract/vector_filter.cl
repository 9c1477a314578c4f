// Weight gradients on CPUs: b[g, t, k, q] = sum over r of a[g, r, t, k] * c[g, r, q], a work-group of one item.
//
// The register tile has MR rows (t, k), each a pointer into a, and NR columns q, vectors of c; its sum runs along r[3].
// Neither operand is copied. r is cut into pieces of at most `piece` positions of one line, and the pieces into slices;
// a group computes some tiles of one slice:
//
//   partial[slice][g][t][k][q]   summed by contract_vector_filter_sum in the order of the slices
//
// ONE_TAP (depth >= MR): the rows of a tile have one tap, so positions where it lies outside a are left out. Else rows of
// several taps share a tile: positions where not all lie inside are done one by one, rows outside reading `zeros`.
#ifndef PIECES
#define PIECES 64   // pieces of a block, whose part of a and c stays in L2 while all tiles use it
#endif
#include "engine/contract/problem.cl"
#include "engine/contract/register_tile.cl"

// c from memory, all of it there: the last vector may overlap the one before it; and less than a vector.
#define DECLARE_AT(i, v) const int at##v = left >= (v + 1) * WIDTH ? v * WIDTH : max(left - WIDTH, 0);
#define LOAD_AT(i, v) const TV b##v = load_any(pb + at##v);
#define RUN(n)                                                                                           \
  {                                                                                                      \
    const int count = (int)(n);                                                                          \
    if (left >= WIDTH)                                                                                   \
      for (int j = 0, k = 0; j < count; ++j, k += a_step, pb += c_row3) { EACH_VECTOR(LOAD_AT, 0) EACH_ROW(ROW_POINTER_STEP) }   \
    else                                                                                                 \
      for (int j = 0, k = 0; j < count; ++j, k += a_step, pb += c_row3) { EACH_VECTOR(LOAD_PART, 0) EACH_ROW(ROW_POINTER_STEP) } \
  }

kernel ONE_ITEM void contract_vector_filter(PROBLEM_PARAMETERS, global T *partial, long partial_offset, global T *zeros,
                                            long zeros_offset, int piece, int slice_pieces, int block_pieces,
                                            int group_tiles) {
  const index_t g = GROUP_2;
  DECODE_GROUP(g)
  const int taps = (int)(taps0 * taps1 * taps2), rows = taps * (int)depth, panels = (int)((cols + NR - 1) / NR);
#ifdef ONE_TAP
  const int tap_blocks = ((int)depth + MR - 1) / MR, tiles = taps * tap_blocks * panels;
#else
  const int tiles = (rows + MR - 1) / MR * panels;
#endif
  const int tile0 = GROUP_1 * group_tiles, tile1 = min(tiles, tile0 + group_tiles);
  const index_t line_pieces = (rows3 + piece - 1) / piece, pieces = rows0 * rows1 * rows2 * line_pieces;
  const index_t piece0 = GROUP_0 * (index_t)slice_pieces, piece1 = min(pieces, piece0 + slice_pieces);
  global const T *image = (global const T *)a + a_offset + A_GROUP;
  global const T *image_c = (global const T *)c + c_offset + g0 * c_group0 + g1 * c_group1 + g2 * c_group2;
  global T *out = partial + partial_offset +
                  ((long)GROUP_0 * groups0 * groups1 * groups2 + g) * (long)rows * (long)cols;
  const index_t a_step = step2 * a_space2;

  for (index_t block = piece0; block < piece1; block += block_pieces) {
    const int here = (int)min((index_t)block_pieces, piece1 - block);
    index_t piece_a[PIECES], piece_c[PIECES], piece_x0[PIECES], piece_x1[PIECES];
    int piece_begin[PIECES], piece_end[PIECES];
    for (int i = 0; i < here; ++i) {
      const index_t line = (block + i) / line_pieces, r2 = line % rows2, line1 = line / rows2, r1 = line1 % rows1,
                    r0 = line1 / rows1;
      const index_t x0 = r1 * step0 + origin0, x1 = r2 * step1 + origin1;
      piece_begin[i] = (int)((block + i) % line_pieces) * piece;
      piece_end[i] = min((int)rows3, piece_begin[i] + piece);
      piece_a[i] = r0 * a_image + x0 * a_space0 + x1 * a_space1 + origin2 * a_space2;
      piece_c[i] = r0 * c_row0 + r1 * c_row1 + r2 * c_row2;
      piece_x0[i] = x0, piece_x1[i] = x1;
    }
    for (int tile = tile0; tile < tile1; ++tile) {
      const int q = tile % panels * NR, left = (int)(cols - q), rows_block = tile / panels;
      EACH_VECTOR(DECLARE_AT, 0)
#ifdef ONE_TAP
      const int row0 = rows_block / tap_blocks * (int)depth + rows_block % tap_blocks * MR;
      const int live = min(MR, (int)depth - rows_block % tap_blocks * MR);
#else
      const int row0 = rows_block * MR, live = min(MR, rows - row0);
#endif
      // The rows: where they read, and the positions [low, high) of a line where they all lie inside.
      index_t row_at[MR], d0[MR], d1[MR], d2[MR], low = 0, high = rows3;
      for (int i = 0; i < MR; ++i) {
        const int row = row0 + min(i, live - 1), t = row / (int)depth;
        const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1;
        d0[i] = t0 * dilation0, d1[i] = t1 * dilation1, d2[i] = t2 * dilation2;
        row_at[i] = d0[i] * a_space0 + d1[i] * a_space1 + d2[i] * a_space2 + (row - t * depth) * a_depth;
        const index_t before = -(origin2 + d2[i]), behind = extent2 - 1 + before;
        low = max(low, before > 0 ? (before + step2 - 1) / step2 : 0);
        high = min(high, behind < 0 ? 0 : behind / step2 + 1);
      }
      DECLARE_SUMS
      for (int s = 0; s < here; ++s) {
        const index_t x0 = piece_x0[s], x1 = piece_x1[s];
        global const T *line = image + piece_a[s];
        global const T *line_c = image_c + piece_c[s] + q;
#ifdef ONE_TAP
        const int j0 = max(piece_begin[s], (int)low), j1 = min(piece_end[s], (int)high);
        if (j0 >= j1 || x0 + d0[0] < 0 || x0 + d0[0] >= extent0 || x1 + d1[0] < 0 || x1 + d1[0] >= extent1) continue;
        global const T *pb = line_c + j0 * c_row3;
#define POINT(i) global const T *a##i = line + row_at[i] + j0 * a_step;
        EACH_ROW(POINT)
        RUN(j1 - j0)
#else
        for (int at = piece_begin[s]; at < piece_end[s];) {
          const bool edge = at < low || at >= high;
          const int n = edge ? 1 : (int)min((index_t)piece_end[s], high) - at;
          const index_t x2 = at * step2 + origin2;
          global const T *pb = line_c + at * c_row3;
#define POINT(i)                                                                                                  \
  global const T *a##i = x0 + d0[i] >= 0 && x0 + d0[i] < extent0 && x1 + d1[i] >= 0 && x1 + d1[i] < extent1 &&    \
                                 x2 + d2[i] >= 0 && x2 + d2[i] < extent2                                          \
                             ? line + row_at[i] + at * a_step                                                     \
                             : zeros + zeros_offset;
          EACH_ROW(POINT)
          RUN(n)
          at += n;
        }
#endif
      }
      SAVE_SUMS
      const int offsets[4] = {0, left >= 2 * WIDTH ? WIDTH : max(left - WIDTH, 0), 0, 0};
      if (block > piece0) {
        for (int i = 0; i < live; ++i)
          for (int v = 0; v < NV; ++v) {
            global const T *at = out + (long)(row0 + i) * cols + q + offsets[v];
            sums[i * NV + v] += left >= WIDTH ? load_any(at) : load_part(at, left - v * WIDTH);
          }
      }
      for (int i = 0; i < live; ++i)
        for (int v = 0; v < NV; ++v) {
          global T *at = out + (long)(row0 + i) * cols + q + offsets[v];
          if (left >= WIDTH) store_any(sums[i * NV + v], at);
          else store_part(sums[i * NV + v], at, left - v * WIDTH);
        }
    }
  }
}

// b = the sum of the slices, first to last. A group sums SUM_CHUNK elements of partial.
#ifndef SUM_CHUNK
#define SUM_CHUNK 1024
#endif
kernel ONE_ITEM void contract_vector_filter_sum(PROBLEM_PARAMETERS, global T *partial, long partial_offset, int slices) {
  const long one = (long)groups0 * groups1 * groups2 * taps0 * taps1 * taps2 * depth * cols;
  const long first = (long)GROUP_0 * SUM_CHUNK;
  const int count = (int)min((long)SUM_CHUNK, one - first);
  global const T *from = partial + partial_offset + first;
  T sum[SUM_CHUNK];
  for (int i = 0; i < count; ++i) sum[i] = from[i];
  for (int s = 1; s < slices; ++s) {
    global const T *slice = from + s * one;
    int i = 0;
    for (; i + WIDTH <= count; i += WIDTH) *(TV_any *)(sum + i) += load_any(slice + i);
    for (; i < count; ++i) sum[i] += slice[i];
  }
  for (int i = 0; i < count;) {  // runs of q
    const index_t row = (first + i) / cols, q = (first + i) - row * cols, t = row / depth, k = row - t * depth;
    const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1 % taps0, g = t / taps2 / taps1 / taps0;
    DECODE_GROUP(g)
    const int run = (int)min((index_t)(count - i), cols - q);
    global ELEMENT *to = b + b_offset + B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k * b_depth + q * b_col;
    for (int j = 0; j < run; ++j) STORE_ONE(to + j * b_col, sum[i + j])
    i += run;
  }
}
