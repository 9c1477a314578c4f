// results = formulas of operands, element by element, over rows of `inner` elements.
//
// The generated text in front (src/engine/pointwise/pointwise.cpp) defines T, WIDTH and
//   PARAMETERS, ADDRESSES, SEEK(row)   see FrameCode::macros
//   WHOLE(i)      loads a vector at element i of the row in hand from each operand, computes and stores the results
//   PART(i, n)    the same for n elements, 0 < n < WIDTH
// All operands are loaded before a result is stored, so a result may take the place of an operand.

#if CPU_FORM
// A group of one item runs over `share` units; a unit is `chunk` elements of a row, of which there are `chunks`.
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void pointwise_rows(PARAMETERS, index_t inner, index_t chunk, index_t chunks, index_t units, index_t share) {
  ADDRESSES
  index_t unit = (index_t)get_group_id(0) * share;
  const index_t last = min(unit + share, units);
  for (; unit < last; ++unit) {
    const index_t row = unit / chunks;
    const index_t begin = (unit - row * chunks) * chunk, end = min(begin + chunk, inner);
    SEEK(row)
    index_t i = begin;
    for (; i + WIDTH <= end; i += WIDTH) {
      WHOLE(i)
    }
#if WIDTH > 1
    if (i < end) {
      const int n = (int)(end - i);
      PART(i, n)
    }
#endif
  }
}
#else
// An item a vector; a row has `vectors`, the last of which may be partly filled.
kernel void pointwise_items(PARAMETERS, index_t inner, index_t vectors, index_t total) {
  const index_t item = (index_t)get_global_id(0);
  if (item >= total) return;
  ADDRESSES
  const index_t row = item / vectors;
  const index_t i = (item - row * vectors) * WIDTH;
  SEEK(row)
#if WIDTH > 1
  if (i + WIDTH > inner) {
    const int n = (int)(inner - i);
    PART(i, n)
    return;
  }
#endif
  WHOLE(i)
}
#endif
