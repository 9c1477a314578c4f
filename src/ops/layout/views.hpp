#pragma once

#include "ocldnn/view.hpp"

namespace ocldnn {

inline void append(View& view, int64_t size, int64_t stride) {
  view.shape.push_back(size);
  view.strides.push_back(stride);
}

/// Dimension `axis` as two: of size / inner, and `inner`.
inline View split_dimension(const View& x, int axis, int64_t inner) {
  View result(x.data, x.type, {}, {});
  for (int d = 0; d < x.rank(); ++d) {
    if (d == axis) append(result, inner ? x.shape[d] / inner : 0, x.strides[d] * inner);
    append(result, d == axis ? inner : x.shape[d], x.strides[d]);
  }
  return result;
}

}  // namespace ocldnn
