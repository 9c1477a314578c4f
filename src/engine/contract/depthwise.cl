// Contractions of many groups with next to nothing in each: depthwise convolutions in all directions. The groups are
// taken as the columns here (depthwise.cpp turns the problem around), so that the lanes of a vector are channels; what
// was the column, the multiplier, is a group. Along columns a moves by a_col.
//
//   contract_depthwise_product   c[g, r, q] = epilogue(sum over t, k of a[r, t, k, q] * b[g, t, k, q])
//   contract_depthwise_filter    partial[slice][g][t][q] = sum over r of a[r, t, q] * c[g, r, q], depth 1
//
// An item walks `chunk` columns, NV vectors at a time: on CPUs a group is one item, on GPUs 64 of one column each.
#ifndef NV
#define NV 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
// A_UNIT, B_UNIT, C_UNIT: the operand is contiguous along columns.
#include "engine/contract/problem.cl"

#define FETCH(p, stride, n) CAT(gather_, ELEMENT_KIND)(p, stride, (int)min((index_t)(n), (index_t)WIDTH))
#define FETCH_UNIT(p, n) ((n) >= WIDTH ? CAT(load_, ELEMENT_KIND)(p) : CAT(load_part_, ELEMENT_KIND)((p), (int)(n)))
#ifdef A_UNIT
#define FETCH_A(p, n) FETCH_UNIT(p, n)
#else
#define FETCH_A(p, n) FETCH(p, a_col, n)
#endif
#ifdef B_UNIT
#define FETCH_B(p, n) FETCH_UNIT(p, n)
#else
#define FETCH_B(p, n) FETCH(p, b_col, n)
#endif
#ifdef C_UNIT
#define FETCH_C(p, n) FETCH_UNIT(p, n)
#else
#define FETCH_C(p, n) FETCH(p, c_col, n)
#endif

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void contract_depthwise_product(PROBLEM_PARAMETERS, index_t a_col,
                                                                                          int chunk, int block_rows
                                                                                          EPILOGUE_PARAMETERS) {
  const index_t g = GROUP_2, row_count = rows0 * rows1 * rows2 * rows3;
  DECODE_GROUP(g)
  const index_t q0 = (GROUP_0 * ITEMS + (index_t)get_local_id(0)) * chunk, q1 = min(cols, q0 + chunk);
  const index_t m0 = GROUP_1 * block_rows, m1 = min(row_count, m0 + block_rows);
  for (index_t m = m0; m < m1; ++m) {
    DECODE_ROW(m)
    EPILOGUE_ROW
    global ELEMENT *to = c + c_offset + C_ROW;
    for (index_t q = q0; q < q1; q += NV * WIDTH) {
      TV sum[NV];
      for (int v = 0; v < NV; ++v) sum[v] = (TV)(0);
      for (index_t t0 = 0; t0 < taps0; ++t0) {
        const index_t x0 = r1 * step0 + t0 * dilation0 + origin0;
        if (x0 < 0 || x0 >= extent0) continue;
        for (index_t t1 = 0; t1 < taps1; ++t1) {
          const index_t x1 = r2 * step1 + t1 * dilation1 + origin1;
          if (x1 < 0 || x1 >= extent1) continue;
          for (index_t t2 = 0; t2 < taps2; ++t2) {
            const index_t x2 = r3 * step2 + t2 * dilation2 + origin2;
            if (x2 < 0 || x2 >= extent2) continue;
            global const ELEMENT *pa = a + a_offset + A_GROUP + r0 * a_image + x0 * a_space0 + x1 * a_space1 +
                                       x2 * a_space2 + q * a_col;
            global const ELEMENT *pb = b + b_offset + B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + q * b_col;
            for (index_t k = 0; k < depth; ++k, pa += a_depth, pb += b_depth)
              for (int v = 0; v < NV; ++v) {
                const index_t n = q1 - q - v * WIDTH;
                if (n > 0) sum[v] += FETCH_A(pa + v * WIDTH * a_col, n) * FETCH_B(pb + v * WIDTH * b_col, n);
              }
          }
        }
      }
      for (int v = 0; v < NV; ++v) {
        const index_t at = q + v * WIDTH, n = q1 - at;
        if (n > 0) STORE_C(EPILOGUE(sum[v], at, n), to + at * c_col, n)
      }
    }
  }
}

// A group sums `slice_lines` lines of positions (a line runs along r[3]).
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void contract_depthwise_filter(PROBLEM_PARAMETERS, index_t a_col,
                                                                                         int chunk, int slice_lines,
                                                                                         global T *partial,
                                                                                         long partial_offset) {
  const index_t g = GROUP_2, lines = rows0 * rows1 * rows2, taps = taps0 * taps1 * taps2;
  DECODE_GROUP(g)
  const index_t q0 = (GROUP_0 * ITEMS + (index_t)get_local_id(0)) * chunk, q1 = min(cols, q0 + chunk);
  const index_t line0 = GROUP_1 * slice_lines, line1 = min(lines, line0 + slice_lines);
  global const ELEMENT *image_c = c + c_offset + g0 * c_group0 + g1 * c_group1 + g2 * c_group2;
  global T *to = partial + partial_offset +
                 ((long)GROUP_1 * groups0 * groups1 * groups2 + g) * (long)taps * (long)cols;
  for (index_t q = q0; q < q1; q += NV * WIDTH)
    for (index_t t = 0; t < taps; ++t) {
      const index_t d2 = t % taps2 * dilation2 + origin2, d1 = t / taps2 % taps1 * dilation1 + origin1,
                    d0 = t / taps2 / taps1 * dilation0 + origin0;
      // The positions of a line where the tap lies inside a.
      const index_t low = d2 < 0 ? (-d2 + step2 - 1) / step2 : 0;
      const index_t high = extent2 - 1 - d2 < 0 ? 0 : min(rows3, (extent2 - 1 - d2) / step2 + 1);
      TV sum[NV];
      for (int v = 0; v < NV; ++v) sum[v] = (TV)(0);
      for (index_t line = line0; line < line1; ++line) {
        const index_t r2 = line % rows2, r1 = line / rows2 % rows1, r0 = line / rows2 / rows1;
        const index_t x0 = r1 * step0 + d0, x1 = r2 * step1 + d1;
        if (x0 < 0 || x0 >= extent0 || x1 < 0 || x1 >= extent1) continue;
        global const ELEMENT *pa = a + a_offset + A_GROUP + r0 * a_image + x0 * a_space0 + x1 * a_space1 +
                                   (low * step2 + d2) * a_space2 + q * a_col;
        global const ELEMENT *pc = image_c + r0 * c_row0 + r1 * c_row1 + r2 * c_row2 + low * c_row3 + q * c_col;
        for (index_t r3 = low; r3 < high; ++r3, pa += step2 * a_space2, pc += c_row3)
          for (int v = 0; v < NV; ++v) {
            const index_t n = q1 - q - v * WIDTH;
            if (n > 0) sum[v] += FETCH_A(pa + v * WIDTH * a_col, n) * FETCH_C(pc + v * WIDTH * c_col, n);
          }
      }
      for (int v = 0; v < NV; ++v) {
        T lanes[WIDTH];
        *(TV *)lanes = sum[v];
        for (index_t j = 0; j < WIDTH && q + v * WIDTH + j < q1; ++j) to[t * cols + q + v * WIDTH + j] = lanes[j];
      }
    }
}

// b = the sum of the slices, first to last; one item an element.
kernel void contract_depthwise_sum(PROBLEM_PARAMETERS, global T *partial, long partial_offset, int slices) {
  const index_t taps = taps0 * taps1 * taps2, one = groups0 * groups1 * groups2 * taps * cols, i = get_global_id(0);
  if (i >= one) return;
  T sum = 0;
  for (int s = 0; s < slices; ++s) sum += partial[partial_offset + (long)s * one + i];
  const index_t q = i % cols, t = i / cols % taps, g = i / cols / taps;
  const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1;
  DECODE_GROUP(g)
  STORE_ONE(b + b_offset + B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + q * b_col, sum)
}
