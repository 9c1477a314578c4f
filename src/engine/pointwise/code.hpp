#pragma once

// OpenCL C for formulas, and the frame that generated kernels share: arguments, addresses and converting loads.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ocldnn/pointwise.hpp"

namespace ocldnn {

/// OpenCL C for a formula in arithmetic of `compute`, for text that has included cl/math.cl: a value of type TV. What
/// the formula calls x is the variable v_x, of type TV. Throws `invalid_argument` for a faulty formula.
std::string formula_code(std::string_view formula, Type compute);

/// The names of a formula replaced by other formulas in parentheses: how chains of formulas are fused.
struct Substitution {
  std::string_view name;
  std::string formula;
};
std::string substituted(std::string_view formula, std::span<const Substitution> substitutions);

/// "f16", "boolean": what cl/access.cl calls KIND. And its STORAGE: "ushort", "uchar".
std::string_view storage_kind(Type type);
std::string_view storage_c_type(Type type);

/// Type of a scalar argument and of `scalar_argument()`: OpenCL's `int` for the small integers.
std::string_view scalar_c_type(Type compute);

/// How an operand or result is stepped along the innermost dimension of a generated kernel.
enum class Step : uint8_t { unit, repeat, strided };

/// One view of a generated kernel: p<i> is its address, o<i> the offset of the row in hand.
struct ViewCode {
  Type type;
  Step step;
  bool written;
};

/// What fixes the text of a generated kernel, apart from its formulas. `outer` dimensions enclose the innermost one; a
/// reduction's operands also run over `folded` dimensions, which its results do not have.
struct FrameCode {
  Type compute = Type::f32;
  int width = 1;
  bool cpu_form = true, aligned = false, index_64 = false;
  int outer = 0, folded = 0;
  std::vector<ViewCode> views;
  std::vector<std::string> scalars;

  /// T, WIDTH and the types, maths and accesses that the views need.
  std::string prelude() const;
  /// PARAMETERS: `global ...` and an offset a view, the scalars, the sizes n<d> of outer and folded dimensions but the
  /// first of each, then by view the strides s<i>_<d> of these dimensions and, for a strided view, s<i> of the
  /// innermost. ADDRESSES sets p<i> and v_<scalar>; SEEK(row) sets o<i>, SEEK_FOLDED(row) sets u<i> of operands.
  std::string macros() const;
  /// The load of view `i` at the row's element `at`: `count` elements of a vector, or a whole one where it is empty.
  std::string load(int i, std::string_view at, std::string_view count) const;
  std::string store(int i, std::string_view at, std::string_view value, std::string_view count) const;
};

}  // namespace ocldnn
