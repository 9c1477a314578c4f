#pragma once

#include "ocldnn/formula.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn {

/// A reduction: `element`, over x, is folded; `finish`, over the total r and the `count` of elements, gives the result.
struct Reduction {
  Fold fold;
  std::string_view element, finish;
  consteval Reduction(Fold fold, std::string_view element = "x", std::string_view finish = "r")
      : fold(fold), element(element), finish(finish) {
    check_formula(element, {"x count"});
    check_formula(finish, {"r count"});
  }
};

// A line a reduction.
// clang-format off
namespace reduction {
inline constexpr Reduction
    sum{Fold::sum},
    mean{Fold::sum, "x", "r / count"},
    euclidean_norm{Fold::sum, "x * x", "sqrt(r)"},
    product{Fold::prod},
    max{Fold::max},
    min{Fold::min},
    all{Fold::all},
    any{Fold::any};
}  // namespace reduction
// clang-format on

/// y = the reduction of x over the dimensions where y has 1 and x more; y has the rank of x.
inline void reduce(const Exec& exec, std::string_view op, const Reduction& reduction, const View& x, const View& y) {
  Type compute = compute_type(x.type);
  // A mean of small integers needs the true sum; the total itself is the same modulo the type's range.
  if (is_integer(compute) && reduction.finish != "r") compute = is_signed(compute) ? Type::i64 : Type::u64;
  const Operand operand{"x", x};
  const Reduced reduced{y, reduction.fold, reduction.element, reduction.finish};
  reduce(exec, op, compute, x.shape, std::span(&operand, 1), std::span(&reduced, 1));
}

}  // namespace ocldnn
