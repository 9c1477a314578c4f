#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Einstein summation of one or two operands, as NumPy and TF write it: "abc,acd->abd", "...ij->...ji", "ii->i". A
/// label that the output lacks is summed over; a label repeated in one operand takes its diagonal; an ellipsis stands
/// for dimensions that broadcast. The output must be spelled out.
class Einsum {
 public:
  /// Throws `invalid_argument` for an equation that is not well formed.
  explicit Einsum(std::string_view equation);

  int operands() const { return static_cast<int>(inputs_.size()); }
  /// Throws `invalid_argument` when the shapes do not fit the equation or each other.
  Shape output_shape(std::span<const Shape> shapes) const;
  /// y = the sum of products; y has output_shape(). f32, f64, f16, bf16 (summed in f32), integers.
  void operator()(const Exec& exec, std::span<const View> operands, const View& y) const;

 private:
  using Labels = std::vector<int>;  // one a dimension: a letter, or `ellipsis` before the ranks are known

  std::vector<Labels> expanded(std::span<const Shape> shapes) const;  // inputs and, last, the output

  std::string equation_;
  std::vector<Labels> inputs_;
  Labels output_;
};

}  // namespace ocldnn
