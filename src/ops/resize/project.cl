// Images seen through projective transforms: y [N, OH, OW, C] from x [N, H, W, C], any strides.
// Output (w, h) of image n is read at the place in x that row n of `transforms`, a0 a1 a2 b0 b1 b2 c0 c1, says:
//
//   k = c0 w + c1 h + 1      place = ((a0 w + a1 h + a2) / k, (b0 w + b1 h + b2) / k)      k = 0: `fill`
//
//   NEAREST   the element nearest to the place; otherwise bilinear, computed in float for every type
//   REFLECT, WRAP, EDGE   how a place beside the image is brought into it; none of them: `fill` is what lies there
//   C_INNER, SOLO, LOCAL   see cl/lines.cl
// Places are computed in float, as TensorFlow does.
#include "cl/lines.cl"
#include "cl/vector.cl"

#pragma OPENCL FP_CONTRACT OFF

#if REFLECT || WRAP
// How far `count` periods reach. A number of them that long does not hold can reach anywhere: the place is clamped.
static inline float reach_of(float count, int more, long period) {
  const long whole = count < 0x1p63f ? (long)count : 0;
  return (float)(long)((ulong)period * ((ulong)whole + (ulong)more));
}
#endif

// The place in an image of `size` elements that stands for `at`. NaN stays one.
static inline float inside(float at, int size) {
#if REFLECT || WRAP || EDGE
  const float last = (float)(size - 1);
#if REFLECT
  // [abcd] goes on as [dcba|abcd|dcba].
  const long period = 2 * (long)size;
  if (size > 1 && at < 0.0f) {
    at = reach_of(-at / (float)period, 0, period) + at;
    at = at < -(float)size ? at + (float)period : -at - 1.0f;
  } else if (size > 1 && at > last) {
    at -= reach_of(at / (float)period, 0, period);
    if (at >= (float)size) at = (float)period - at - 1.0f;
  }
#elif WRAP
  // [abcd] goes on as [abcd|abcd|abcd]; TensorFlow counts the periods by the distance of the outermost elements.
  if (size > 1 && at < 0.0f)
    at += reach_of(-at / last, 1, size);
  else if (size > 1 && at > last)
    at -= reach_of(at / last, 0, size);
#endif
  at = at < 0.0f ? 0.0f : at;
  at = at > last ? last : at;
#endif
  return at;
}

// A whole number as an index, -1 where it is none.
static inline int index_of(float at, int size) {
  const int i = at >= 0.0f && at < 0x1p31f ? (int)at : -1;
  return i < size ? i : -1;
}

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void project(
    global const S *from, long from_offset, long from_n, long from_h, long from_w, long from_c,
    global const float *transforms, long transforms_offset, long transforms_n, long transforms_i, global S *to,
    long to_offset, long to_n, long to_h, long to_w, long to_c, int N, int C, int H, int W, int OH, int OW, T fill,
    int lines_per_group) {
  const struct Span s = span_of((index_t)N * (C_INNER ? 1 : C) * OH, OW, C, lines_per_group);
  const TV outside = ACCESS(from_)(ACCESS(to_)(ALL(fill)));  // as an element of the image holds it
  for (index_t line = s.line; line < s.last_line; line++) {
    const struct Line at = line_at(line, 1, OH, C);
    global const S *source = from + from_offset + at.n * from_n;
    float t[8];
    for (int i = 0; i < 8; i++) t[i] = transforms[transforms_offset + at.n * transforms_n + i * transforms_i];
    const float h = (float)at.h;
    for (int column = s.w; column < s.last_w; column++) {
      const float w = (float)column, k = t[6] * w + t[7] * h + 1.0f;
      const float x = inside((t[0] * w + t[1] * h + t[2]) / k, W), y = inside((t[3] * w + t[4] * h + t[5]) / k, H);
#if NEAREST
      const int left = index_of(round(x), W), top = index_of(round(y), H);
#else
      const float x_floor = floor(x), y_floor = floor(y), x_next = x_floor + 1.0f, y_next = y_floor + 1.0f;
      const int left = index_of(x_floor, W), right = index_of(x_next, W);
      const int top = index_of(y_floor, H), low = index_of(y_next, H);
      const T left_part = x_next - x, right_part = x - x_floor, top_part = y_next - y, low_part = y - y_floor;
#endif
      for (int step = s.c; step < s.last_c; step += WIDTH) {
        const int c = C_INNER ? step : at.c, count = s.last_c - step;
#define PIXEL(y, x) \
  ((y) < 0 || (x) < 0 ? outside : load_upto(source, (y) * from_h + (x) * from_w + c * from_c, count, 0))
        TV v = outside;
        if (k != 0.0f) {
#if NEAREST
          v = PIXEL(top, left);
#else
          const TV above = PIXEL(top, left) * left_part + PIXEL(top, right) * right_part;
          const TV below = PIXEL(low, left) * left_part + PIXEL(low, right) * right_part;
          v = above * top_part + below * low_part;
#endif
        }
        store_upto(v, to, to_offset + at.n * to_n + at.h * to_h + column * to_w + c * to_c, count);
      }
    }
  }
}
