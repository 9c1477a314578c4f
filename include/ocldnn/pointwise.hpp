#pragma once

#include <span>
#include <string_view>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// An input of an expression, under the name the expression uses for it. Its type is converted to the compute type when
/// it is loaded; its shape is broadcast to the results' by NumPy's rules.
struct Operand {
  std::string_view name;
  View view;
};

/// A number of an expression, the same for every element; arrives in the compute type.
struct Scalar {
  std::string_view name;
  double real = 0;
  int64_t integer = 0;
  constexpr Scalar(std::string_view name, double value)
      : name(name), real(value), integer(static_cast<int64_t>(value)) {}
  constexpr Scalar(std::string_view name, int64_t value)
      : name(name), real(static_cast<double>(value)), integer(value) {}
};

/// An output: the view, and what is stored in it. The value is converted to the view's type; into a boolean goes 1
/// where the value is not zero.
struct Result {
  View view;
  std::string_view expression;
};

/// results[i][...] = expression_i(operands..., scalars...), element by element, in arithmetic of `compute`.
///
/// An expression is a formula in the language of formula.hpp, over the operands' and scalars' names: `x < 0 ? 0 : x`.
/// All results have one shape; an operand may share memory with a result only if it is the same view. Throws
/// `invalid_argument` for a faulty formula and for shapes that do not broadcast, before anything is queued.
void pointwise(Queue& queue, std::string_view op, Type compute, std::span<const Operand> operands,
               std::span<const Result> results, std::span<const Scalar> scalars = {});

inline void pointwise(Queue& queue, std::string_view op, Type compute, std::initializer_list<Operand> operands,
                      std::initializer_list<Result> results, std::initializer_list<Scalar> scalars = {}) {
  pointwise(queue, op, compute, std::span(operands.begin(), operands.size()),
            std::span(results.begin(), results.size()), std::span(scalars.begin(), scalars.size()));
}

}  // namespace ocldnn
