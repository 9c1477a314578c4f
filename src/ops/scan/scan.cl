// Running totals along the middle dimension of x [outer, n, inner]: y[o, i, k] = x[o, 0, k] (op) ... (op) x[o, i, k].
//
// S, T, WIDTH  the elements' type, its arithmetic, and the columns taken at once (cl/vector.cl)
// OPERATION   SUM, PRODUCT or LOG_SUM_EXP
// EXCLUSIVE   leaves out x[o, i, k] itself; REVERSE runs from the end
// GROUP       items of a group of scan_rows
#include "cl/vector.cl"

#define SUM 0
#define PRODUCT 1
#define LOG_SUM_EXP 2

#if OPERATION == SUM
#define NEUTRAL 0
#define JOIN(a, b) ((a) + (b))
#elif OPERATION == PRODUCT
#define NEUTRAL 1
#define JOIN(a, b) ((a) * (b))
#else
#define NEUTRAL (-INFINITY)
// Equal numbers apart: infinities are not subtracted.
#if T_IS_F64
#define LN2 ALL(0.6931471805599453)
#else
#define LN2 ALL(0.6931471805599453f)
#endif
static inline TV join(TV a, TV b) {
  const TV high = fmax(a, b), low = fmin(a, b);
  return high + (high == low ? LN2 : log1p(exp(low - high)));
}
#define JOIN(a, b) join(a, b)
#endif

#if REVERSE
#define AT(i) (n - 1 - (i))
#else
#define AT(i) (i)
#endif

// An item walks down WIDTH columns (fewer at the end). `blocks` of them lie beside each other, `each` are one item's.
kernel void scan_columns(global const S *x, long x_offset, global S *y, long y_offset, index_t n, index_t inner,
                         index_t blocks, index_t total, index_t each) {
  x += x_offset;
  y += y_offset;
  const index_t first = (index_t)get_global_id(0) * each, last = min(first + each, total);
  for (index_t block = first; block < last; ++block) {
    const index_t k = block % blocks * WIDTH, above = block / blocks * n * inner;
    const index_t count = inner - k;
    TV sum = ALL(NEUTRAL);
    for (index_t i = 0; i < n; ++i) {
      const index_t at = above + AT(i) * inner + k;
      const TV value = load_upto(x, at, count, 0);
#if EXCLUSIVE
      store_upto(sum, y, at, count);
      sum = JOIN(sum, value);
#else
      sum = JOIN(sum, value);
      store_upto(sum, y, at, count);
#endif
    }
  }
}

#if GROUP > 1
// A group takes one line of elements, GROUP of them at a time.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void scan_rows(
    global const S *x, long x_offset, global S *y, long y_offset, index_t n, index_t inner) {
  local T t[GROUP];
  x += x_offset;
  y += y_offset;
  const int item = (int)get_local_id(0);
  const index_t line = (index_t)get_group_id(0), at = line / inner * n * inner + line % inner;
  T carry = NEUTRAL;
  for (index_t begin = 0; begin < n; begin += GROUP) {
    const index_t i = begin + item;
    T sum = i < n ? load(x, at + AT(i) * inner) : (T)NEUTRAL;
    t[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int h = 1; h < GROUP; h *= 2) {
      if (item >= h) sum = JOIN(t[item - h], sum);
      barrier(CLK_LOCAL_MEM_FENCE);
      t[item] = sum;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#if EXCLUSIVE
    const T before = item > 0 ? JOIN(carry, t[item - 1]) : carry;
    if (i < n) store(before, y, at + AT(i) * inner);
#else
    if (i < n) store(JOIN(carry, sum), y, at + AT(i) * inner);
#endif
    carry = JOIN(carry, t[GROUP - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif
