#include "ocldnn/layout.hpp"

#include <algorithm>
#include <vector>

#include "ops/layout/views.hpp"

// The layout functions that are nothing but copies and fills between views.

namespace ocldnn {
namespace {

// `inner` of `to` starting at `before`, of from's shape.
View interior(const View& to, const Dims& before, const Shape& shape) {
  View result = to;
  for (int d = 0; d < to.rank(); ++d) result = result.sliced(d, before[d], shape[d]);
  return result;
}

constexpr size_t small_bytes = 1 << 20;  // below this a second write is cheaper than another launch

}  // namespace

void concat(Place place, std::span<const View> parts, int axis, const View& to) {
  int64_t at = 0;
  for (const auto& part : parts) {
    const int64_t size = part.shape[axis];
    copy(place, part, to.sliced(axis, at, size));
    at += size;
  }
}

void split(Place place, const View& from, int axis, std::span<const View> parts) {
  int64_t at = 0;
  for (const auto& part : parts) {
    const int64_t size = part.shape[axis];
    copy(place, from.sliced(axis, at, size), part);
    at += size;
  }
}

void pad(Place place, const View& from, const Dims& before, const View& to, uint64_t bits) {
  if (to.bytes() <= small_bytes) {
    if (!(from.shape == to.shape)) fill(place, to, bits);
  } else {
    // The border as slabs: full in the dimensions done already, as wide as the interior in those to come.
    View rest = to;
    for (int d = 0; d < to.rank(); ++d) {
      const int64_t end = before[d] + from.shape[d];
      fill(place, rest.sliced(d, 0, before[d]), bits);
      fill(place, rest.sliced(d, end, to.shape[d] - end), bits);
      rest = rest.sliced(d, before[d], from.shape[d]);
    }
  }
  copy(place, from, interior(to, before, from.shape));
}

void mirror_pad(Place place, Mirror mirror, const View& from, const Dims& before, const View& to) {
  copy(place, from, interior(to, before, from.shape));
  // An axis at a time, from what is already there: full in the dimensions done, the interior in those to come.
  const int64_t skip = mirror == Mirror::reflect ? 1 : 0;
  for (int d = 0; d < to.rank(); ++d) {
    View slab = to;
    for (int later = d + 1; later < to.rank(); ++later) slab = slab.sliced(later, before[later], from.shape[later]);
    const int64_t left = before[d], end = left + from.shape[d], right = to.shape[d] - end;
    copy(place, flipped(slab.sliced(d, left + skip, left), d), slab.sliced(d, 0, left));
    copy(place, flipped(slab.sliced(d, end - skip - right, right), d), slab.sliced(d, end, right));
  }
}

void tile(Place place, const View& from, const View& to) {
  View source(from.data, from.type, {}, {}), target(to.data, to.type, {}, {});
  for (int d = 0; d < to.rank(); ++d) {
    const int64_t n = from.shape[d], repeats = n ? to.shape[d] / n : 0;
    if (repeats != 1) {
      append(source, repeats, 0);
      append(target, repeats, to.strides[d] * n);
    }
    append(source, n, from.strides[d]);
    append(target, n, to.strides[d]);
  }
  copy(place, source, target);
}

void roll(Place place, const View& from, const Dims& shifts, const Dims& axes, const View& to) {
  Dims total = Dims::filled(from.rank(), 0);
  for (int i = 0; i < axes.rank(); ++i) total[static_cast<int>(axes[i])] += shifts[i];
  // Each rolled axis cuts what there is into two parts.
  struct Part {
    View from, to;
  };
  std::vector<Part> parts{{from, to}};
  for (int d = 0; d < from.rank(); ++d) {
    const int64_t n = from.shape[d], shift = n ? (total[d] % n + n) % n : 0;
    if (shift == 0) continue;
    std::vector<Part> next;
    for (const auto& part : parts) {
      next.push_back({part.from.sliced(d, 0, n - shift), part.to.sliced(d, shift, n - shift)});
      next.push_back({part.from.sliced(d, n - shift, shift), part.to.sliced(d, 0, shift)});
    }
    parts = std::move(next);
  }
  for (const auto& part : parts) copy(place, part.from, part.to);
}

void space_to_depth(Place place, const View& from, int64_t block, const View& to) {
  const View blocks = split_dimension(split_dimension(from, 2, block), 1, block);       // [N, H, i, W, j, C]
  const View depth = split_dimension(split_dimension(to, 3, from.shape[3]), 3, block);  // [N, H, W, i, j, C]
  copy(place, blocks.permuted({0, 1, 3, 2, 4, 5}), depth);
}

void depth_to_space(Place place, const View& from, int64_t block, const View& to) {
  const View blocks = split_dimension(split_dimension(to, 2, block), 1, block);
  const View depth = split_dimension(split_dimension(from, 3, to.shape[3]), 3, block);
  copy(place, depth, blocks.permuted({0, 1, 3, 2, 4, 5}));
}

namespace {

// The batch of TF's *BatchND as [block..., N, spatial..., rest...], and the unblocked side permuted to the same.
View blocked_batch(const View& x, const Dims& block) {
  View result = x;
  int64_t n = x.shape[0] / block.elements();
  result = split_dimension(result, 0, n);
  for (int i = block.rank() - 1; i > 0; --i) result = split_dimension(result, 0, block[i]);
  return result;
}

View blocked_space(const View& x, const Dims& block) {
  View result = x;
  const int k = block.rank();
  for (int i = k - 1; i >= 0; --i) result = split_dimension(result, 1 + i, block[i]);  // [N, o, b, o, b, ..., rest...]
  Dims order;
  for (int i = 0; i < k; ++i) order.push_back(2 + 2 * i);
  order.push_back(0);
  for (int i = 0; i < k; ++i) order.push_back(1 + 2 * i);
  for (int d = 1 + 2 * k; d < result.rank(); ++d) order.push_back(d);
  return result.permuted(order);
}

Shape unblocked(const View& batched, const Dims& block) {
  Shape shape = batched.shape;
  shape[0] /= block.elements();
  for (int i = 0; i < block.rank(); ++i) shape[1 + i] *= block[i];
  return shape;
}

Dims all_before(const Dims& before, int rank) {
  Dims full = Dims::filled(rank, 0);
  for (int i = 0; i < before.rank(); ++i) full[1 + i] = before[i];
  return full;
}

}  // namespace

void space_to_batch(const Exec& exec, const View& from, const Dims& block, const Dims& before, const View& to) {
  if (to.elements() == 0) return;
  View padded = from;
  if (const auto shape = unblocked(to, block); !(shape == from.shape)) {
    padded = exec.temporary(from.type, shape);
    pad(exec.queue, from, all_before(before, from.rank()), padded, 0);
  }
  copy(exec.queue, blocked_space(padded, block), blocked_batch(to, block));
}

void batch_to_space(const Exec& exec, const View& from, const Dims& block, const Dims& before, const View& to) {
  if (to.elements() == 0) return;
  View whole = to;
  const auto shape = unblocked(from, block);
  const bool cropped = !(shape == to.shape);
  if (cropped) whole = exec.temporary(from.type, shape);
  copy(exec.queue, blocked_batch(from, block), blocked_space(whole, block));
  if (cropped) copy(exec.queue, interior(whole, all_before(before, to.rank()), to.shape), to);
}

View diagonal(const View& x, int64_t k) {
  const int row = x.rank() - 2, column = x.rank() - 1;
  const int64_t first_row = k < 0 ? -k : 0, first_column = k > 0 ? k : 0;
  const int64_t length = std::min(x.shape[row] - first_row, x.shape[column] - first_column);
  View result(x.data, x.type, {}, {});
  const auto offset = first_row * x.strides[row] + first_column * x.strides[column];
  result.data = static_cast<char*>(x.data) + offset * static_cast<int64_t>(size_of(x.type));
  for (int d = 0; d < row; ++d) append(result, x.shape[d], x.strides[d]);
  append(result, std::max<int64_t>(length, 0), x.strides[row] + x.strides[column]);
  return result;
}

}  // namespace ocldnn
