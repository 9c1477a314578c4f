#pragma once

#include "ocldnn/view.hpp"

namespace ocldnn {

/// A strided copy, or a fill, in its simplest form: dimensions of 1 dropped, those that run together merged, ordered so
/// that `to` is written with growing addresses, and elements widened where both sides allow it.
struct Move {
  size_t width = 0;  // bytes of what is now one element
  Shape shape;
  Strides to_steps, from_steps;  // in elements of `width` bytes; to's are positive
  char* to = nullptr;
  const char* from = nullptr;  // null for a fill

  bool empty() const { return width == 0; }
  /// Both sides are one run of memory.
  bool contiguous() const;
  /// Offsets on both sides, and rounding up to whole groups, fit an int.
  bool fits_32_bits() const;
};

/// `from` is null for a fill. `widest` bounds the width, a power of two.
Move simplify(const View* from, const View& to, size_t widest);

void move_on_host(const Move& move, uint64_t bits);

}  // namespace ocldnn
