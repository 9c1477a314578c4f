#include <limits>

#include "ocldnn/layout.hpp"
#include "ops/form.hpp"

namespace ocldnn {

void band_part(Queue& queue, const View& from, int64_t lower, int64_t upper, const View& to) {
  const int rank = from.rank();
  require(rank >= 2, "band_part: input must be at least 2-dimensional, got {}", from.shape.text());
  const int64_t rows = from.shape[rank - 2], columns = from.shape[rank - 1];
  if (from.elements() == 0) return;
  static constexpr int64_t unbounded = int64_t{1} << 40;
  const auto bound = [](int64_t n) { return n < 0 ? unbounded : std::min(n, unbounded); };
  KernelId id("ops/layout/special.cl", "layout_band_part");
  id.type("T", word_of(size_of(from.type))).define("LENGTH", "int");
  const bool fits = narrow(from, to);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t total = from.elements() / columns;
  const auto work = spread(queue, id, total, ceil_div(4096, columns));
  Arguments arguments(fits);
  arguments.add(as_bits(from)).add(as_bits(to)).index(total).index(work.chunk).index(rows).index(columns);
  launch(queue, id, work.grid, arguments.add(bound(lower)).add(bound(upper)).list());
}

void reverse_sequence(Queue& queue, const View& from, const View& lengths, int axis, int batch_axis, const View& to) {
  const int first = std::min(axis, batch_axis), second = std::max(axis, batch_axis);
  require(first >= 0 && first != second && second < from.rank(),
          "reverse_sequence: sequence axis {} and batch axis {} must be two dimensions of {}", axis, batch_axis,
          from.shape.text());
  require(lengths.rank() == 1 && lengths.shape[0] == from.shape[batch_axis],
          "reverse_sequence: expected {} lengths, got {}", from.shape[batch_axis], lengths.shape.text());
  if (from.elements() == 0) return;
  const auto product = [&](int begin, int end) {
    int64_t n = 1;
    for (int d = begin; d < end; ++d) n *= from.shape[d];
    return n;
  };
  const int64_t inner = product(second + 1, from.rank()), total = from.elements() / inner;
  KernelId id("ops/layout/special.cl", "layout_reverse_sequence");
  id.type("T", word_of(size_of(from.type))).type("LENGTH", lengths.type);
  if (axis == first) id.define("AXIS_FIRST", 1);
  const bool fits = narrow(from, to);
  if (!fits) id.define("INDEX_64", 1);
  const auto work = spread(queue, id, total, ceil_div(4096, inner));
  Arguments arguments(fits);
  arguments.add(as_bits(from)).add(lengths).add(as_bits(to)).index(total).index(work.chunk);
  arguments.index(from.shape[first]).index(product(first + 1, second)).index(from.shape[second]).index(inner);
  launch(queue, id, work.grid, arguments.list());
}

}  // namespace ocldnn
