// Mean and variance in two passes over x: the mean first, then the mean of squared distances from it. As exact as
// Welford's recurrence, and both passes are plain folds.

#include "ocldnn/reduce.hpp"

namespace ocldnn {

void moments(const Exec& exec, const View& x, const View& mean, const View& variance) {
  const bool wants_mean = mean.data != nullptr, wants_variance = variance.data != nullptr;
  const View& like = wants_mean ? mean : variance;
  if (like.elements() == 0 || (!wants_mean && !wants_variance)) return;
  const Type compute = compute_type(x.type);
  const Operand operand{"x", x};
  auto fold_mean = [&](const View& to) {
    const Reduced result{to, Fold::sum, "x", "r / count"};
    reduce(exec, "moments", compute, x.shape, std::span(&operand, 1), std::span(&result, 1));
  };
  if (wants_mean) fold_mean(mean);
  if (!wants_variance) return;
  View exact = mean;
  if (!wants_mean || mean.type != compute) fold_mean(exact = exec.temporary(compute, like.shape));
  const Operand operands[]{operand, {"mean", exact}};
  const Reduced result{variance, Fold::sum, "square(x - mean)", "r / count"};
  reduce(exec, "moments", compute, x.shape, operands, std::span(&result, 1));
}

}  // namespace ocldnn
