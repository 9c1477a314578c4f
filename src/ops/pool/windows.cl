// What pooling forward and backward share: how work is split, and which elements a window holds. Windows have three
// spatial dimensions (fewer have size 1); tensors are [N, depth, height, width, C] with any strides (x_n, x_d, ...).
//
//   MODE        what a kernel makes of a window, or of the windows over an element, below
//   C_INNER     channels are adjacent in every tensor and vectors run along them; otherwise WIDTH is 1
//   SOLO        1: a group is one item and takes lines_per_group lines: all of w (and, with C_INNER, c) at the other
//               coordinates. 0: an item takes one element.
//   LOCAL       work-items of a group
//   I           type of places in x: int or long
//   WITH_BATCH  places count from the tensor's start, not from the sample's
#include "cl/vector.cl"

#ifndef LOCAL
#define LOCAL 1
#endif
#ifndef I
#define I int
#endif

#define MODE_MAX 0    // y = maximum, NaNs left out
#define MODE_MEAN 1   // y = mean; gradient: dy / count
#define MODE_WHERE 2  // places = where the maximum is in its dense [D, H, W], as int; gradient: dy there
#define MODE_INDEX 3  // y = maximum, places = where it is in x, as I; gradient: dy there
#define MODE_PICK 4   // y = the element of z where the maximum of x is

#if MODE != MODE_MAX
#define START (MODE == MODE_MEAN ? 0 : LOWEST)
#elif defined(T_IS_REAL)
// fmax leaves NaNs out, and so the one it starts from.
#define START NAN
#define larger fmax
#else
#define START LOWEST
#define larger max
#endif

// What an item visits: lines, and in each of them a range of w and (with C_INNER) of c.
struct Span {
  index_t line, last_line;
  int w, last_w, c, last_c;
};

static inline struct Span span_of(index_t lines, int width, int channels, int lines_per_group) {
  struct Span s;
#if SOLO
  s.line = (index_t)get_group_id(0) * lines_per_group;
  s.last_line = min(s.line + lines_per_group, lines);
  s.w = 0;
  s.last_w = width;
  s.c = 0;
  s.last_c = C_INNER ? channels : 1;
#else
  const index_t id = get_global_id(0), across = (index_t)width * (C_INNER ? channels : 1);
  s.line = id / across;
  s.last_line = min(s.line + 1, lines);
  s.w = id % across / (C_INNER ? channels : 1);
  s.last_w = s.w + 1;
  s.c = C_INNER ? id % across % channels : 0;
  s.last_c = s.c + 1;
#endif
  return s;
}

// The coordinates that make a line: (n, d, h), or (n, c, d, h) without C_INNER.
struct Line {
  index_t n;
  int d, h, c;
};

static inline struct Line line_at(index_t line, int depth, int height, int channels) {
  struct Line at;
  at.h = line % height;
  line /= height;
  at.d = line % depth;
  line /= depth;
  at.c = C_INNER ? 0 : line % channels;
  at.n = C_INNER ? line : line / channels;
  return at;
}

// First and last (past the end) of a window's elements in the input, or of the windows that cover an element.
static inline int2 inside(int out, int size, int stride, int pad, int window) {
  const int begin = out * stride - pad;
  return (int2)(max(begin, 0), min(begin + window, size));
}
static inline int2 covering(int in, int out_size, int stride, int pad, int window) {
  const int reach = in + pad;
  return (int2)(reach < window ? 0 : (reach - window) / stride + 1, min(reach / stride + 1, out_size));
}
