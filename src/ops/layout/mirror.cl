// The gradient of mirror padding: dx[i...] = the sum of dy at every place that shows element i, in a fixed order.
//
// S, T  the elements' type and its arithmetic, WIDTH 1 (cl/vector.cl)
// EDGE  1 where the edge is repeated (symmetric), 0 where it is not (reflect)
// Put in front of this text by the host: RANK, PARAMETERS (before_d, size_d, padded_d) and the arrays of them.
#include "cl/vector.cl"
#include "cl/spread.cl"

SPREAD_KERNEL void layout_mirror_gradient(global const S *dy, long dy_offset, global S *dx, long dx_offset, index_t total,
                                          index_t chunk PARAMETERS) {
  ARRAYS
  dy += dy_offset;
  dx += dx_offset;
  SPREAD(i, total, chunk) {
    // Up to three places along each dimension: the element's own, its image on the left, its image on the right.
    index_t places[RANK][3];
    int count[RANK], at[RANK];
    index_t rest = i;
    for (int d = RANK - 1; d >= 0; --d) {
      const index_t x = rest % size[d], n = size[d], left = before[d], right = padded[d] - left - n;
      rest /= n;
      count[d] = 0;
      at[d] = 0;
      places[d][count[d]++] = left + x;
      if (x >= 1 - EDGE && x < left + 1 - EDGE) places[d][count[d]++] = left - x - EDGE;
      const index_t back = n - 1 - x;
      if (back >= 1 - EDGE && back < right + 1 - EDGE) places[d][count[d]++] = left + n - 1 + back + EDGE;
    }
    T sum = 0;
    for (;;) {
      index_t from = 0;
      for (int d = 0; d < RANK; ++d) from = from * padded[d] + places[d][at[d]];
      sum += load(dy, from);
      int d = RANK - 1;
      for (; d >= 0; --d) {
        if (++at[d] < count[d]) break;
        at[d] = 0;
      }
      if (d < 0) break;
    }
    store(sum, dx, i);
  }
}
