// Every activation against its formula in double, and its gradient against finite differences of that formula.

#include <cmath>

#include "engine/pointwise/formula_case.hpp"
#include "ocldnn/activation.hpp"

namespace ocldnn::check {
namespace {

using Function = double (*)(double);

struct Row {
  const char* name;
  Activation activation;
  Function reference;
  std::vector<Scalar> scalars = {};
  double low = -9, high = 9;
};

double clamped(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double selu_scale = 1.0507009873554804934, selu_alpha = 1.6732632423543772848;

std::vector<Row> rows() {
  return {
      {"identity", identity, [](double x) { return x; }},
      {"relu", relu, [](double x) { return std::max(x, 0.0); }},
      {"relu6", relu6, [](double x) { return clamped(x, 0, 6); }},
      {"leaky_relu", leaky_relu, [](double x) { return x > 0 ? x : 0.3 * x; }, {{"alpha", 0.3}}},
      {"elu", elu, [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"elu_alpha", elu_alpha, [](double x) { return x < 0 ? 0.7 * std::expm1(x) : x; }, {{"alpha", 0.7}}},
      {"celu", celu, [](double x) { return x < 0 ? 0.7 * std::expm1(x / 0.7) : x; }, {{"alpha", 0.7}}},
      {"selu", selu, [](double x) { return selu_scale * (x < 0 ? selu_alpha * std::expm1(x) : x); }},
      {"gelu", gelu, [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); }},
      {"gelu_tanh", gelu_tanh,
       [](double x) { return x * 0.5 * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); }},
      {"sigmoid", sigmoid, logistic},
      {"log_sigmoid", log_sigmoid, [](double x) { return std::log(logistic(x)); }},
      {"hard_sigmoid", hard_sigmoid, [](double x) { return clamped(x / 6 + 0.5, 0, 1); }},
      {"tanh", ocldnn::tanh, [](double x) { return std::tanh(x); }},
      {"hard_tanh", hard_tanh, [](double x) { return clamped(x, -1, 1); }},
      {"tanh_shrink", tanh_shrink, [](double x) { return x - std::tanh(x); }},
      {"soft_shrink",
       soft_shrink,
       [](double x) { return x > 0.5    ? x - 0.5
                             : x < -0.5 ? x + 0.5
                                        : 0; },
       {{"threshold", 0.5}}},
      {"hard_shrink", hard_shrink, [](double x) { return std::fabs(x) <= 0.5 ? 0 : x; }, {{"threshold", 0.5}}},
      {"softplus", softplus, [](double x) { return std::log1p(std::exp(x)); }},
      {"softsign", softsign, [](double x) { return x / (1 + std::fabs(x)); }},
      {"silu", silu, [](double x) { return x * logistic(x); }},
      {"hard_silu", hard_silu, [](double x) { return x * clamped(x / 6 + 0.5, 0, 1); }},
      {"mish", mish, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
      {"squareplus", squareplus, [](double x) { return (x + std::sqrt(x * x + 4)) / 2; }, {{"b", 4.0}}},
  };
}

Example gradient(const Row& row) {
  Example example;
  example.name = fmt::format("activation/{}/gradient", row.name);
  const Shape shape{5, 67};
  example.inputs = {{Type::f32, shape, row.low, row.high}, {Type::f32, shape}};
  example.outputs = {{Type::f32, shape, 1e-5}};
  example.run = [row](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const View y = exec.temporary(Type::f32, in[0].shape);
    const Operand x{"x", in[0]}, operands[]{x, {"y", y}, {"dy", in[1]}};
    const Result forward{y, row.activation.y}, backward{out[0], row.activation.dx};
    pointwise(exec.queue, row.name, Type::f32, std::span(&x, 1), std::span(&forward, 1), row.scalars);
    pointwise(exec.queue, row.name, Type::f32, operands, std::span(&backward, 1), row.scalars);
  };
  example.reference = [row](std::span<const Array> in, std::span<Array> out) {
    constexpr double h = 1e-5;
    for (int64_t i = 0; i < out[0].shape.elements(); ++i)
      out[0][i] = in[1][i] * (row.reference(in[0][i] + h) - row.reference(in[0][i] - h)) / (2 * h);
  };
  return example;
}

/// The gradient alone; x stands for y too, since a gradient reads one of them.
Example gradient_bench(const Row& row) {
  Example example;
  example.name = fmt::format("activation/{}/gradient/4M", row.name);
  const Shape shape{4096, 1024};
  example.inputs = {{Type::f32, shape, row.low, row.high}, {Type::f32, shape}};
  example.outputs = {{Type::f32, shape}};
  example.run = [row](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand operands[]{{"x", in[0]}, {"y", in[0]}, {"dy", in[1]}};
    const Result backward{out[0], row.activation.dx};
    pointwise(exec.queue, row.name, Type::f32, operands, std::span(&backward, 1), row.scalars);
  };
  example.bytes = 3.0 * 4 * 4096 * 1024;
  example.benchmark_only = true;
  return example;
}

}  // namespace

void activation_cases(Cases& cases) {
  for (const auto& row : rows()) {
    FormulaCase forward{fmt::format("activation/{}/f32", row.name),
                        std::string(row.activation.y),
                        {"x"},
                        [f = row.reference](std::span<const double> x) { return f(x[0]); },
                        row.low,
                        row.high,
                        2e-6,
                        row.scalars};
    cases.push_back(make_example(forward));
    forward.name = fmt::format("activation/{}/f32/4M", row.name);
    cases.push_back(make_example(forward, {4096, 1024}));
    cases.back().bytes = 2.0 * 4 * 4096 * 1024;
    cases.back().benchmark_only = true;
    forward.name = fmt::format("activation/{}/f16", row.name);
    forward.type = forward.result = Type::f16;
    forward.tolerance = 1.1e-3;
    cases.push_back(make_example(forward));
    forward.name = fmt::format("activation/{}/f64", row.name);
    forward.type = forward.result = Type::f64;
    forward.tolerance = 1e-13;
    cases.push_back(make_example(forward));
    cases.push_back(gradient(row));
    cases.push_back(gradient_bench(row));
  }
}

}  // namespace ocldnn::check
