// Cross-entropy of softmax(logits) against labels and its gradient, a row at a time; LANES items share a row.
//
//   SPARSE     the label is one class a row, of type L; otherwise a row of probabilities
//   LOCAL      work-items of a group
// Strides along classes are 1 unless WIDTH is 1; a stride of 0 repeats a row or a class.
#include "cl/vector.cl"
#include "cl/math.cl"

#ifndef LOCAL
#define LOCAL 1
#endif

#define FIRST ((index_t)(get_local_id(0) & (LANES - 1)) * WIDTH)
#define STEP (LANES * WIDTH)

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void cross_entropy(
    global const S *logits, long logits_offset,
#if SPARSE
    global const L *labels, long labels_offset,
#else
    global const S *labels, long labels_offset,
#endif
    global S *loss, long loss_offset, global S *dlogits, long dlogits_offset, long rows, long classes, long logits_row,
    long logits_class, long labels_row, long labels_class, long loss_row, long dlogits_row, long dlogits_class,
    int rows_per_group) {
  local T scratch[LANES > 1 ? LOCAL : 1];
  for (int k = 0; k < rows_per_group; k += LOCAL / LANES) {
    const index_t row = (index_t)get_group_id(0) * rows_per_group + k + get_local_id(0) / LANES;
    const bool present = row < rows && k + (int)get_local_id(0) / LANES < rows_per_group;
    const index_t n = present ? classes : 0;
    global const S *x = logits + logits_offset + row * logits_row;
    global S *dx = dlogits + dlogits_offset + row * dlogits_row;

    TV v = (TV)(LOWEST);
    for (index_t i = FIRST; i < n; i += STEP) {
      const TV e = load_upto(x, i * logits_class, n - i, LOWEST);
      v = e > v ? e : v;
    }
    const T largest = max_lanes(max_of(v), scratch);
    v = (TV)(0);
    for (index_t i = FIRST; i < n; i += STEP) v += f_exp(load_upto(x, i * logits_class, n - i, LOWEST) - largest);
    const T total = sum_lanes(sum_of(v), scratch), log_total = first_of(f_log(ALL(total))), scale = 1 / total;

#if SPARSE
    // Compared as long: a label beyond index_t must not wrap into range.
    const long label = present ? (long)labels[labels_offset + row * labels_row] : -1;
    const bool valid = label >= 0 && label < classes;
    // Read before dlogits is written, which may be the same memory.
    const T chosen = valid ? load(x, label * logits_class) - largest : NAN;
#if LANES > 1
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    const T shift = valid ? largest : NAN;
    for (index_t i = FIRST; i < n; i += STEP)
      store_upto(f_exp(load_upto(x, i * logits_class, n - i, 0) - shift) * scale, dx, i * dlogits_class, n - i);
    if (valid && label / WIDTH % LANES == (get_local_id(0) & (LANES - 1)))
      store(first_of(f_exp(ALL(chosen))) * scale - 1, dx, label * dlogits_class);
    if (present && FIRST == 0) store(log_total - chosen, loss, loss_offset + row * loss_row);
#else
    global const S *l = labels + labels_offset + row * labels_row;
    v = (TV)(0);
    for (index_t i = FIRST; i < n; i += STEP) {
      const TV p = load_upto(x, i * logits_class, n - i, largest) - largest;
      const TV q = load_upto(l, i * labels_class, n - i, 0);
      v += q * (log_total - p);
      store_upto(f_exp(p) * scale - q, dx, i * dlogits_class, n - i);
    }
    const T sum = sum_lanes(sum_of(v), scratch);
    if (present && FIRST == 0) store(sum, loss, loss_offset + row * loss_row);
#endif
  }
}
