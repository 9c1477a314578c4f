// Vectors of VW elements of one storage type T, in arithmetic of `real`: float for the halves, int for the narrow
// integers, otherwise T itself. What a reduction along rows needs: loads and stores with tails, folds across a vector
// and across the work-items (lanes) that share a row.
//
//   VW      1, 2, 4, 8 or 16: elements a vector. With 1 every vector below is a scalar.
//   LANES   work-items that share a fold, a power of two that divides the group; 1: no local memory is used.
#include "cl/types.cl"

#ifndef VW
#define VW 1
#endif
#ifndef LANES
#define LANES 1
#endif

#if T_IS_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define real double
#define whole long
#define LOWEST (-INFINITY)
#elif T_IS_F32 || T_IS_F16 || T_IS_BF16
#define real float
#define whole int
#define LOWEST (-INFINITY)
#elif T_IS_I64
#define real long
#define whole long
#define LOWEST LONG_MIN
#elif T_IS_U64
#define real ulong
#define whole long
#define LOWEST 0
#elif T_IS_U32
#define real uint
#define whole int
#define LOWEST 0
#else
#define real int
#define whole int
#define LOWEST INT_MIN
#endif

// `whole` has real's width: what a comparison of two vectors gives, and what ?: takes beside them.
#if VW == 1
typedef real realv;
typedef whole wholev;
typedef uint uintv;
#define to_real(v) ((real)(v))
#define to_storage(v) ((T)(v))
#define to_int(v) ((int)(v))
#define to_whole(v) ((whole)(v))
#else
typedef CAT(real, VW) realv;
typedef CAT(whole, VW) wholev;
typedef CAT(uint, VW) uintv;
typedef CAT(int, VW) intv;
#define to_real(v) CAT(CAT(convert_, real), VW)(v)
#define to_storage(v) CAT(CAT(convert_, T), VW)(v)
#define to_int(v) CAT(convert_int, VW)(v)
#define to_whole(v) CAT(CAT(convert_, whole), VW)(v)
#endif

// Element i of p.
static inline real load(global const T *p, index_t i) {
#if T_IS_F16
  return vload_half(0, p + i);
#elif T_IS_BF16
  return as_float((uint)p[i] << 16);
#else
  return p[i];
#endif
}

#if T_IS_BF16
// Rounds to nearest even; a NaN stays one.
static inline ushort to_bfloat(float v) {
  uint bits = as_uint(v);
  return v != v ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
#endif

static inline void store(real v, global T *p, index_t i) {
#if T_IS_F16
  vstore_half_rte(v, 0, p + i);
#elif T_IS_BF16
  p[i] = to_bfloat(v);
#else
  p[i] = v;
#endif
}

#if VW == 1
#define loadv load
#define storev store
#define load_upto(p, i, count, fill) load(p, i)
#define store_upto(v, p, i, count) store(v, p, i)
#define load_whole(p, i, count) ((whole)(p)[i])
#define store_whole(v, p, i, count) ((p)[i] = (int)(v))
#else
// Elements i to i + VW - 1 of p. An inline function that returns the vector: clang then knows that the kernel wants
// registers of that width, and does not split them.
static inline realv loadv(global const T *p, index_t i) {
#if T_IS_F16
  return CAT(vload_half, VW)(0, p + i);
#elif T_IS_BF16
  return CAT(as_float, VW)(CAT(convert_uint, VW)(CAT(vload, VW)(0, p + i)) << 16);
#elif T_IS_F32 || T_IS_F64
  return CAT(vload, VW)(0, p + i);
#else
  return to_real(CAT(vload, VW)(0, p + i));
#endif
}

static inline void storev(realv v, global T *p, index_t i) {
#if T_IS_F16
  CAT(CAT(vstore_half, VW), _rte)(v, 0, p + i);
#elif T_IS_BF16
  uintv bits = CAT(as_uint, VW)(v);
  bits = v != v ? (uintv)(0x7fc0) : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  CAT(vstore, VW)(CAT(convert_ushort, VW)(bits), 0, p + i);
#elif T_IS_F32 || T_IS_F64
  CAT(vstore, VW)(v, 0, p + i);
#else
  CAT(vstore, VW)(to_storage(v), 0, p + i);
#endif
}

// As loadv and storev, but touches `count` elements only (all where count >= VW); the rest of the vector is `fill`.
static inline realv load_upto(global const T *p, index_t i, index_t count, real fill) {
  if (count >= VW) return loadv(p, i);
  real t[VW];
  for (int k = 0; k < VW; k++) t[k] = k < count ? load(p, i + k) : fill;
  return CAT(vload, VW)(0, t);
}

static inline void store_upto(realv v, global T *p, index_t i, index_t count) {
  if (count >= VW) {
    storev(v, p, i);
    return;
  }
  real t[VW];
  CAT(vstore, VW)(v, 0, t);
  for (int k = 0; k < VW; k++)
    if (k < count) store(t[k], p, i + k);
}

// The same for numbers kept as int beside the data.
static inline wholev load_whole(global const int *p, index_t i, index_t count) {
  if (count >= VW) return to_whole(CAT(vload, VW)(0, p + i));
  int t[VW];
  for (int k = 0; k < VW; k++) t[k] = k < count ? p[i + k] : 0;
  return to_whole(CAT(vload, VW)(0, t));
}

static inline void store_whole(wholev v, global int *p, index_t i, index_t count) {
  intv narrow = to_int(v);
  if (count >= VW) {
    CAT(vstore, VW)(narrow, 0, p + i);
    return;
  }
  int t[VW];
  CAT(vstore, VW)(narrow, 0, t);
  for (int k = 0; k < VW; k++)
    if (k < count) p[i + k] = t[k];
}
#endif

// Folds across a vector, in halves: a fixed order.
static inline real sum_of(realv v) {
#if VW == 1
  return v;
#else
  real t[VW];
  CAT(vstore, VW)(v, 0, t);
  for (int half_width = VW / 2; half_width > 0; half_width /= 2)
    for (int k = 0; k < half_width; k++) t[k] += t[k + half_width];
  return t[0];
#endif
}

static inline real max_of(realv v) {
#if VW == 1
  return v;
#else
  real t[VW];
  CAT(vstore, VW)(v, 0, t);
  for (int half_width = VW / 2; half_width > 0; half_width /= 2)
    for (int k = 0; k < half_width; k++) t[k] = t[k + half_width] > t[k] ? t[k + half_width] : t[k];
  return t[0];
#endif
}

// Folds across the LANES work-items of each row; every item of the group calls them, and each gets its row's total.
// `t` holds one number a work-item.
#if LANES == 1
#define sum_lanes(v, t) (v)
#define max_lanes(v, t) (v)
#else
static inline real sum_lanes(real v, local real *t) {
  const int i = get_local_id(0);
  t[i] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = LANES / 2; h > 0; h /= 2) {
    if ((i & (LANES - 1)) < h) t[i] += t[i + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  v = t[i & ~(LANES - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}

static inline real max_lanes(real v, local real *t) {
  const int i = get_local_id(0);
  t[i] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = LANES / 2; h > 0; h /= 2) {
    if ((i & (LANES - 1)) < h) t[i] = t[i + h] > t[i] ? t[i + h] : t[i];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  v = t[i & ~(LANES - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  return v;
}
#endif
