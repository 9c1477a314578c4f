#pragma once

// The loop nest of a reduction.

#include <span>
#include <vector>

#include "engine/pointwise/loop.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn {

/// A reduction with its loop nest: operands are the loop's first views, results the others.
struct Nest {
  Loop loop;
  bool along;  // the innermost dimension is folded
  std::vector<Operand> operands;
  std::vector<Reduced> results;  // whose views have lost their meaning as shapes: the loop has the strides

  int64_t folded_rows() const { return product(loop.outer(), loop.rank - 1); }
  int64_t rows() const { return product(0, loop.outer()); }
  int64_t kept() const { return along ? rows() : rows() * loop.inner(); }

 private:
  int64_t product(int from, int to) const {
    int64_t result = 1;
    for (int d = from; d < to; ++d) result *= loop.size[d];
    return result;
  }
};

/// Throws `invalid_argument` for shapes that do not fit together.
Nest make_nest(std::string_view op, const Shape& shape, std::span<const Operand> operands,
               std::span<const Reduced> results);

/// Rows shorter than `shortest` are folded many at once, a row a lane, where there are as many.
void fold_short_rows_across(Nest& nest, int64_t shortest);

/// Fewer than `columns` kept neighbours whose memory is contiguous are folded as [rows / m, m * few], and m joins the
/// folded dimensions of the second stage: whole vectors instead of pieces of one. Returns m, 1 if nothing is gained.
int64_t widening(const Nest& nest, int64_t columns);

/// The first stage: `nest` widened by m, with partial results [parts, kept...] in `partial`, dense in the loop's order.
Nest first_stage(const Nest& nest, int64_t m, std::span<const View> partial);
/// The second: folds them into the results of `nest`. `names` receives the operands' names and must live as long.
Nest second_stage(const Nest& nest, int64_t m, int64_t parts, std::span<const View> partial,
                  std::vector<std::string>& names);

}  // namespace ocldnn
