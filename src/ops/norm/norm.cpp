#include "ocldnn/norm.hpp"

#include "ocldnn/pointwise.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn {
namespace {

void check(std::string_view op, const View& x, std::initializer_list<View> like_x,
           std::initializer_list<View> like_mean, const View& mean) {
  require(is_floating(x.type), "{}: expected a floating type, got {}", op, name(x.type));
  for (const auto& view : like_x)
    require(view.shape == x.shape && view.type == x.type, "{}: expected {} {}, got {} {}", op, name(x.type),
            x.shape.text(), name(view.type), view.shape.text());
  bool fits = mean.rank() == x.rank();
  for (int i = 0; fits && i < x.rank(); ++i) fits = mean.shape[i] == 1 || mean.shape[i] == x.shape[i];
  require(fits, "{}: expected a mean of shape {} with 1 where it was taken, got {}", op, x.shape.text(),
          mean.shape.text());
  for (const auto& view : like_mean)
    require(view.shape == mean.shape && view.type == compute_type(x.type), "{}: expected a variance {} {}, got {} {}",
            op, name(compute_type(x.type)), mean.shape.text(), name(view.type), view.shape.text());
}

/// The shape with x's rank: 1 in front.
View with_rank(const View& view, int rank) {
  View result = view;
  while (result.rank() < rank) result = result.unsqueezed(0);
  return result;
}

/// gamma and beta are per statistic (batch norm) and need no loads of their own.
bool beside_mean(const View& gamma, const View& mean) { return gamma.shape == mean.shape; }

/// dgamma and dbeta: sums of dy * (x - mean) * scale and of dy over the dimensions where gamma has 1.
void parameter_gradients(const Exec& exec, std::string_view op, const View& x, const View& dy, const View& mean,
                         const View& scale, const View& dgamma, const View& dbeta) {
  const Operand operands[]{{"x", x}, {"dy", dy}, {"m", mean}, {"r", scale}};
  const Reduced results[]{{with_rank(dgamma, x.rank()), Fold::sum, "dy * (x - m) * r"},
                          {with_rank(dbeta, x.rank()), Fold::sum, "dy"}};
  reduce(exec, op, compute_type(x.type), x.shape, operands, results);
}

View reciprocal_deviation(const Exec& exec, std::string_view op, Type compute, const View& variance, double epsilon) {
  const auto r = exec.temporary(compute, variance.shape);
  pointwise(exec.queue, op, compute, {{"v", variance}}, {{r, "1 / sqrt(v + e)"}}, {{"e", epsilon}});
  return r;
}

}  // namespace

void normalize(const Exec& exec, const View& x, const View& gamma, const View& beta, double epsilon, const View& y,
               const View& mean, const View& variance) {
  check("normalize", x, {y}, {mean, variance}, mean);
  moments(exec, x, mean, variance);
  normalize_by(exec, x, mean, variance, gamma, beta, epsilon, y);
}

void normalize_by(const Exec& exec, const View& x, const View& mean, const View& variance, const View& gamma,
                  const View& beta, double epsilon, const View& y) {
  constexpr std::string_view op = "normalize";
  check(op, x, {y}, {mean, variance}, mean);
  if (x.elements() == 0) return;
  const auto compute = compute_type(x.type);
  const auto r = exec.temporary(compute, mean.shape);
  if (beside_mean(gamma, mean)) {
    pointwise(exec.queue, op, compute, {{"v", variance}, {"g", gamma}}, {{r, "g / sqrt(v + e)"}}, {{"e", epsilon}});
    return pointwise(exec.queue, op, compute, {{"x", x}, {"m", mean}, {"r", r}, {"b", beta}}, {{y, "(x - m) * r + b"}});
  }
  pointwise(exec.queue, op, compute, {{"v", variance}}, {{r, "1 / sqrt(v + e)"}}, {{"e", epsilon}});
  pointwise(exec.queue, op, compute, {{"x", x}, {"m", mean}, {"r", r}, {"g", gamma}, {"b", beta}},
            {{y, "(x - m) * r * g + b"}});
}

void normalize_gradient(const Exec& exec, const View& x, const View& dy, const View& mean, const View& variance,
                        const View& gamma, double epsilon, const View& dx, const View& dgamma, const View& dbeta) {
  constexpr std::string_view op = "normalize_gradient";
  check(op, x, {dy, dx}, {mean, variance}, mean);
  const auto compute = compute_type(x.type);
  const auto r = reciprocal_deviation(exec, op, compute, variance, epsilon);
  parameter_gradients(exec, op, x, dy, mean, r, dgamma, dbeta);
  if (x.elements() == 0) return;

  // dx = r * (g - average(g) - z * average(g * z)), where g = dy * gamma, z = (x - mean) * r and the averages are over
  // what a statistic is of: dx = a * dy + b * (x - mean) + c with a, b, c per statistic, or with g for dy.
  const auto b = exec.temporary(compute, mean.shape), c = exec.temporary(compute, mean.shape);
  if (beside_mean(gamma, mean)) {
    const auto a = exec.temporary(compute, mean.shape);
    const Scalar share{"share", static_cast<double>(mean.elements()) / static_cast<double>(x.elements())};
    pointwise(exec.queue, op, compute, {{"r", r}, {"g", gamma}, {"sum", dbeta}, {"product", dgamma}},
              {{a, "g * r"}, {b, "-g * r * r * product * share"}, {c, "-g * r * sum * share"}}, {share});
    return pointwise(exec.queue, op, compute, {{"x", x}, {"dy", dy}, {"m", mean}, {"a", a}, {"b", b}, {"c", c}},
                     {{dx, "a * dy + (b * (x - m) + c)"}});
  }
  const auto average = exec.temporary(compute, mean.shape), product = exec.temporary(compute, mean.shape);
  const Operand operands[]{{"x", x}, {"dy", dy}, {"m", mean}, {"r", r}, {"g", gamma}};
  const Reduced results[]{{average, Fold::sum, "dy * g", "r / count"},
                          {product, Fold::sum, "dy * g * (x - m) * r", "r / count"}};
  reduce(exec, op, compute, x.shape, operands, results);
  pointwise(exec.queue, op, compute, {{"r", r}, {"average", average}, {"product", product}},
            {{b, "-r * r * product"}, {c, "-r * average"}});
  pointwise(exec.queue, op, compute, {{"x", x}, {"dy", dy}, {"m", mean}, {"r", r}, {"g", gamma}, {"b", b}, {"c", c}},
            {{dx, "r * g * dy + (b * (x - m) + c)"}});
}

void normalize_by_gradient(const Exec& exec, const View& x, const View& dy, const View& mean, const View& variance,
                           const View& gamma, double epsilon, const View& dx, const View& dgamma, const View& dbeta) {
  constexpr std::string_view op = "normalize_gradient";
  check(op, x, {dy, dx}, {mean, variance}, mean);
  const auto compute = compute_type(x.type);
  const auto r = reciprocal_deviation(exec, op, compute, variance, epsilon);
  parameter_gradients(exec, op, x, dy, mean, r, dgamma, dbeta);
  pointwise(exec.queue, op, compute, {{"dy", dy}, {"r", r}, {"g", gamma}}, {{dx, "dy * r * g"}});
}

}  // namespace ocldnn
