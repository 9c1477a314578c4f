// What pooling forward and backward share: how work is split, and which elements a window holds. Windows have three
// spatial dimensions (fewer have size 1); tensors are [N, depth, height, width, C] with any strides (x_n, x_d, ...).
//
//   MODE        what a kernel makes of a window, or of the windows over an element, below
//   C_INNER, SOLO, LOCAL   see cl/lines.cl; with C_INNER vectors run along the channels, otherwise WIDTH is 1
//   I           type of places in x: int or long
//   WITH_BATCH  places count from the tensor's start, not from the sample's
#include "cl/lines.cl"
#include "cl/vector.cl"

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

// First and last (past the end) of a window's elements in the input, or of the windows that cover an element.
static inline int2 inside(int out, int size, int stride, int pad, int window) {
  const int begin = out * stride - pad;
  return (int2)(max(begin, 0), min(begin + window, size));
}
static inline int2 covering(int in, int out_size, int stride, int pad, int window) {
  const int reach = in + pad;
  return (int2)(reach < window ? 0 : (reach - window) / stride + 1, min(reach / stride + 1, out_size));
}
