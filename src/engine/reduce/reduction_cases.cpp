// Every reduction of the table against its definition in double: over rows and over columns, in the floating types.

#include <algorithm>
#include <cmath>
#include <random>

#include "check/case.hpp"
#include "ocldnn/reduction.hpp"

namespace ocldnn::check {
namespace {

using Elements = std::span<const double>;

struct Row {
  const char* name;
  Reduction reduction;
  double (*reference)(Elements x);
  double low = -2, high = 2;
};

double sum(
    Elements x, double (*of)(double) = [](double x) { return x; }) {
  double total = 0;
  for (double each : x) total += of(each);
  return total;
}
double square(double x) { return x * x; }
bool truth(double x) { return x != 0; }

std::vector<Row> rows() {
  return {
      {"sum", reduction::sum, [](Elements x) { return sum(x); }},
      {"mean", reduction::mean, [](Elements x) { return sum(x) / static_cast<double>(x.size()); }},
      {"euclidean_norm", reduction::euclidean_norm, [](Elements x) { return std::sqrt(sum(x, square)); }},
      {"product", reduction::product, [](Elements x) { return std::exp(sum(x, std::log)); }, 0.7, 1.4},
      {"max", reduction::max, [](Elements x) { return *std::max_element(x.begin(), x.end()); }},
      {"min", reduction::min, [](Elements x) { return *std::min_element(x.begin(), x.end()); }},
      {"all", reduction::all, [](Elements x) { return double(std::all_of(x.begin(), x.end(), truth)); }},
      {"any", reduction::any, [](Elements x) { return double(std::any_of(x.begin(), x.end(), truth)); }},
  };
}

/// A matrix of which the first line that is folded holds zeros alone, and the second a single one.
std::vector<double> drawn(const Row& row, const Shape& shape, int axis) {
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> uniform(row.low, row.high);
  std::vector<double> values(static_cast<size_t>(shape.elements()));
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int64_t place[]{i / shape[1], i % shape[1]};
    const int64_t line = place[1 - axis], k = place[axis];
    values[static_cast<size_t>(i)] = line == 0 || (line == 1 && k == 3) ? 0 : uniform(random);
  }
  return values;
}

/// Over `axis` of a matrix.
Example example_of(const Row& row, std::string_view how, Type type, const Shape& shape, int axis) {
  Example example;
  example.name = fmt::format("reduction/{}/{}", row.name, how);
  Shape kept = shape;
  kept[axis] = 1;
  const double tolerance = type == Type::f64 ? 1e-13 : type == Type::f16 ? 1.1e-3 : 5e-6;
  example.inputs = {{type, shape, row.low, row.high, drawn(row, shape, axis)}};
  example.outputs = {{type, kept, tolerance}};
  example.run = [row](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    reduce(exec, row.name, row.reduction, in[0], out[0]);
  };
  example.reference = [row, axis](std::span<const Array> in, std::span<Array> out) {
    const Shape& shape = in[0].shape;
    std::vector<double> folded(static_cast<size_t>(shape[axis]));
    for (int64_t i = 0; i < shape[1 - axis]; ++i) {
      for (int64_t k = 0; k < shape[axis]; ++k)
        folded[static_cast<size_t>(k)] = in[0][axis == 1 ? i * shape[1] + k : k * shape[1] + i];
      out[0][i] = row.reference(folded);
    }
  };
  return example;
}

Example bench(const Row& row, std::string_view how, int axis) {
  const Shape shape{4096, 1024};
  auto example = example_of(row, how, Type::f32, shape, axis);
  example.bytes = 4.0 * static_cast<double>(shape.elements());
  example.benchmark_only = true;
  return example;
}

}  // namespace

void reduction_cases(Cases& cases) {
  for (const auto& row : rows()) {
    cases.push_back(example_of(row, "rows/f32", Type::f32, {5, 131}, 1));
    cases.push_back(example_of(row, "columns/f32", Type::f32, {131, 5}, 0));
    cases.push_back(example_of(row, "rows/f16", Type::f16, {5, 67}, 1));
    cases.push_back(example_of(row, "columns/f64", Type::f64, {67, 5}, 0));
    cases.push_back(bench(row, "rows/f32/4096x1024", 1));
    cases.push_back(bench(row, "columns/f32/4096x1024", 0));
  }
}

}  // namespace ocldnn::check
