#pragma once

#include <string>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Indices [..., depth] into dimensions `sizes` as one row-major place each, -1 where outside: i64 [rows], or the
/// indices themselves where depth is 1 (then out-of-range ones are still to be looked at).
View flattened(const Exec& exec, const View& indices, const Shape& sizes);

/// DEPTH sizes as parameters of a kernel and as the list they are read from: DEPTH, SIZE_PARAMETERS, SIZE_ARRAY.
std::string size_text(int64_t depth);

/// The first `count` dimensions of a shape, and the rest.
inline Shape head(const Shape& shape, int count) { return Shape(std::span(shape.begin(), static_cast<size_t>(count))); }
inline Shape tail(const Shape& shape, int begin) {
  return Shape(std::span(shape.begin() + begin, static_cast<size_t>(shape.rank() - begin)));
}

}  // namespace ocldnn
