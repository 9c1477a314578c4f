#pragma once

// The loop nest of an elementwise op: sizes, and each view's strides along them.

#include <cstdint>
#include <string_view>

#include "engine/pointwise/code.hpp"

namespace ocldnn {

inline constexpr int max_views = 32;

/// Dimensions lie outermost first: `outer()` ones, then `folded` ones (reductions), then the innermost.
struct Loop {
  int rank = 0, folded = 0, views = 0;
  int64_t size[max_rank];
  int64_t stride[max_views][max_rank];

  /// Adds a view broadcast to `shape`, the loop's full shape, which is given with the first.
  void add(std::string_view op, const View& view, const Shape& shape);
  /// Drops dimensions of one element, orders the rest by the stride of view `leader`, largest first, and merges what
  /// every view steps through as through one dimension. At least one dimension is left. Where `marks` are given, one a
  /// dimension, only dimensions with equal marks merge, and the marks are moved along.
  void collapse(int leader, bool* marks = nullptr);
  /// Whether some view reaches too far for an int, or the loop has too many elements.
  bool needs_index_64() const;
  Step step(int view) const;
  int64_t elements() const;
  int outer() const { return rank - 1 - folded; }
  int64_t inner() const { return size[rank - 1]; }
};

}  // namespace ocldnn
