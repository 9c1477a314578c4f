// Folds formulas of operands over dimensions. Elements lie as rows (outer and folded dimensions) of `inner` elements; the
// innermost dimension is folded too ("along") or kept ("across").
//
// The generated text in front (src/engine/reduce/reduce_code.cpp) defines T, WIDTH, ALONG (1 or 0), the frame of
// FrameCode::macros and, for all results at once, over sets of accumulators named by a letter k:
//   START(k)             a set of neutral elements
//   TAKE(k, i)           folds the vector at element i of the row in hand into set k
//   TAKE_PART(k, i, n)   the same for n elements, 0 < n < WIDTH; other lanes are left alone
//   MERGE(k, l)          folds set l into set k, lane by lane
//   FOLD_LANES(k)        folds the lanes of set k into its first lane
//   FINISH(k, i)         stores set k as the results at element i (along: lane 0); FINISH_PART(k, i, n) n of its lanes
//   SAVE(k), LOAD_OTHER(k)  through local memory, one value an item (GPU form)
// A launch folds one part of `parts`; results of part p lie p * part_stride further. The order of folding depends on the
// sizes and on the arguments below only. Few sums in sequence, then sums of sums: errors stay near a pairwise sum's.

#if CPU_FORM
#define SOLO __attribute__((reqd_work_group_size(1, 1, 1)))
#define UNROLL 4  // sets of accumulators that hide the latency of an addition; fixed by the code below

#if ALONG
// Along: a group takes `rows_share` kept rows. Folded rows come in `chunks` of `chunk` elements: `units` in all, `share`
// of them a part.
kernel SOLO void reduce_along(PARAMETERS, index_t part_stride, index_t inner, index_t chunk, index_t chunks, index_t units,
                              index_t share, index_t rows, index_t rows_share) {
  ADDRESSES
  const index_t part = (index_t)get_group_id(1);
  const index_t first = part * share, last = min(first + share, units);
  index_t row = (index_t)get_group_id(0) * rows_share;
  const index_t last_row = min(row + rows_share, rows);
  for (; row < last_row; ++row) {
    SEEK(row)
    START(z)
    for (index_t unit = first; unit < last; ++unit) {
      const index_t folded = unit / chunks;
      index_t i = (unit - folded * chunks) * chunk;
      const index_t end = min(i + chunk, inner);
      SEEK_FOLDED(folded)
      START(a)
      if (i + UNROLL * WIDTH <= end) {
        START(b)
        START(c)
        START(d)
        for (; i + UNROLL * WIDTH <= end; i += UNROLL * WIDTH) {
          TAKE(a, i)
          TAKE(b, i + WIDTH)
          TAKE(c, i + 2 * WIDTH)
          TAKE(d, i + 3 * WIDTH)
        }
        MERGE(a, b)
        MERGE(c, d)
        MERGE(a, c)
      }
      for (; i + WIDTH <= end; i += WIDTH) {
        TAKE(a, i)
      }
#if WIDTH > 1
      if (i < end) {
        const int n = (int)(end - i);
        TAKE_PART(a, i, n)
      }
#endif
      MERGE(z, a)
    }
    FOLD_LANES(z)
    const index_t at = part * part_stride;
    FINISH(z, at)
  }
}

#else
// Across: a group takes `columns` neighbours of the innermost dimension in one kept row (a row has `blocks` of them) and
// the folded rows of its part, `run` of them in sequence before they join the total.
kernel SOLO void reduce_across(PARAMETERS, index_t part_stride, index_t inner, index_t columns, index_t blocks,
                               index_t folded_rows, index_t share, index_t run) {
  ADDRESSES
  const index_t part = (index_t)get_group_id(1), group = (index_t)get_group_id(0);
  const index_t first = part * share, last = min(first + share, folded_rows);
  const index_t row = group / blocks;
  index_t i = (group - row * blocks) * columns;
  const index_t end = min(i + columns, inner);
  const index_t to = part * part_stride;
  SEEK(row)
  for (; i + UNROLL * WIDTH <= end; i += UNROLL * WIDTH) {
    START(w)
    START(x)
    START(y)
    START(z)
    for (index_t begin = first; begin < last; begin += run) {
      START(a)
      START(b)
      START(c)
      START(d)
      for (index_t folded = begin; folded < min(begin + run, last); ++folded) {
        SEEK_FOLDED(folded)
        TAKE(a, i)
        TAKE(b, i + WIDTH)
        TAKE(c, i + 2 * WIDTH)
        TAKE(d, i + 3 * WIDTH)
      }
      MERGE(w, a)
      MERGE(x, b)
      MERGE(y, c)
      MERGE(z, d)
    }
    FINISH(w, to + i)
    FINISH(x, to + i + WIDTH)
    FINISH(y, to + i + 2 * WIDTH)
    FINISH(z, to + i + 3 * WIDTH)
  }
  for (; i + WIDTH <= end; i += WIDTH) {
    START(z)
    for (index_t begin = first; begin < last; begin += run) {
      START(a)
      for (index_t folded = begin; folded < min(begin + run, last); ++folded) {
        SEEK_FOLDED(folded)
        TAKE(a, i)
      }
      MERGE(z, a)
    }
    FINISH(z, to + i)
  }
#if WIDTH > 1
  if (i < end) {
    const int n = (int)(end - i);
    START(z)
    for (index_t begin = first; begin < last; begin += run) {
      START(a)
      for (index_t folded = begin; folded < min(begin + run, last); ++folded) {
        SEEK_FOLDED(folded)
        TAKE_PART(a, i, n)
      }
      MERGE(z, a)
    }
    FINISH_PART(z, to + i, n)
  }
#endif
}

#endif

#else  // GPU form: WIDTH 1
#ifndef LANES
#define LANES 256  // items that fold one row together ("along"); GROUP / LANES rows a group
#endif
#define GROUP 256

#if ALONG
// Items of a row take its folded elements in turn, then fold their totals in local memory as a tree.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void reduce_along_items(PARAMETERS, index_t part_stride, index_t inner, index_t total, index_t share, index_t rows) {
  local T saved[RESULTS][GROUP];
  ADDRESSES
  const int item = (int)get_local_id(0), lane = item % LANES;
  const index_t part = (index_t)get_group_id(1);
  const index_t given = (index_t)get_group_id(0) * (GROUP / LANES) + item / LANES;
  const index_t row = min(given, rows - 1);  // items without a row help with the last one: all reach the barriers
  index_t j = part * share + lane;
  const index_t last = min(part * share + share, total);
  SEEK(row)
  START(a)
  START(b)
  START(c)
  START(d)
#define TAKE_AT(k, j) { const index_t folded = (j) / inner; SEEK_FOLDED(folded) TAKE(k, (j) - folded * inner) }
  for (; j + 3 * LANES < last; j += 4 * LANES) {
    TAKE_AT(a, j)
    TAKE_AT(b, j + LANES)
    TAKE_AT(c, j + 2 * LANES)
    TAKE_AT(d, j + 3 * LANES)
  }
  for (; j < last; j += LANES) TAKE_AT(a, j)
  MERGE(a, b)
  MERGE(c, d)
  MERGE(a, c)
  SAVE(a)
  for (int step = LANES / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step) {
      LOAD_OTHER(b, item + step)
      MERGE(a, b)
      SAVE(a)
    }
  }
  if (lane == 0 && given < rows) {
    const index_t at = part * part_stride;
    FINISH(a, at)
  }
}

#else
#define ACROSS 32                // neighbouring columns of a group
#define DOWN (GROUP / ACROSS)    // items that share a column
kernel __attribute__((reqd_work_group_size(ACROSS, DOWN, 1)))
void reduce_across_items(PARAMETERS, index_t part_stride, index_t inner, index_t blocks, index_t folded_rows, index_t share) {
  local T saved[RESULTS][GROUP];
  ADDRESSES
  const int down = (int)get_local_id(1), item = down * ACROSS + (int)get_local_id(0);
  const index_t part = (index_t)get_group_id(1), group = (index_t)get_group_id(0);
  const index_t row = group / blocks;
  const index_t given = (group - row * blocks) * ACROSS + (index_t)get_local_id(0);
  const index_t i = min(given, inner - 1);
  index_t folded = part * share + down;
  const index_t last = min(part * share + share, folded_rows);
  SEEK(row)
  START(a)
  START(b)
  START(c)
  START(d)
#define TAKE_ROW(k, f) { SEEK_FOLDED(f) TAKE(k, i) }
  for (; folded + 3 * DOWN < last; folded += 4 * DOWN) {
    TAKE_ROW(a, folded)
    TAKE_ROW(b, folded + DOWN)
    TAKE_ROW(c, folded + 2 * DOWN)
    TAKE_ROW(d, folded + 3 * DOWN)
  }
  for (; folded < last; folded += DOWN) TAKE_ROW(a, folded)
  MERGE(a, b)
  MERGE(c, d)
  MERGE(a, c)
  SAVE(a)
  for (int step = DOWN / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (down < step) {
      LOAD_OTHER(b, item + step * ACROSS)
      MERGE(a, b)
      SAVE(a)
    }
  }
  if (down == 0 && given < inner) {
    const index_t at = part * part_stride + i;
    FINISH(a, at)
  }
}
#endif
#endif
