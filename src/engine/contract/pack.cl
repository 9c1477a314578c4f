// Copies b into panels for vector.cl, converted to T:
//
//   packed[g][panel][t][k][NR]     columns panel * NR ... of b, zeros beyond the last one
//
// and after them `zeros` zeros. One work-item a work-group; group (panel, chunk of k, g). K is taps * depth; a chunk is
// PACK_CHUNK of its steps.
#ifndef NR
#define NR 16          // columns of a panel
#endif
#ifndef PACK_CHUNK
#define PACK_CHUNK 64  // steps of k a group: 64 * NR elements stay in L1, also when b is read across
#endif
#include "engine/contract/problem.cl"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void contract_pack(PROBLEM_PARAMETERS, global T *packed,
                                                                         long packed_offset, index_t zeros) {
  const index_t panel = GROUP_0, steps = taps0 * taps1 * taps2 * depth;
  const index_t first = GROUP_1 * PACK_CHUNK, end = min(steps, first + PACK_CHUNK), q = panel * NR;
  const index_t panels = (cols + NR - 1) / NR, g = GROUP_2;
  DECODE_GROUP(g)
  const int here = (int)min((index_t)NR, cols - q);
  global const ELEMENT *from = b + b_offset + B_GROUP + q * b_col;
  global T *to = packed + packed_offset + (((long)g * panels + panel) * steps + first) * NR;

  if (panel == 0 && first == 0 && g == 0) {
    global T *behind = packed + packed_offset + (long)groups0 * groups1 * groups2 * panels * steps * NR;
    for (index_t i = 0; i < zeros; ++i) behind[i] = 0;
  }
  // Runs of k within one tap.
  for (index_t step = first; step < end;) {
    const index_t t = step / depth, k0 = step - t * depth;
    const int run = (int)min(end - step, depth - k0);
    const index_t t2 = t % taps2, t1 = t / taps2 % taps1, t0 = t / taps2 / taps1;
    global const ELEMENT *at = from + t0 * b_tap0 + t1 * b_tap1 + t2 * b_tap2 + k0 * b_depth;
    if (here == NR && b_col == 1) {
      for (int k = 0; k < run; ++k)
        for (int j = 0; j < NR; ++j) to[k * NR + j] = LOAD(at, k * b_depth + j);
    } else {
      // Along k within a column: where b is transposed, that is the contiguous way.
      for (int j = 0; j < here; ++j)
        for (int k = 0; k < run; ++k) to[k * NR + j] = LOAD(at, k * b_depth + j * b_col);
      for (int k = 0; k < run; ++k)
        for (int j = here; j < NR; ++j) to[k * NR + j] = 0;
    }
    step += run;
    to += run * NR;
  }
}
