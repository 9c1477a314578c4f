// What all contraction kernels share: the problem's sizes and strides as parameters (contraction.hpp says what they
// mean) and loads of single elements. In front of this text the host puts (frame.cpp) T and TV, the type of the
// arithmetic and WIDTH lanes of it; ELEMENT, the type of a, b and c in memory; and the epilogue's macros.
#define PROBLEM_PARAMETERS                                                                                             \
  index_t grid0, index_t grid1,                                                                                        \
  global ELEMENT *a, long a_offset, global ELEMENT *b, long b_offset, global ELEMENT *c, long c_offset,                \
      index_t groups0, index_t groups1, index_t groups2, index_t rows0, index_t rows1, index_t rows2, index_t rows3,   \
      index_t taps0, index_t taps1, index_t taps2, index_t depth, index_t cols, index_t extent0, index_t extent1,      \
      index_t extent2, index_t step0, index_t step1, index_t step2, index_t dilation0, index_t dilation1,              \
      index_t dilation2, index_t origin0, index_t origin1, index_t origin2, index_t a_group0, index_t a_group1,        \
      index_t a_group2, index_t a_image, index_t a_space0, index_t a_space1, index_t a_space2, index_t a_depth,        \
      index_t b_group0, index_t b_group1, index_t b_group2, index_t b_tap0, index_t b_tap1, index_t b_tap2,            \
      index_t b_depth, index_t b_col, index_t c_group0, index_t c_group1, index_t c_group2, index_t c_row0,            \
      index_t c_row1, index_t c_row2, index_t c_row3, index_t c_col

// Work-groups are numbered in three dimensions of sizes grid0, grid1 and any, but queued in one: devices allow few
// groups in the others.
#define GROUP_0 ((index_t)get_group_id(0) % grid0)
#define GROUP_1 ((index_t)get_group_id(0) / grid0 % grid1)
#define GROUP_2 ((index_t)get_group_id(0) / grid0 / grid1)

// Element i of p in the arithmetic's type. Half needs no extension to be read so.
#if defined(ELEMENT_IS_F16)
#define LOAD(p, i) vload_half((i), (global const half *)(p))
#elif defined(ELEMENT_IS_BF16)
#define LOAD(p, i) as_float((uint)(p)[i] << 16)
#else
#define LOAD(p, i) ((T)(p)[i])
#endif

// Lanes 0..n of a vector of c, beginning at p; n may exceed WIDTH.
#ifdef C_UNIT
#define STORE_C(value, p, n)                                                  \
  {                                                                           \
    if ((n) >= WIDTH) CAT(store_, ELEMENT_KIND)((p), (value));                \
    else if ((n) > 0) CAT(store_part_, ELEMENT_KIND)((p), (value), (int)(n)); \
  }
#else
#define STORE_C(value, p, n) { if ((n) > 0) CAT(scatter_, ELEMENT_KIND)((p), c_col, (value), (int)min((index_t)(n), (index_t)WIDTH)); }
#endif

#define DECODE_GROUP(g) const index_t g2 = (g) % groups2, g1 = (g) / groups2 % groups1, g0 = (g) / groups2 / groups1;
#define DECODE_ROW(m)                                                               \
  const index_t r3 = (m) % rows3, m2_ = (m) / rows3, r2 = m2_ % rows2, m1_ = m2_ / rows2, r1 = m1_ % rows1, \
                r0 = m1_ / rows1;
#define A_GROUP (g0 * a_group0 + g1 * a_group1 + g2 * a_group2)
#define B_GROUP (g0 * b_group0 + g1 * b_group1 + g2 * b_group2)
#define C_ROW                                                                                                      \
  (g0 * c_group0 + g1 * c_group1 + g2 * c_group2 + r0 * c_row0 + r1 * c_row1 + r2 * c_row2 + r3 * c_row3)

// One element, converted from the arithmetic's type.
#if defined(ELEMENT_IS_F16)
#define STORE_ONE(p, value) vstore_half_rte((value), 0, (global half *)(p));
#elif defined(ELEMENT_IS_BF16)
static inline ushort bf16_of(float x) {
  const uint bits = as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)((bits >> 16) | 0x40u);  // a NaN stays one
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#define STORE_ONE(p, value) *(p) = bf16_of(value);
#else
#define STORE_ONE(p, value) *(p) = (ELEMENT)(value);
#endif
