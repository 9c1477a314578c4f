// What all contraction kernels share: the problem's sizes and strides as parameters (contraction.hpp says what they
// mean), reading a through its window, loads and stores of the storage type.
//   STORAGE  type of a, b and c in memory        REAL  type of the arithmetic (f32 for f16 and bf16)
//   EPILOGUE_PARAMETERS, EPILOGUE_LOADS, EPILOGUE  come from the host (epilogue.cpp), together with EPILOGUE_TYPE.
#include "cl/types.cl"

#define PROBLEM_PARAMETERS                                                                                             \
  global STORAGE *a, long a_offset, global STORAGE *b, long b_offset, global STORAGE *c, long c_offset,                \
      index_t groups0, index_t groups1, index_t groups2, index_t rows0, index_t rows1, index_t rows2, index_t rows3,   \
      index_t taps0, index_t taps1, index_t taps2, index_t depth, index_t cols, index_t extent0, index_t extent1,      \
      index_t extent2, index_t step0, index_t step1, index_t step2, index_t dilation0, index_t dilation1,              \
      index_t dilation2, index_t origin0, index_t origin1, index_t origin2, index_t a_group0, index_t a_group1,        \
      index_t a_group2, index_t a_image, index_t a_space0, index_t a_space1, index_t a_space2, index_t a_depth,        \
      index_t b_group0, index_t b_group1, index_t b_group2, index_t b_tap0, index_t b_tap1, index_t b_tap2,            \
      index_t b_depth, index_t b_col, index_t c_group0, index_t c_group1, index_t c_group2, index_t c_row0,            \
      index_t c_row1, index_t c_row2, index_t c_row3, index_t c_col

// One element of the storage type. Half is read and written by vload_half and vstore_half, which need no extension;
// bf16 is the upper half of a float, rounded to nearest even.
#if defined(STORAGE_IS_F16)
#define LOAD(p, i) vload_half((i), (p))
#define STORE(value, p, i) vstore_half_rte((value), (i), (p))
#elif defined(STORAGE_IS_BF16)
static inline ushort bf16_of(float x) {
  const uint bits = as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (ushort)((bits >> 16) | 0x40u);  // a NaN stays one
  return (ushort)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
#define LOAD(p, i) as_float((uint)(p)[i] << 16)
#define STORE(value, p, i) (p)[i] = bf16_of(value)
#else
#define LOAD(p, i) ((p)[i])
#define STORE(value, p, i) (p)[i] = (value)
#endif
