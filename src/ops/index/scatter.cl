// Rows updated by index, in place and in the order of the indices:
//
//   x[indices[n], k] (op)= updates[n, k],   x [places, inner], indices [rows], updates [rows, inner] or one number
//
// S, T, WIDTH  the elements' type, its arithmetic and vectors (cl/vector.cl); for ASSIGN an unsigned type of their size,
//              since they are only moved
// IX   int or long. An index outside [0, places) is passed over.
// APPLY(v, u)  what becomes of the element v and the update u, in cl/vector.cl's arithmetic; put in front of this text.
#include "cl/vector.cl"

#if ASSIGN
#define UPDATE(at, from) (x[at] = updates[from])
#else
#define UPDATE(at, from) store(APPLY(load(x, at), load(updates, from)), x, at)
#endif

#ifndef WIDE
// Group (p, c) of one item owns places_each places and columns_each columns, reads all indices and takes what is its own:
// the order needs no sorting, whatever the number of groups.
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void index_scatter_owned(
    global S *x, long x_offset, global const IX *indices, long indices_offset, global const S *updates,
    long updates_offset, index_t rows, index_t places, index_t inner, index_t places_each, index_t columns_each,
    index_t row_step, index_t column_step) {
  x += x_offset;
  indices += indices_offset;
  updates += updates_offset;
  const index_t column_parts = (inner + columns_each - 1) / columns_each;
  const index_t part = (index_t)get_group_id(0);
  const index_t begin = part % column_parts * columns_each, end = min(begin + columns_each, inner);
  const index_t first = part / column_parts * places_each, last = min(first + places_each, places);
  for (index_t n = 0; n < rows; ++n) {
    const IX place = indices[n];
    if (place < first || place >= last) continue;
    const index_t to = (index_t)place * inner;
    index_t k = begin;
#if WIDTH > 1
    if (column_step == 1)
      for (; k + WIDTH <= end; k += WIDTH) {
#if ASSIGN
        CAT(vstore, WIDTH)(CAT(vload, WIDTH)(0, updates + n * row_step + k), 0, x + to + k);
#else
        ACCESS(store_)(x + to + k, APPLY(ACCESS(load_)(x + to + k), ACCESS(load_)(updates + n * row_step + k)));
#endif
      }
#endif
    for (; k < end; ++k) UPDATE(to + k, n * row_step + k * column_step);
  }
}
#else

// keys[n] = indices[n], or `places` where that is outside; values[n] = n.
kernel void index_scatter_keys(global const IX *indices, long indices_offset, global uint *keys, long keys_offset,
                               global uint *values, long values_offset, index_t rows, index_t places) {
  const index_t n = (index_t)get_global_id(0);
  if (n >= rows) return;
  const IX place = indices[indices_offset + n];
  keys[keys_offset + n] = place >= 0 && place < places ? (uint)place : (uint)places;
  values[values_offset + n] = (uint)n;
}

// keys and values sorted: an item takes one column of one run of equal keys.
kernel void index_scatter_sorted(global S *x, long x_offset, global const uint *keys, long keys_offset,
                                 global const uint *values, long values_offset, global const S *updates,
                                 long updates_offset, index_t rows, index_t places, index_t inner, index_t row_step,
                                 index_t column_step) {
  const index_t i = (index_t)get_global_id(0);
  index_t n = i / inner;
  const index_t k = i % inner;
  if (n >= rows) return;
  keys += keys_offset;
  values += values_offset;
  const uint key = keys[n];
  if (key >= (uint)places || (n > 0 && keys[n - 1] == key)) return;
  x += x_offset;
  updates += updates_offset;
  const index_t at = (index_t)key * inner + k;
#if ASSIGN
  while (n + 1 < rows && keys[n + 1] == key) ++n;
  UPDATE(at, (index_t)values[n] * row_step + k * column_step);
#else
  T sum = load(x, at);
  do {
    sum = APPLY(sum, load(updates, (index_t)values[n] * row_step + k * column_step));
  } while (++n < rows && keys[n] == key);
  store(sum, x, at);
#endif
}
#endif
