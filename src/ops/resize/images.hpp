#pragma once

#include <string_view>

#include "ocldnn/error.hpp"
#include "ocldnn/view.hpp"

namespace ocldnn {

/// What every op from images x [N, H, W, C] to images y [N, OH, OW, C] of the same type asks of them.
inline void check_images(std::string_view op, const View& x, const View& y) {
  require(x.rank() == 4 && y.rank() == 4, "{}: expected images [N, H, W, C], got {} and {}", op, x.shape.text(),
          y.shape.text());
  require(x.shape[0] == y.shape[0] && x.shape[3] == y.shape[3],
          "{}: expected equal batches and channels, got {} and {}", op, x.shape.text(), y.shape.text());
  require(x.type == y.type, "{}: expected one type, got {} and {}", op, name(x.type), name(y.type));
  require(x.type != Type::boolean, "{}: booleans are not supported", op);
  for (const auto& shape : {x.shape, y.shape})
    for (auto size : shape) require(size < int64_t{1} << 31, "{}: shape {} is too large", op, shape.text());
}

}  // namespace ocldnn
