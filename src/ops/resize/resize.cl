// Resampling of the two spatial dimensions, forward and gradient: y [N, OH, OW, C] from x [N, H, W, C], any strides.
// The gradient gathers: each element of dx looks at the outputs that may have taken something from it.
//
//   NEAREST        the element whose place is nearest; otherwise bilinear
//   HALF_PIXEL     elements lie at the middles of pixels
//   ALIGN_CORNERS  the outermost elements of x and y lie on each other (seen from the scale, and in nearest's rounding)
//   BACKWARD       the gradient
//   C_INNER, SOLO, LOCAL   see cl/lines.cl
// y_scale, x_scale: distance of two outputs, in inputs. Places are computed in float, as TensorFlow does.
#include "cl/lines.cl"
#include "cl/vector.cl"

#pragma OPENCL FP_CONTRACT OFF

static inline float source_of(int out, float scale) {
#if HALF_PIXEL && NEAREST
  return ((float)out + 0.5f) * scale;
#elif HALF_PIXEL
  return ((float)out + 0.5f) * scale - 0.5f;
#else
  return (float)out * scale;
#endif
}

static inline int nearest(int out, float scale, int size) {
  const float at = source_of(out, scale);
  return clamp((int)(ALIGN_CORNERS ? round(at) : floor(at)), 0, size - 1);
}

// The two inputs an output lies between, and how far it is from the first.
struct Between {
  int low, high;
  float part;
};

static inline struct Between between(int out, float scale, int size) {
  const float at = source_of(out, scale), below = floor(at);
  struct Between b;
  b.low = max((int)below, 0);
  b.high = min((int)ceil(at), size - 1);
  b.part = at - below;
  return b;
}

#if BACKWARD
// How much of input `in` is in output `out`.
static inline float weight_of(int in, int out, float scale, int size) {
#if NEAREST
  return nearest(out, scale, size) == in ? 1.0f : 0.0f;
#else
  const struct Between b = between(out, scale, size);
  return (b.low == in ? 1.0f - b.part : 0.0f) + (b.high == in ? b.part : 0.0f);
#endif
}

// Outputs (from, past the end) that can hold something of input `in`: all that lie within one of it, and a margin for
// rounding; what clamping brings to the first input starts with output 0 anyway.
static inline int2 reached(int in, int out_size, float scale) {
  if (scale <= 0.0f) return (int2)(0, out_size);
  const float first = ((float)in - 1.0f) / scale, last = ((float)in + 2.0f) / scale;
  return (int2)(in == 0 ? 0 : max((int)floor(first) - 1, 0), (int)min(ceil(last) + 2.0f, (float)out_size));
}
#endif

kernel __attribute__((reqd_work_group_size(LOCAL, 1, 1))) void resize(
    global const S *from, long from_offset, long from_n, long from_h, long from_w, long from_c, global S *to,
    long to_offset, long to_n, long to_h, long to_w, long to_c, int N, int C, int H, int W, int OH, int OW, float y_scale,
    float x_scale, int lines_per_group) {
  const int height = BACKWARD ? H : OH, width = BACKWARD ? W : OW;
  const struct Span s = span_of((index_t)N * (C_INNER ? 1 : C) * height, width, C, lines_per_group);
  for (index_t line = s.line; line < s.last_line; line++) {
    const struct Line at = line_at(line, 1, height, C);
    global const S *source = from + from_offset + at.n * from_n;
#if BACKWARD
    const int2 ys = reached(at.h, OH, y_scale);
#elif NEAREST
    const int y = nearest(at.h, y_scale, H);
#else
    const struct Between y = between(at.h, y_scale, H);
#endif
    for (int w = s.w; w < s.last_w; w++) {
#if BACKWARD
      const int2 xs = reached(w, OW, x_scale);
#elif NEAREST
      const int x = nearest(w, x_scale, W);
#else
      const struct Between x = between(w, x_scale, W);
#endif
      for (int step = s.c; step < s.last_c; step += WIDTH) {
        const int c = C_INNER ? step : at.c, count = s.last_c - step;
#if BACKWARD
        TV v = ALL(0);
        for (int oh = ys.x; oh < ys.y; oh++) {
          const float y_weight = weight_of(at.h, oh, y_scale, H);
          if (y_weight == 0.0f) continue;
          for (int ow = xs.x; ow < xs.y; ow++) {
            const float weight = y_weight * weight_of(w, ow, x_scale, W);
            if (weight != 0.0f) v += load_upto(source, oh * from_h + ow * from_w + c * from_c, count, 0) * (T)weight;
          }
        }
#elif NEAREST
        const TV v = load_upto(source, y * from_h + x * from_w + c * from_c, count, 0);
#else
        const TV top_left = load_upto(source, y.low * from_h + x.low * from_w + c * from_c, count, 0);
        const TV top_right = load_upto(source, y.low * from_h + x.high * from_w + c * from_c, count, 0);
        const TV low_left = load_upto(source, y.high * from_h + x.low * from_w + c * from_c, count, 0);
        const TV low_right = load_upto(source, y.high * from_h + x.high * from_w + c * from_c, count, 0);
        const TV top = top_left + (top_right - top_left) * (T)x.part, low = low_left + (low_right - low_left) * (T)x.part;
        const TV v = top + (low - top) * (T)y.part;
#endif
        store_upto(v, to, to_offset + at.n * to_n + at.h * to_h + w * to_w + c * to_c, count);
      }
    }
  }
}
