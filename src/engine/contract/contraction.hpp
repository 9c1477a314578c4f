#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "ocldnn/contract.hpp"
#include "runtime/launch.hpp"

namespace ocldnn::contract {

/// Which tensor is computed. `product`: c from a and b (matmul, convolution forward, and the input gradient, which is a
/// convolution of dy with the taps reversed). `filter`: b from a and c (the weight gradient).
enum class Direction { product, filter };

/// Strides of an operand that broadcasts to c: the epilogue's, and c's own.
struct OutputStrides {
  std::array<int64_t, 3> group{};
  std::array<int64_t, 4> row{};
  int64_t col = 0;
};

/// The one form every matmul and convolution is brought to before a kernel family sees it.
///
///   product:  c[g, r, q]     = epilogue(sum over t, k of a[g, r, t, k] * b[g, t, k, q])
///   filter:   b[g, t, k, q]  = sum over r of a[g, r, t, k] * c[g, r, q]
///
///   g  up to three group dimensions: groups of a convolution, batches in which b differs
///   r  four row dimensions: r[0] the image (or a batch in which b repeats), r[1..3] the position
///   t  three tap dimensions, t[i] belonging to r[i + 1];  k  depth: the channels of a group;  q  columns
///
/// a is seen through a window: along r[i + 1] its coordinate is x = r * step + t * dilation + origin, and where x lies
/// outside [0, extent) the element is 0. Strides are in elements; dimensions that are not there have size 1.
struct Contraction {
  std::string_view op;
  Direction direction = Direction::product;
  Type type = Type::f32;

  std::array<int64_t, 3> groups{1, 1, 1};
  std::array<int64_t, 4> rows{1, 1, 1, 1};
  std::array<int64_t, 3> taps{1, 1, 1};
  int64_t depth = 1, cols = 1;

  std::array<int64_t, 3> extent{1, 1, 1}, step{1, 1, 1}, dilation{1, 1, 1}, origin{0, 0, 0};

  void *a = nullptr, *b = nullptr, *c = nullptr;
  std::array<int64_t, 3> a_group{}, a_space{};  // a_space[i]: one step of x along r[i + 1]
  int64_t a_image = 0, a_depth = 0;             // a_image: along r[0]
  std::array<int64_t, 3> b_group{}, b_tap{};
  int64_t b_depth = 0, b_col = 0;
  OutputStrides c_strides;

  Epilogue epilogue;                           // product only
  std::vector<OutputStrides> operand_strides;  // one an epilogue operand

  int64_t group_count() const { return groups[0] * groups[1] * groups[2]; }
  int64_t row_count() const { return rows[0] * rows[1] * rows[2] * rows[3]; }
  int64_t tap_count() const { return taps[0] * taps[1] * taps[2]; }
  double flops() const;
  /// Some tap of dimension i reads outside a.
  bool padded(int i) const;
  bool padded() const { return padded(0) || padded(1) || padded(2); }
  /// Rows are one dimension of equal stride in a (rows[1..3] are 1 and nothing is padded).
  bool flat_rows() const;
  /// An index into some tensor may exceed 31 bits.
  bool needs_64_bits() const;
  bool has_epilogue() const { return epilogue.expression != "c"; }
  /// The operands as kernel arguments: only the address counts, and whether anything is read from it at all.
  View view_a() const { return {a, type, Shape{terms() ? 1 : 0}}; }
  View view_b() const { return {b, type, Shape{direction == Direction::filter || terms() ? 1 : 0}}; }
  View view_c() const { return {c, type, Shape{direction == Direction::product || terms() ? 1 : 0}}; }
  /// Products that go into one sum.
  int64_t terms() const { return direction == Direction::product ? tap_count() * depth : row_count(); }
  std::string text() const;  // sizes, for the log
};

/// Merges dimensions that are one in every operand, drops windows that do nothing, and moves what is left to the inner
/// places, so that families need to know few shapes. The order of sums over rows and taps is kept.
void simplify(Contraction& problem);

/// Sizes and strides as kernel arguments, in the order of PROBLEM_PARAMETERS in problem.cl. The first two, the grid,
/// are filled in by launch_groups().
std::vector<Argument> problem_arguments(const Contraction& problem);

/// Queues a kernel whose first arguments are problem_arguments(), for groups[0] * groups[1] * groups[2] work-groups of
/// `items`.
void launch_groups(Queue& queue, const KernelId& id, const Contraction& problem, const std::array<int64_t, 3>& groups,
                   int64_t items, std::vector<Argument> arguments);

/// An integer argument of the kernels' `index_t`.
inline Argument index_argument(const Contraction& problem, int64_t value) {
  return problem.needs_64_bits() ? Argument(value) : Argument(static_cast<int32_t>(value));
}

}  // namespace ocldnn::contract
