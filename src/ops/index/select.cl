// Where elements are not zero; rows with one element set; permutations turned round.
//
// T   the elements as unsigned integers of their size; IX  int or long
#include "cl/types.cl"
#include "cl/spread.cl"

// y[o, d, k] = d == indices[o, k] ? *on : *off.  GROUP 1: a piece of work is a row (o, d); else it is an element.
SPREAD_KERNEL void index_one_hot(global const IX *indices, long indices_offset, global const T *on, long on_offset,
                                 global const T *off, long off_offset, global T *y, long y_offset, index_t total,
                                 index_t chunk, index_t depth, index_t inner) {
  indices += indices_offset;
  y += y_offset;
  const T yes = on[on_offset], no = off[off_offset];
  SPREAD(piece, total, chunk) {
#if GROUP == 1
    const index_t d = piece % depth, o = piece / depth;
    for (index_t k = 0; k < inner; ++k) y[piece * inner + k] = indices[o * inner + k] == d ? yes : no;
#else
    const index_t k = piece % inner, row = piece / inner, d = row % depth, o = row / depth;
    y[piece] = indices[o * inner + k] == d ? yes : no;
#endif
  }
}

// y[x[i]] = i. A place that is not one of 0 ... total - 1 is passed over.
SPREAD_KERNEL void index_invert(global const IX *x, long x_offset, global IX *y, long y_offset, index_t total,
                                index_t chunk) {
  x += x_offset;
  y += y_offset;
  SPREAD(i, total, chunk) {
    const IX place = x[i];
    if (place >= 0 && place < total) y[place] = (IX)i;
  }
}

// An item has `block` neighbours. counts[item] = how many of them are not zero.
SPREAD_KERNEL void index_count_nonzero(global const T *x, long x_offset, global uint *counts, long counts_offset,
                                       index_t n, index_t block, index_t total, index_t chunk) {
  x += x_offset;
  counts += counts_offset;
  SPREAD(b, total, chunk) {
    uint count = 0;
    for (index_t i = b * block; i < min((b + 1) * block, n); ++i) count += (x[i] & NONZERO) != 0;
    counts[b] = count;
  }
}

// counts[item] by now is how many stand before the item's: positions[...] = the places of what is not zero, in order.
SPREAD_KERNEL void index_place_nonzero(global const T *x, long x_offset, global const uint *counts, long counts_offset,
                                       global uint *positions, long positions_offset, index_t n, index_t block,
                                       index_t total, index_t chunk) {
  x += x_offset;
  counts += counts_offset;
  positions += positions_offset;
  SPREAD(b, total, chunk) {
    uint to = counts[b];
    for (index_t i = b * block; i < min((b + 1) * block, n); ++i)
      if ((x[i] & NONZERO) != 0) positions[to++] = (uint)i;
  }
}

// y[p, d] = coordinate d of positions[p]. Put in front of this text by the host: DEPTH, SIZE_PARAMETERS, SIZE_ARRAY.
#ifdef DEPTH
SPREAD_KERNEL void index_coordinates(global const uint *positions, long positions_offset, global long *y, long y_offset,
                                     index_t total, index_t chunk SIZE_PARAMETERS) {
  const long size[] = SIZE_ARRAY;
  positions += positions_offset;
  y += y_offset;
  SPREAD(p, total, chunk) {
    long rest = positions[p];
    for (int d = DEPTH - 1; d >= 0; --d) {
      y[p * DEPTH + d] = rest % size[d];
      rest /= size[d];
    }
  }
}
#endif
