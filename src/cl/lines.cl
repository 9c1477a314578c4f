// How the elements of a tensor [N, depth, height, width, C] are shared out among work-items.
//
//   C_INNER     channels are adjacent in every tensor: they are walked innermost; otherwise w is
//   SOLO        1: a group is one item and takes lines_per_group lines: all of w (and, with C_INNER, c) at the other
//               coordinates. 0: an item takes one element.
//   LOCAL       work-items of a group
#include "cl/types.cl"

#ifndef LOCAL
#define LOCAL 1
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
