#pragma once

#include <span>
#include <string_view>

#include "ocldnn/pointwise.hpp"

namespace ocldnn {

enum class Fold { sum, prod, max, min, all, any };

/// One result of a reduction. `element` is folded over the reduced dimensions; `finish` then turns the total `r` into
/// what is stored (`r / count` gives a mean: `count` is the number of elements folded, in the compute type).
struct Reduced {
  View view;
  Fold fold = Fold::sum;
  std::string_view element = "x";
  std::string_view finish = "r";
};

/// Folds expressions of the operands over dimensions, several results in one pass (TF: Sum, Mean, Max, Min, Prod, All,
/// Any). Operands broadcast together to `shape`; each result has its rank, with 1 for each reduced dimension, and all
/// results have one shape. Two stages in a fixed order: the same bits every time. An empty fold gives the fold's
/// neutral element (-inf for max). max and min keep a NaN. `count` may stand in any formula.
void reduce(const Exec& exec, std::string_view op, Type compute, const Shape& shape, std::span<const Operand> operands,
            std::span<const Reduced> results, std::span<const Scalar> scalars = {});

/// Mean and variance (over the count, not count - 1) of x over the dimensions where mean has 1: the mean first, then
/// the mean of squared distances from it. Either view may be null to skip it.
void moments(const Exec& exec, const View& x, const View& mean, const View& variance);

enum class Extreme { max, min };
/// Index along `axis` of the first extreme element; a NaN counts as the extreme (TF: ArgMax, ArgMin). `y` has x's shape
/// without `axis`, of any integer type. Throws `invalid_argument` if `axis` is empty.
void arg_reduce(const Exec& exec, Extreme extreme, const View& x, int axis, const View& y);

}  // namespace ocldnn
