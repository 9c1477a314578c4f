// The inner loop of the `vector` family: a tile of MR rows by NV vectors of WIDTH lanes, held in named registers.
//
//              NR = NV * WIDTH columns
//             +---------+---------+
//       x0    | s0_0    | s0_1    |      for each k:  s<i>_<v> += x<i> * b<v>
//       x1    | s1_0    | s1_1    |      x<i>  one number, repeated over the lanes
//       ...   | ...     | ...     |      b<v>  a vector of consecutive columns
//             +---------+---------+
//                b0        b1
//
// What made this text fast on every CPU runtime tried: `s += x * b`, never mad() or fma(); no built-in function in the
// loop; named variables, no arrays; vectors loaded through a function that returns one (clang marks it as using wide
// vectors, and inlining passes the mark on; without it AVX-512 code is split into halves).
#ifndef NV
#define NV 2    // vectors of a row of the tile, each of WIDTH lanes: the device's native width for T
#endif
#ifndef MR
#define MR 6    // rows of the tile: MR * NV sums, NV + 1 more registers must fit (16 on AVX2, 32 on AVX-512)
#endif
#define NR (NV * WIDTH)

typedef TV TV_any __attribute__((aligned(sizeof(T))));  // the same vector at any element's address

static inline TV load_aligned(global const T *p) { return *(global const TV *)p; }
static inline TV load_any(global const T *p) { return *(global const TV_any *)p; }
static inline void store_any(TV value, global T *p) { *(global TV_any *)p = value; }

// The first n lanes, the others 0; n may be anything. And their store.
static inline TV load_part(global const T *p, int n) {
  union { TV all; T lane[WIDTH]; } u;
  u.all = (TV)(0);
  for (int i = 0; i < n && i < WIDTH; ++i) u.lane[i] = p[i];
  return u.all;
}
static inline void store_part(TV value, global T *p, int n) {
  union { TV all; T lane[WIDTH]; } u;
  u.all = value;
  for (int i = 0; i < n && i < WIDTH; ++i) p[i] = u.lane[i];
}

#define ONE_ITEM __attribute__((reqd_work_group_size(1, 1, 1)))

#define ROWS_1(F) F(0)
#define ROWS_2(F) ROWS_1(F) F(1)
#define ROWS_3(F) ROWS_2(F) F(2)
#define ROWS_4(F) ROWS_3(F) F(3)
#define ROWS_5(F) ROWS_4(F) F(4)
#define ROWS_6(F) ROWS_5(F) F(5)
#define ROWS_7(F) ROWS_6(F) F(6)
#define ROWS_8(F) ROWS_7(F) F(7)
#define ROWS_9(F) ROWS_8(F) F(8)
#define ROWS_10(F) ROWS_9(F) F(9)
#define ROWS_11(F) ROWS_10(F) F(10)
#define ROWS_12(F) ROWS_11(F) F(11)
#define ROWS_13(F) ROWS_12(F) F(12)
#define ROWS_14(F) ROWS_13(F) F(13)
#define EACH_ROW(F) CAT(ROWS_, MR)(F)

#define VECTORS_1(F, i) F(i, 0)
#define VECTORS_2(F, i) VECTORS_1(F, i) F(i, 1)
#define VECTORS_3(F, i) VECTORS_2(F, i) F(i, 2)
#define VECTORS_4(F, i) VECTORS_3(F, i) F(i, 3)
#define EACH_VECTOR(F, i) CAT(VECTORS_, NV)(F, i)

#define DECLARE_SUM(i, v) TV s##i##_##v = (TV)(0);
#define DECLARE_ROW_SUMS(i) EACH_VECTOR(DECLARE_SUM, i)
#define DECLARE_SUMS EACH_ROW(DECLARE_ROW_SUMS)
// The sums as an array, for what is done once a tile: loops over it keep the code small (drivers took a minute over the
// epilogue written out MR * NV times).
#define SAVE_SUM(i, v) sums[i * NV + v] = s##i##_##v;
#define SAVE_ROW_SUMS(i) EACH_VECTOR(SAVE_SUM, i)
#define SAVE_SUMS TV sums[MR * NV]; EACH_ROW(SAVE_ROW_SUMS)
#define ADD_PRODUCT(i, v) s##i##_##v += (TV)(x##i) * b##v;

// b from a panel: NR consecutive aligned elements a step of k.
#define LOAD_PANEL(i, v) const TV b##v = load_aligned(pb + v * WIDTH);
// The same from anywhere, and where only `left` columns are there.
#define LOAD_DIRECT(i, v) const TV b##v = load_any(pb + v * WIDTH);
#define LOAD_PART(i, v) const TV b##v = load_part(pb + v * WIDTH, left - v * WIDTH);

// x from MR row pointers a<i>, the k-th element of each.
#define ROW_POINTER_STEP(i) { const T x##i = a##i[k]; EACH_VECTOR(ADD_PRODUCT, i) }
#define RUN_ROW_POINTERS_BY(n, LOAD_B, b_step) \
  for (int k = 0; k < (n); ++k, pb += (b_step)) { EACH_VECTOR(LOAD_B, 0) EACH_ROW(ROW_POINTER_STEP) }
#define RUN_ROW_POINTERS(n) RUN_ROW_POINTERS_BY(n, LOAD_PANEL, NR)

// x from MR consecutive elements at pa, which moves on by `a_step` a step of k; b moves on by `b_step`.
#define CONSECUTIVE_STEP(i) { const T x##i = pa[i]; EACH_VECTOR(ADD_PRODUCT, i) }
#define RUN_CONSECUTIVE(n, LOAD_B, a_step, b_step) \
  for (int k = 0; k < (n); ++k, pa += (a_step), pb += (b_step)) { EACH_VECTOR(LOAD_B, 0) EACH_ROW(CONSECUTIVE_STEP) }
