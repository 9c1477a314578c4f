// Softmax and log-softmax along one axis, forward and gradient.
//
// Tensors are seen as [outer, inner, axis], in any order in memory: element i of line (o, b) is at
// o * outer_stride + b * inner_stride + i * axis_stride.
//
//   ALONG_AXIS 1: vectors run along the axis (of stride 1 unless WIDTH is 1), LANES items share a line.
//              0: vectors run along inner (of stride 1): WIDTH neighbouring lines at a time, no fold across lanes.
//   IS_LOG     log-softmax
//   BACKWARD   the gradient
//   STAGED     exponentials wait in y until the total is known; without, they are computed twice (halves would round)
//   LOCAL      work-items of a group
#include "cl/vector.cl"
#include "cl/math.cl"

#ifndef LOCAL
#define LOCAL 1
#endif

// Which elements of a line an item visits, how many it may touch at element i, and folds that give every lane the total.
#if ALONG_AXIS
#define STRIP 1
#define FIRST ((index_t)(get_local_id(0) & (LANES - 1)) * WIDTH)
#define STEP (LANES * WIDTH)
#define COUNT(i) (n - (i))
#define fold_max(v) ((TV)(max_lanes(max_of(v), scratch)))
#define fold_sum(v) ((TV)(sum_lanes(sum_of(v), scratch)))
#else
#define STRIP WIDTH
#define FIRST ((index_t)0)
#define STEP 1
#define COUNT(i) columns
#define fold_max(v) (v)
#define fold_sum(v) (v)
#endif

// n is 0 for an item without a line: it only takes part in the folds.
#if !BACKWARD
static inline void forward_line(global const S *x, const index_t x_stride, global S *y, const index_t y_stride,
                                const index_t n, const index_t columns, local T *scratch) {
  TV largest = (TV)(LOWEST);
  for (index_t i = FIRST; i < n; i += STEP) {
    const TV v = load_upto(x, i * x_stride, COUNT(i), LOWEST);
    largest = v > largest ? v : largest;
  }
  largest = fold_max(largest);

  TV total = (TV)(0);
  for (index_t i = FIRST; i < n; i += STEP) {
    const TV e = f_exp(load_upto(x, i * x_stride, COUNT(i), LOWEST) - largest);
    total += e;
#if STAGED
    store_upto(e, y, i * y_stride, COUNT(i));
#endif
  }
  total = fold_sum(total);

#if IS_LOG
  total = f_log(total);
  for (index_t i = FIRST; i < n; i += STEP)
    store_upto(load_upto(x, i * x_stride, COUNT(i), 0) - largest - total, y, i * y_stride, COUNT(i));
#elif STAGED
  total = 1 / total;
  for (index_t i = FIRST; i < n; i += STEP)
    store_upto(load_upto(y, i * y_stride, COUNT(i), 0) * total, y, i * y_stride, COUNT(i));
#else
  total = 1 / total;
  for (index_t i = FIRST; i < n; i += STEP)
    store_upto(f_exp(load_upto(x, i * x_stride, COUNT(i), 0) - largest) * total, y, i * y_stride, COUNT(i));
#endif
}

#else
static inline void gradient_line(global const S *y, const index_t y_stride, global const S *dy, const index_t dy_stride,
                                 global S *dx, const index_t dx_stride, const index_t n, const index_t columns,
                                 local T *scratch) {
  TV total = (TV)(0);
  for (index_t i = FIRST; i < n; i += STEP) {
    const TV g = load_upto(dy, i * dy_stride, COUNT(i), 0);
#if IS_LOG
    total += g;
#else
    total += g * load_upto(y, i * y_stride, COUNT(i), 0);
#endif
  }
  total = fold_sum(total);

  for (index_t i = FIRST; i < n; i += STEP) {
    const TV g = load_upto(dy, i * dy_stride, COUNT(i), 0), v = load_upto(y, i * y_stride, COUNT(i), 0);
#if IS_LOG
    store_upto(g - f_exp(v) * total, dx, i * dx_stride, COUNT(i));
#else
    store_upto((g - total) * v, dx, i * dx_stride, COUNT(i));
#endif
  }
}
#endif

// A group takes lines_per_group strips of lines, LOCAL / LANES at a time; all its items go round equally often, so that
// every barrier is met by all.
#if !BACKWARD
kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void softmax_forward(
    global const S *x, long x_offset, global S *y, long y_offset, long outer, long inner, long axis, long x_outer,
    long x_inner, long x_axis, long y_outer, long y_inner, long y_axis, int lines_per_group) {
  local T scratch[LANES > 1 ? LOCAL : 1];
  const index_t strips = (inner + STRIP - 1) / STRIP;
  for (int k = 0; k < lines_per_group; k += LOCAL / LANES) {
    const index_t line = (index_t)get_group_id(0) * lines_per_group + k + get_local_id(0) / LANES;
    const index_t o = line / strips, b = line % strips * STRIP;
    const bool present = o < outer && k + (int)get_local_id(0) / LANES < lines_per_group;
    forward_line(x + x_offset + o * x_outer + b * x_inner, x_axis, y + y_offset + o * y_outer + b * y_inner, y_axis,
                 present ? axis : 0, inner - b, scratch);
  }
}

#else
kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void softmax_backward(
    global const S *y, long y_offset, global const S *dy, long dy_offset, global S *dx, long dx_offset, long outer,
    long inner, long axis, long y_outer, long y_inner, long y_axis, long dy_outer, long dy_inner, long dy_axis,
    long dx_outer, long dx_inner, long dx_axis, int lines_per_group) {
  local T scratch[LANES > 1 ? LOCAL : 1];
  const index_t strips = (inner + STRIP - 1) / STRIP;
  for (int k = 0; k < lines_per_group; k += LOCAL / LANES) {
    const index_t line = (index_t)get_group_id(0) * lines_per_group + k + get_local_id(0) / LANES;
    const index_t o = line / strips, b = line % strips * STRIP;
    const bool present = o < outer && k + (int)get_local_id(0) / LANES < lines_per_group;
    gradient_line(y + y_offset + o * y_outer + b * y_inner, y_axis, dy + dy_offset + o * dy_outer + b * dy_inner,
                  dy_axis, dx + dx_offset + o * dx_outer + b * dx_inner, dx_axis, present ? axis : 0, inner - b,
                  scratch);
  }
}
#endif
