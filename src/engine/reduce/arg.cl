// Index of the first extreme element along one dimension, which is the innermost ("along") or not ("across"). A NaN is
// the extreme. Among equal elements the first wins, in whatever order lanes and items are compared.
//
// The generated text in front (src/engine/reduce/arg_reduce.cpp) defines T, WIDTH, the frame of FrameCode::macros with
// view 0 = x and view 1 = y, MORE (> or <), ALONG (1 or 0) and
//   LOAD(i), LOAD_PART(i, n)    x at element i of the row in hand
//   STORE(i, index)             y at element i of the row in hand

#ifdef T_IS_REAL
#define BEATS(v, best) ((v MORE best || v != v) && best == best)
#else
#define BEATS(v, best) (v MORE best)
#endif
#define IV VEC(int)
#if WIDTH == 1
#define WHOLE_MASK(m) (m)
#else
#define WHOLE_MASK(m) CONVERT(int, m)
#endif

typedef union {
  IV all;
  int lane[WIDTH];
} index_lanes;

// Whether (value, at) goes before (best, best_at), where neither is seen first.
static inline int goes_first(T value, int at, T best, int best_at) {
  return BEATS(value, best) || (!(BEATS(best, value)) && at < best_at);
}

#if CPU_FORM && ALONG
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void arg_along(PARAMETERS, index_t inner, index_t rows, index_t share) {
  ADDRESSES
  index_lanes lane_numbers;
  for (int k = 0; k < WIDTH; ++k) lane_numbers.lane[k] = k;
  index_t row = (index_t)get_group_id(0) * share;
  const index_t last_row = min(row + share, rows);
  for (; row < last_row; ++row) {
    SEEK(row)
    value_lanes best;
    index_lanes at;
    best.all = LOAD_FIRST;
    at.all = (IV)(0);
    index_t i = 0;
    for (; i + WIDTH <= inner; i += WIDTH) {
      const TV v = LOAD(i);
      const MV beats = BEATS(v, best.all);
      best.all = beats ? v : best.all;
      at.all = WHOLE_MASK(beats) ? lane_numbers.all + (int)i : at.all;
    }
#if WIDTH > 1
    if (i < inner) {
      const int n = (int)(inner - i);
      const TV v = LOAD_PART(i, n);
      const MV beats = BEATS(v, best.all) && first_lanes(n);
      best.all = beats ? v : best.all;
      at.all = WHOLE_MASK(beats) ? lane_numbers.all + (int)i : at.all;
    }
#endif
    for (int k = 1; k < WIDTH; ++k)
      if (goes_first(best.lane[k], at.lane[k], best.lane[0], at.lane[0])) {
        best.lane[0] = best.lane[k];
        at.lane[0] = at.lane[k];
      }
    STORE(0, at.lane[0])
  }
}

#elif CPU_FORM
// A group takes `columns` neighbours of one kept row, which has `blocks` of them.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void arg_across(PARAMETERS, index_t inner, index_t columns, index_t blocks, index_t length) {
  ADDRESSES
  const index_t group = (index_t)get_group_id(0), row = group / blocks;
  index_t i = (group - row * blocks) * columns;
  const index_t end = min(i + columns, inner);
  SEEK(row)
  for (; i < end; i += WIDTH) {
    const int n = (int)min((index_t)WIDTH, end - i);
    index_lanes at;
    at.all = (IV)(0);
    TV best;
    for (index_t k = 0; k < length; ++k) {
      SEEK_FOLDED(k)
      TV v;
      if (n == WIDTH) v = LOAD(i);
      else v = LOAD_PART(i, n);
      if (k == 0) best = v;
      const MV beats = BEATS(v, best);
      best = beats ? v : best;
      at.all = WHOLE_MASK(beats) ? (IV)((int)k) : at.all;
    }
    for (int k = 0; k < n; ++k) STORE(i + k, at.lane[k])
  }
}

#elif ALONG  // GPU form: WIDTH 1
#define GROUP 256

// A group a row; totals meet in local memory.
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void arg_along_items(PARAMETERS, index_t inner) {
  local T best_of[GROUP];
  local int at_of[GROUP];
  ADDRESSES
  const int item = (int)get_local_id(0);
  SEEK((index_t)get_group_id(0))
  int at = 0;
  T best = LOAD_FIRST;
  for (index_t i = item; i < inner; i += GROUP) {
    const T v = LOAD(i);
    const int beats = BEATS(v, best);
    best = beats ? v : best;
    at = beats ? (int)i : at;
  }
  best_of[item] = best;
  at_of[item] = at;
  for (int step = GROUP / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step && goes_first(best_of[item + step], at_of[item + step], best_of[item], at_of[item])) {
      best_of[item] = best_of[item + step];
      at_of[item] = at_of[item + step];
    }
  }
  if (item == 0) STORE(0, at_of[0])
}

#else
// An item a result.
kernel void arg_across_items(PARAMETERS, index_t inner, index_t total, index_t length) {
  const index_t item = (index_t)get_global_id(0);
  if (item >= total) return;
  ADDRESSES
  const index_t row = item / inner, i = item - row * inner;
  SEEK(row)
  int at = 0;
  T best = (T)0;
  for (index_t k = 0; k < length; ++k) {
    SEEK_FOLDED(k)
    const T v = LOAD(i);
    if (k == 0) best = v;
    const int beats = BEATS(v, best);
    best = beats ? v : best;
    at = beats ? (int)k : at;
  }
  STORE(i, at)
}
#endif
