// Whether a row's target is among its k greatest predictions; LANES items share a row. L is the type of targets.
#include "cl/vector.cl"

#ifndef LOCAL
#define LOCAL 1
#endif

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void in_top_k(
    global const S *predictions, long predictions_offset, global const L *targets, long targets_offset,
    global uchar *result, long result_offset, long rows, long classes, long predictions_row, long predictions_class,
    long targets_row, long result_row, long k, int rows_per_group) {
  local T scratch[LANES > 1 ? LOCAL : 1];
  const int lane = get_local_id(0) & (LANES - 1);
  for (int j = 0; j < rows_per_group; j += LOCAL / LANES) {
    const index_t row = (index_t)get_group_id(0) * rows_per_group + j + get_local_id(0) / LANES;
    const bool present = row < rows && j + (int)get_local_id(0) / LANES < rows_per_group;
    global const S *p = predictions + predictions_offset + row * predictions_row;
    const long target = present ? (long)targets[targets_offset + row * targets_row] : -1;
    const bool valid = target >= 0 && target < classes;
    const T chosen = valid ? load(p, target * predictions_class) : 0;
    // Counts are exact below 2^24; k beyond that is above every count anyone asks about. A bad row counts past all k.
    T greater = 0, bad = 0;
    if (valid)
      for (index_t i = lane; i < classes; i += LANES) {
        const T v = load(p, i * predictions_class);
        greater += v > chosen ? 1 : 0;
        bad += isfinite(v) ? 0 : 1;
      }
    greater = sum_lanes(greater, scratch);
    bad = sum_lanes(bad, scratch);
    if (present && lane == 0) result[result_offset + row * result_row] = valid && bad == 0 && (long)greater < k ? 1 : 0;
  }
}
