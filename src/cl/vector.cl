// Vectors of one storage type S in arithmetic T, for kernels that fold along rows: loads and stores with tails, folds
// across a vector and across the work-items (lanes) that share a row. Set by define_storage() of engine/form.hpp:
//
//   S, S_KIND   the storage type's bits and its name as cl/access.cl wants it; T its arithmetic
//   WIDTH       1, 2, 4, 8 or 16: elements a vector
//   LANES       work-items that share a fold, a power of two that divides the group; 1: no local memory is used
#ifndef LANES
#define LANES 1
#endif
#include "cl/types.cl"
#include "cl/half.cl"

#define KIND S_KIND
#define STORAGE S
#include "cl/access.cl"
#define ACCESS(what) CAT(what, S_KIND)

// The least value of T, and the numbers of the lanes of a vector.
#ifdef T_IS_REAL
#define LOWEST (-INFINITY)
#elif T_IS_I32
#define LOWEST INT_MIN
#elif T_IS_I64
#define LOWEST LONG_MIN
#else
#define LOWEST 0
#endif
#define LANE_NUMBERS_1 0
#define LANE_NUMBERS_2 0, 1
#define LANE_NUMBERS_4 LANE_NUMBERS_2, 2, 3
#define LANE_NUMBERS_8 LANE_NUMBERS_4, 4, 5, 6, 7
#define LANE_NUMBERS_16 LANE_NUMBERS_8, 8, 9, 10, 11, 12, 13, 14, 15
#define LANE_NUMBERS ((VEC(MT))(CAT(LANE_NUMBERS_, WIDTH)))

// A vector and WIDTH numbers, one seen as the other.
typedef union {
  TV all;
  T lane[WIDTH];
} lanes_of_T;
typedef union {
  VEC(MT) all;
  MT lane[WIDTH];
} lanes_of_MT;

static inline T first_of(TV v) {
  const lanes_of_T t = {v};
  return t.lane[0];
}

// Element i of p.
static inline T load(global const S *p, index_t i) { return first_of(ACCESS(load_one_)(p + i)); }
static inline void store(T v, global S *p, index_t i) { ACCESS(scatter_)(p + i, 1, ALL(v), 1); }

// Elements i to i + WIDTH - 1 of p, or `count` of them where that is less: the rest of the vector is `fill`.
// Inline functions that return the vector: clang then knows that the kernel wants registers of that width.
static inline TV load_upto(global const S *p, index_t i, index_t count, T fill) {
#if WIDTH > 1
  if (count < WIDTH) return LANE_NUMBERS < (VEC(MT))(count) ? ACCESS(load_part_)(p + i, count) : ALL(fill);
#endif
  return ACCESS(load_)(p + i);
}
static inline void store_upto(TV v, global S *p, index_t i, index_t count) {
#if WIDTH > 1
  if (count < WIDTH) {
    ACCESS(store_part_)(p + i, v, count);
    return;
  }
#endif
  ACCESS(store_)(p + i, v);
}

// The same for numbers that lie beside the data as int.
static inline VEC(MT) load_whole(global const int *p, index_t i, index_t count) {
  lanes_of_MT v;
  for (int k = 0; k < WIDTH; k++) v.lane[k] = k < count ? p[i + k] : 0;
  return v.all;
}
static inline void store_whole(VEC(MT) v, global int *p, index_t i, index_t count) {
  lanes_of_MT t = {v};
  for (int k = 0; k < WIDTH; k++)
    if (k < count) p[i + k] = t.lane[k];
}

// Folds across a vector, in halves: a fixed order.
static inline T sum_of(TV v) {
  lanes_of_T t = {v};
  for (int width = WIDTH / 2; width > 0; width /= 2)
    for (int k = 0; k < width; k++) t.lane[k] += t.lane[k + width];
  return t.lane[0];
}
static inline T max_of(TV v) {
  lanes_of_T t = {v};
  for (int width = WIDTH / 2; width > 0; width /= 2)
    for (int k = 0; k < width; k++) t.lane[k] = t.lane[k + width] > t.lane[k] ? t.lane[k + width] : t.lane[k];
  return t.lane[0];
}

// Folds across the LANES work-items of each row; every item of the group calls them, and each gets its row's total.
// `t` holds one number a work-item.
#if LANES == 1
#define sum_lanes(v, t) (v)
#define max_lanes(v, t) (v)
#else
static inline T sum_lanes(T v, local T *t) {
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
static inline T max_lanes(T v, local T *t) {
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
