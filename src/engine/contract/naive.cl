// The reference family: one work-item an element of the result, one loop a dimension of the sum. Any sizes, strides,
// windows and types; what the other families refuse ends here.
#include "engine/contract/problem.cl"

// c[g, r, q] = epilogue(sum over t, k of a[g, r, t, k] * b[g, t, k, q])
kernel void contract_naive_product(PROBLEM_PARAMETERS EPILOGUE_PARAMETERS) {
  const index_t rows = rows0 * rows1 * rows2 * rows3, groups = groups0 * groups1 * groups2, i = get_global_id(0);
  if (i >= groups * rows * cols) return;
  const index_t q = i % cols, row = i / cols % rows, group = i / cols / rows;
  DECODE_ROW(row)
  DECODE_GROUP(group)

  global const ELEMENT *pa = a + a_offset + A_GROUP + r0 * a_image;
  global const ELEMENT *pb = b + b_offset + B_GROUP + q * b_col;
  T sum = 0;
  for (index_t t0 = 0; t0 < taps0; ++t0) {
    const index_t x0 = r1 * step0 + t0 * dilation0 + origin0;
    if (x0 < 0 || x0 >= extent0) continue;
    for (index_t t1 = 0; t1 < taps1; ++t1) {
      const index_t x1 = r2 * step1 + t1 * dilation1 + origin1;
      if (x1 < 0 || x1 >= extent1) continue;
      for (index_t t2 = 0; t2 < taps2; ++t2) {
        const index_t x2 = r3 * step2 + t2 * dilation2 + origin2;
        if (x2 < 0 || x2 >= extent2) continue;
        const index_t at = x0 * a_space0 + x1 * a_space1 + x2 * a_space2;
        const index_t bt = t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2;
        for (index_t k = 0; k < depth; ++k) sum += LOAD(pa, at + k * a_depth) * LOAD(pb, bt + k * b_depth);
      }
    }
  }
  EPILOGUE_ROW
  STORE_C(EPILOGUE(sum, q, 1), c + c_offset + C_ROW + q * c_col, 1)
}

// b[g, t, k, q] = sum over r of a[g, r, t, k] * c[g, r, q]
kernel void contract_naive_filter(PROBLEM_PARAMETERS) {
  const index_t taps = taps0 * taps1 * taps2, groups = groups0 * groups1 * groups2, i = get_global_id(0);
  if (i >= groups * taps * depth * cols) return;
  const index_t q = i % cols, k = i / cols % depth, t = i / cols / depth % taps, group = i / cols / depth / taps;
  const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1;
  DECODE_GROUP(group)

  global const ELEMENT *pa = a + a_offset + A_GROUP + k * a_depth;
  global const ELEMENT *pc = c + c_offset + g0 * c_group0 + g1 * c_group1 + g2 * c_group2 + q * c_col;
  T sum = 0;
  for (index_t r0 = 0; r0 < rows0; ++r0)
    for (index_t r1 = 0; r1 < rows1; ++r1) {
      const index_t x0 = r1 * step0 + t0 * dilation0 + origin0;
      if (x0 < 0 || x0 >= extent0) continue;
      for (index_t r2 = 0; r2 < rows2; ++r2) {
        const index_t x1 = r2 * step1 + t1 * dilation1 + origin1;
        if (x1 < 0 || x1 >= extent1) continue;
        const index_t at = r0 * a_image + x0 * a_space0 + x1 * a_space1;
        const index_t ct = r0 * c_row0 + r1 * c_row1 + r2 * c_row2;
        for (index_t r3 = 0; r3 < rows3; ++r3) {
          const index_t x2 = r3 * step2 + t2 * dilation2 + origin2;
          if (x2 < 0 || x2 >= extent2) continue;
          sum += LOAD(pa, at + x2 * a_space2) * LOAD(pc, ct + r3 * c_row3);
        }
      }
    }
  const index_t bt = B_GROUP + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k * b_depth + q * b_col;
  CAT(store_, ELEMENT_KIND)(b + b_offset + bt, sum);
}
