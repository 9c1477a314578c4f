// Rows chosen by index, and indices of several dimensions made flat.
//
//   x [batch, outer, places, inner], indices [batch, count], y [batch, outer, count, inner], row-major
//
// WORD, T  what x and y are counted in, and what is moved at once (ops/form.hpp); IX  int or long, the indices' type
// An index outside [0, places) reads zeros.
#include "cl/types.cl"
#include "cl/spread.cl"

// GROUP 1: a piece of work is a row; else it is an element.
SPREAD_KERNEL void index_gather(global const WORD *x_base, long x_offset, global const IX *indices, long indices_offset,
                                global WORD *y_base, long y_offset, index_t total, index_t chunk, index_t outer,
                                index_t places, index_t count, index_t inner) {
  global const T *x = (global const T *)(x_base + x_offset);
  global T *y = (global T *)(y_base + y_offset);
  indices += indices_offset;
  SPREAD(piece, total, chunk) {
#if GROUP == 1
    const index_t row = piece;
#else
    const index_t row = piece / inner, k = piece % inner;
#endif
    const index_t n = row % count, above = row / count, b = above / outer;
    const IX place = indices[b * count + n];
    const bool inside = place >= 0 && place < places;
    global const T *from = x + (above * places + (index_t)(inside ? place : 0)) * inner;
#if GROUP == 1
    global T *to = y + row * inner;
    if (inside)
      for (index_t k = 0; k < inner; ++k) to[k] = from[k];
    else
      for (index_t k = 0; k < inner; ++k) to[k] = (T)(0);
#else
    y[piece] = inside ? from[k] : (T)(0);
#endif
  }
}

// flat[n] = the row-major place that indices[n, 0...] name in an array of the given sizes, or -1 outside it.
// Put in front of this text by the host: DEPTH, SIZE_PARAMETERS and SIZE_ARRAY, the sizes as parameters and as a list.
#ifdef DEPTH
SPREAD_KERNEL void index_flatten(global const IX *indices, long indices_offset, global long *flat, long flat_offset,
                                 index_t total, index_t chunk SIZE_PARAMETERS) {
  const long size[] = SIZE_ARRAY;
  indices += indices_offset;
  flat += flat_offset;
  SPREAD(n, total, chunk) {
    long place = 0;
    bool inside = true;
    for (int d = 0; d < DEPTH; ++d) {
      const long i = indices[n * DEPTH + d];
      inside = inside && i >= 0 && i < size[d];
      place = place * size[d] + i;
    }
    flat[n] = inside ? place : -1;
  }
}
#endif
