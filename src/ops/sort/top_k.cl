// The k largest of each row, by a heap (a row an item) or out of a full sort.
//
// T        the elements as unsigned integers of their size; ORDER(bits) grows with the element: put in front of this text
// IX       the indices' type; KEY  uint or ulong, what ORDER gives
#include "cl/types.cl"

// Whether place a of the row comes before place b in the answer.
static inline bool before(global const T *row, index_t a, index_t b) {
  const KEY x = ORDER(row[a]), y = ORDER(row[b]);
  return x > y || (x == y && a < b);
}

// Restores the heap below `i`: a parent comes after its children, so the root is the first to be thrown out.
static inline void sift(global const T *row, global IX *heap, index_t i, index_t size) {
  const index_t moved = (index_t)heap[i];
  for (index_t child = 2 * i + 1; child < size; child = 2 * i + 1) {
    if (child + 1 < size && before(row, (index_t)heap[child], (index_t)heap[child + 1])) ++child;
    if (!before(row, moved, (index_t)heap[child])) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = (IX)moved;
}

kernel void sort_top_heap(global const T *x, long x_offset, global T *values, long values_offset, global IX *indices,
                          long indices_offset, index_t rows, index_t n, index_t k, index_t rows_each) {
  const index_t first = (index_t)get_global_id(0) * rows_each;
  for (index_t r = first; r < min(first + rows_each, rows); ++r) {
    global const T *row = x + x_offset + r * n;
    global IX *heap = indices + indices_offset + r * k;
    for (index_t i = 0; i < k; ++i) heap[i] = (IX)i;
    for (index_t i = k / 2; i-- > 0;) sift(row, heap, i, k);
    for (index_t i = k; i < n; ++i)
      if (before(row, i, (index_t)heap[0])) {
        heap[0] = (IX)i;
        sift(row, heap, 0, k);
      }
    for (index_t size = k; size-- > 1;) {
      const IX last = heap[0];
      heap[0] = heap[size];
      heap[size] = last;
      sift(row, heap, 0, size);
    }
    for (index_t i = 0; i < k; ++i) values[values_offset + r * k + i] = row[(index_t)heap[i]];
  }
}

// Keys that grow as elements shrink, each with its place in the whole array.
kernel void sort_top_keys(global const T *x, long x_offset, global KEY *keys, long keys_offset, global uint *places,
                          long places_offset, index_t total) {
  const index_t i = (index_t)get_global_id(0);
  if (i >= total) return;
  keys[keys_offset + i] = ~ORDER(x[x_offset + i]);
  places[places_offset + i] = (uint)i;
}

// Sorted by element; now the row is the key.
kernel void sort_top_rows(global const uint *places, long places_offset, global uint *keys, long keys_offset,
                          index_t total, index_t n) {
  const index_t i = (index_t)get_global_id(0);
  if (i < total) keys[keys_offset + i] = places[places_offset + i] / (uint)n;
}

// Sorted by row, and in a row by element: the first k of each.
kernel void sort_top_take(global const T *x, long x_offset, global const uint *places, long places_offset,
                          global T *values, long values_offset, global IX *indices, long indices_offset, index_t rows,
                          index_t n, index_t k) {
  const index_t i = (index_t)get_global_id(0);
  if (i >= rows * k) return;
  const index_t r = i / k, place = (index_t)places[places_offset + r * n + i % k];
  values[values_offset + i] = x[x_offset + place];
  indices[indices_offset + i] = (IX)(place - r * n);
}
