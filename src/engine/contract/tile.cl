// The family for GPUs: c = epilogue(a * b) and weight gradients by tiles in local memory, with any sizes and strides.
//
// Both directions are one matrix product, sum over k of A[m, k] * B[k, n], whose elements lie at the sum of a part that
// depends on m (or n) and one that depends on k; and A[m, k] is 0 where the sum of their coordinates is outside a.
//
//              product                                filter
//   m          position r                             tap and channel (t, k)
//   k          tap and channel (t, k), r,s,c order    position r
//   n          column q                               column q
//   B          b                                      c
//
//            BN                 A group computes BM x BN of the result from BM x BK and BK x BN of the operands, in two
//          +------+             buffers of local memory; the next step's elements wait in registers meanwhile. The
//       BK |  B   |             group is (BM / WM) * (BN / WN) warps of 32 items, a warp's items lie LM x LN, and an
//          +------+             item has WM / LM rows and WN / LN columns of its warp's part, in pieces of 4 x 4.
//    BK
//  +----+  +------+
//  | A  |  | C    | BM          The parts of k (and, in `filter`, of positions) go through a small table in local
//  +----+  +------+             memory, so that nobody divides for each element.
#ifndef BM
#define BM 64
#endif
#ifndef BN
#define BN 64
#endif
#ifndef BK
#define BK 16     // short steps with large tiles keep the unrolled code small: 8 with 128 x 128
#endif
#ifndef WM
#define WM 32
#endif
#ifndef WN
#define WN 32
#endif
#ifndef RASTER
#define RASTER 8  // row tiles that share their column tiles in L2
#endif
// How an operand is loaded: VA, VB elements at once (4 or 1), along k (A_ALONG_K, B_ALONG_K) or across it.
#ifndef VA
#define VA 1
#endif
#ifndef VB
#define VB 1
#endif
// FILTER: the weight gradient. WINDOW: a has taps or padding. SPLIT: k is cut into slices, summed by contract_tile_sum.
#include "engine/contract/problem.cl"

#define LM 4
#define LN 8
#define WARPS_N (BN / WN)
#define ITEMS ((BM / WM) * WARPS_N * 32)
#define TM (WM / LM)
#define TN (WN / LN)
#define PITCH_A (BM + 4)
#define LOADS_A (BM * BK / VA / ITEMS)
#define LOADS_B (BN * BK / VB / ITEMS)
#define UNROLL _Pragma("unroll")

#ifdef FILTER
#define ROWS_ALL (taps0 * taps1 * taps2 * depth)
#define TERMS_ALL (rows0 * rows1 * rows2 * rows3)
#define B_MATRIX (c + c_offset + g0 * c_group0 + g1 * c_group1 + g2 * c_group2)
#define B_COLUMN c_col
#else
#define ROWS_ALL (rows0 * rows1 * rows2 * rows3)
#define TERMS_ALL (taps0 * taps1 * taps2 * depth)
#define B_MATRIX (b + b_offset + B_GROUP)
#define B_COLUMN b_col
#endif
#define DECODE_TAP(i) \
  const index_t k_ = (i) % depth, t_ = (i) / depth, t2 = t_ % taps2, t1 = t_ / taps2 % taps1, t0 = t_ / taps2 / taps1;

// What the table says of a term: where it lies in a and in B, and its coordinates.
#define OUTSIDE (-0x20000000)
#ifdef FILTER
#define TERM(i)                                                                                              \
  DECODE_ROW(i)                                                                                              \
  const index_t z0 = r1 * step0, z1 = r2 * step1, z2 = r3 * step2;                                           \
  const index_t term_a = r0 * a_image + z0 * a_space0 + z1 * a_space1 + z2 * a_space2;                       \
  const index_t term_b = r0 * c_row0 + r1 * c_row1 + r2 * c_row2 + r3 * c_row3;
#else
#define TERM(i)                                                                                              \
  DECODE_TAP(i)                                                                                              \
  const index_t z0 = t0 * dilation0, z1 = t1 * dilation1, z2 = t2 * dilation2;                               \
  const index_t term_a = z0 * a_space0 + z1 * a_space1 + z2 * a_space2 + k_ * a_depth;                       \
  const index_t term_b = t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k_ * b_depth;
#endif
// A plain product needs no table: its terms lie a_depth and b_depth apart.
#if defined(WINDOW) || defined(FILTER)
#define TABLE 1
#endif
#ifdef INDEX_64
typedef long4 index4;
typedef ulong uindex_t;
#else
typedef int4 index4;
typedef uint uindex_t;
#endif
#define WRITE_TABLE(step)                                                                                    \
  for (int e = id; e < BK; e += ITEMS) {                                                                     \
    const index_t term = first + (step) * BK + e;                                                            \
    TERM(min(term, end - 1))                                                                                 \
    table_a[((step) & 1) * BK + e] = (index4)(term < end ? z0 : OUTSIDE, z1, z2, term_a);                    \
    table_b[((step) & 1) * BK + e] = term_b;                                                                 \
  }

typedef CAT(T, 4) T4;

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void contract_tile(PROBLEM_PARAMETERS, global T *partial,
                                                                             long partial_offset, index_t slice_terms
                                                                             EPILOGUE_PARAMETERS) {
  local T buffer[2 * BK * (PITCH_A + BN)] __attribute__((aligned(64)));
#ifdef TABLE
  local index4 table_a[2 * BK];  // coordinates of the term in a, and where it lies
  local index_t table_b[2 * BK];
#endif
  local T *tile_a = buffer, *tile_b = buffer + 2 * BK * PITCH_A;

  const index_t g = GROUP_2;
  DECODE_GROUP(g)
  const index_t row_all = ROWS_ALL, first = GROUP_1 * slice_terms, end = min(TERMS_ALL, first + slice_terms);
  const int steps = (int)((end - first + BK - 1) / BK);
  const int id = (int)get_local_id(0), lane = id & 31, warp = id >> 5;

  // RASTER row tiles at a time walk over the columns together.
  const int tiles_m = (int)((row_all + BM - 1) / BM), tiles_n = (int)((cols + BN - 1) / BN);
  const int band = (int)GROUP_0 / (RASTER * tiles_n), in_band = (int)GROUP_0 - band * RASTER * tiles_n;
  const int band_rows = min(RASTER, tiles_m - band * RASTER);
  const index_t m0 = (index_t)(band * RASTER + in_band % band_rows) * BM, n0 = (index_t)(in_band / band_rows) * BN;

  // The item's place in its warp: bits of the lane alternate between row and column, so that the items that read local
  // memory together read few different pieces of 16 bytes.
  const int lane_m = (lane >> 1 & 1) | (lane >> 3 & 1) << 1, lane_n = (lane & 1) | (lane >> 2 & 1) << 1 | (lane >> 4) << 2;
  const int item_m = warp / WARPS_N * WM + lane_m * 4, item_n = warp % WARPS_N * WN + lane_n * 4;

  // The rows that the item loads from a.
  global const ELEMENT *matrix_a = a + a_offset + A_GROUP;
  global const ELEMENT *matrix_b = B_MATRIX;
  index_t row_a[LOADS_A], row_0[LOADS_A], row_1[LOADS_A], row_2[LOADS_A];
  UNROLL for (int j = 0; j < LOADS_A; ++j) {
    const int e = id + j * ITEMS;
#ifdef A_ALONG_K
    const index_t m = min(m0 + e / (BK / VA), row_all - 1);
#else
    const index_t m = min(m0 + e % (BM / VA) * VA, row_all - VA);
#endif
#ifdef FILTER
    DECODE_TAP(m)
    row_0[j] = t0 * dilation0 + origin0, row_1[j] = t1 * dilation1 + origin1, row_2[j] = t2 * dilation2 + origin2;
    row_a[j] = row_0[j] * a_space0 + row_1[j] * a_space1 + row_2[j] * a_space2 + k_ * a_depth;
#else
    DECODE_ROW(m)
    row_0[j] = r1 * step0 + origin0, row_1[j] = r2 * step1 + origin1, row_2[j] = r3 * step2 + origin2;
    row_a[j] = r0 * a_image + row_0[j] * a_space0 + row_1[j] * a_space1 + row_2[j] * a_space2;
#endif
  }

#if VA == 4
  T4 next_a[LOADS_A];
#define READ_A(p) (*(global const T4 *)(p))
#else
  T next_a[LOADS_A];
#define READ_A(p) LOAD(p, 0)
#endif
#if VB == 4
  T4 next_b[LOADS_B];
#define READ_B(p) (*(global const T4 *)(p))
#else
  T next_b[LOADS_B];
#define READ_B(p) LOAD(p, 0)
#endif

#ifdef A_ALONG_K
#define A_TERM(e) ((e) % (BK / VA) * VA)
#define A_ROW_OF(e) ((e) / (BK / VA))
#else
#define A_TERM(e) ((e) / (BM / VA))
#define A_ROW_OF(e) ((e) % (BM / VA) * VA)
#endif
#ifdef B_ALONG_K
#define B_TERM(e) ((e) % (BK / VB) * VB)
#define B_COL_OF(e) ((e) / (BK / VB))
#else
#define B_TERM(e) ((e) / (BN / VB))
#define B_COL_OF(e) ((e) % (BN / VB) * VB)
#endif
#ifdef TABLE
#define TERM_A(step, e) const index4 term = table_a[((step) & 1) * BK + (e)]; const index_t at = term.w;
#define TERM_B(step, e) \
  const index_t at = table_b[((step) & 1) * BK + (e)]; const bool there = table_a[((step) & 1) * BK + (e)].x != OUTSIDE;
#ifdef WINDOW
#define INSIDE(j)                                                                                          \
  ((uindex_t)(term.x + row_0[j]) < (uindex_t)extent0 && (uindex_t)(term.y + row_1[j]) < (uindex_t)extent1 && \
   (uindex_t)(term.z + row_2[j]) < (uindex_t)extent2)
#else
#define INSIDE(j) (term.x != OUTSIDE)
#endif
#else
#define TERM_A(step, e) const index_t term = first + (step) * BK + (e), at = term * a_depth;
#define TERM_B(step, e) const index_t term = first + (step) * BK + (e), at = term * b_depth; const bool there = term < end;
#define INSIDE(j) (term < end)
#endif
#define FETCH(step)                                                                                                 \
  {                                                                                                                 \
    UNROLL for (int j = 0; j < LOADS_A; ++j) {                                                                      \
      TERM_A(step, A_TERM(id + j * ITEMS))                                                                          \
      next_a[j] = 0;                                                                                                \
      if (INSIDE(j)) next_a[j] = READ_A(matrix_a + row_a[j] + at);                                                  \
    }                                                                                                               \
    UNROLL for (int j = 0; j < LOADS_B; ++j) {                                                                      \
      TERM_B(step, B_TERM(id + j * ITEMS))                                                                          \
      const index_t n = min(n0 + B_COL_OF(id + j * ITEMS), cols - B_COLS_READ);                                     \
      next_b[j] = 0;                                                                                                \
      if (there) next_b[j] = READ_B(matrix_b + at + n * B_COLUMN);                                                  \
    }                                                                                                               \
  }
#ifdef B_ALONG_K
#define B_COLS_READ 1
#else
#define B_COLS_READ VB
#endif
// Element (row, k) of A lies at k * PITCH_A + row, (k, col) of B at k * BN + col.
#define PUT_BY(to, v, pitch) (to)[0] = v.x, (to)[pitch] = v.y, (to)[2 * (pitch)] = v.z, (to)[3 * (pitch)] = v.w
#if VA == 4 && defined(A_ALONG_K)
#define PUT_A(to, v) PUT_BY(to, v, PITCH_A)
#elif VA == 4
#define PUT_A(to, v) PUT_BY(to, v, 1)
#else
#define PUT_A(to, v) *(to) = v
#endif
#if VB == 4 && defined(B_ALONG_K)
#define PUT_B(to, v) PUT_BY(to, v, BN)
#elif VB == 4
#define PUT_B(to, v) PUT_BY(to, v, 1)
#else
#define PUT_B(to, v) *(to) = v
#endif
#define DEPOSIT(half)                                                                                               \
  {                                                                                                                 \
    UNROLL for (int j = 0; j < LOADS_A; ++j) {                                                                      \
      const int e = id + j * ITEMS;                                                                                 \
      PUT_A(tile_a + ((half) * BK + A_TERM(e)) * PITCH_A + A_ROW_OF(e), next_a[j]);                                 \
    }                                                                                                               \
    UNROLL for (int j = 0; j < LOADS_B; ++j) {                                                                      \
      const int e = id + j * ITEMS;                                                                                 \
      PUT_B(tile_b + ((half) * BK + B_TERM(e)) * BN + B_COL_OF(e), next_b[j]);                                      \
    }                                                                                                               \
  }

  T sum[TM][TN];
  UNROLL for (int i = 0; i < TM; ++i) UNROLL for (int j = 0; j < TN; ++j) sum[i][j] = 0;

#ifdef TABLE
  WRITE_TABLE(0)
  WRITE_TABLE(1)
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  FETCH(0)
  DEPOSIT(0)
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 0; step < steps; ++step) {
    if (step + 1 < steps) FETCH(step + 1)
#ifdef TABLE
    if (step + 2 < steps) WRITE_TABLE(step + 2)
#endif
    local const T *pa = tile_a + (step & 1) * BK * PITCH_A + item_m, *pb = tile_b + (step & 1) * BK * BN + item_n;
    UNROLL for (int k = 0; k < BK; ++k) {
      T x[TM], y[TN];
      UNROLL for (int i = 0; i < TM; i += 4) {
        const T4 v = *(local const T4 *)(pa + k * PITCH_A + i * LM);
        x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
      }
      UNROLL for (int j = 0; j < TN; j += 4) {
        const T4 v = *(local const T4 *)(pb + k * BN + j * LN);
        y[j] = v.x, y[j + 1] = v.y, y[j + 2] = v.z, y[j + 3] = v.w;
      }
      UNROLL for (int i = 0; i < TM; ++i) UNROLL for (int j = 0; j < TN; ++j) sum[i][j] += x[i] * y[j];
    }
    if (step + 1 < steps) DEPOSIT((step + 1) & 1)
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  // Through local memory, 4 of each item's rows at a time, so that neighbours write neighbouring columns and the epilogue
  // stands in the code once. Row 4 * w + i of `rest` is row (warp row, lane row, i) of the tile, w counting BM / TM of them.
#define CHUNK_ROWS (BM / TM * 4)
  local T *rest = buffer;
  for (int chunk = 0; chunk < TM / 4; ++chunk) {
    UNROLL for (int i = 0; i < TM; ++i) {
      if (i / 4 == chunk) {
        local T *to = rest + ((warp / WARPS_N * LM + lane_m) * 4 + i % 4) * BN + item_n;
        UNROLL for (int j = 0; j < TN; ++j) to[j / 4 * LN * 4 + j % 4] = sum[i][j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int e = id; e < CHUNK_ROWS * (BN / 4); e += ITEMS) {
      const int row = e / (BN / 4), col = e % (BN / 4) * 4;
      const index_t m = m0 + row / (4 * LM) * WM + chunk * 4 * LM + row % (4 * LM), q = n0 + col;
      if (m >= row_all || q >= cols) continue;
      const index_t n = cols - q;
      const TV value = *(local const T4 *)(rest + row * BN + col);
#ifdef SPLIT
      global T *to = partial + partial_offset +
                     (((long)GROUP_1 * groups0 * groups1 * groups2 + g) * row_all + m) * cols + q;
      const T lanes[4] = {value.x, value.y, value.z, value.w};
      for (int j = 0; j < 4 && j < n; ++j) to[j] = lanes[j];
#elif defined(FILTER)
      DECODE_TAP(m)
      global ELEMENT *to = b + b_offset + B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k_ * b_depth + q * b_col;
      const T lanes[4] = {value.x, value.y, value.z, value.w};
      for (int j = 0; j < 4 && j < n; ++j) STORE_ONE(to + j * b_col, lanes[j])
#else
      DECODE_ROW(m)
      EPILOGUE_ROW
      STORE_C(EPILOGUE(value, q, n), c + c_offset + C_ROW + q * c_col, n)
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The slices of contract_tile added up, first to last; an item has 4 columns of a row.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void contract_tile_sum(PROBLEM_PARAMETERS, global T *partial,
                                                                              long partial_offset, int slices
                                                                              EPILOGUE_PARAMETERS) {
  const index_t row_all = ROWS_ALL, quads = (cols + 3) / 4, item = GROUP_0 * 64 + (index_t)get_local_id(0);
  if (item >= row_all * quads) return;
  const index_t m = item / quads, q = item % quads * 4, n = min((index_t)4, cols - q), g = GROUP_2;
  DECODE_GROUP(g)
  const long one = (long)groups0 * groups1 * groups2 * row_all * cols;
  global const T *from = partial + partial_offset + ((long)g * row_all + m) * cols + q;
  T lanes[4] = {0, 0, 0, 0};
  for (int s = 0; s < slices; ++s)
    for (int j = 0; j < n; ++j) lanes[j] += from[s * one + j];
#ifdef FILTER
  DECODE_TAP(m)
  global ELEMENT *to = b + b_offset + B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k_ * b_depth + q * b_col;
  for (int j = 0; j < n; ++j) STORE_ONE(to + j * b_col, lanes[j])
#else
  DECODE_ROW(m)
  EPILOGUE_ROW
  const TV value = (TV)(lanes[0], lanes[1], lanes[2], lanes[3]);
  STORE_C(EPILOGUE(value, q, n), c + c_offset + C_ROW + q * c_col, n)
#endif
}
