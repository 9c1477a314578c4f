#include <cmath>

#include "check/case.hpp"
#include "ocldnn/scan.hpp"

namespace ocldnn::check {
namespace {

double joined(Scan operation, double a, double b) {
  if (operation == Scan::sum) return a + b;
  if (operation == Scan::product) return a * b;
  return a == -INFINITY ? b : std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

Example scans(Scan operation, std::string_view word, Type type, const Shape& shape, int axis, bool exclusive,
              bool reverse) {
  Example example;
  example.name = std::string(word) + "/" + std::string(name(type)) + "/" + shape.text() + "/" + std::to_string(axis) +
                 (exclusive ? "/exclusive" : "") + (reverse ? "/reverse" : "");
  const bool integer = !is_floating(type);
  const bool product = operation == Scan::product;
  const double low = product ? (integer ? 1 : 0.5) : (integer ? 0 : -2), high = product && !integer ? 1.5 : 2;
  example.inputs = {{.type = type, .shape = shape, .low = low, .high = high}};
  const double tolerance = integer ? 0 : type == Type::f32 ? 1e-4 : type == Type::f64 ? 1e-12 : -1;
  example.outputs = {{.type = type, .shape = shape, .tolerance = tolerance}};
  example.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    scan(exec, operation, in[0], axis, exclusive, reverse, out[0]);
  };
  example.reference = [=](std::span<const Array> in, std::span<Array> out) {
    int64_t inner = 1;
    for (int d = axis + 1; d < shape.rank(); ++d) inner *= shape[d];
    const int64_t n = shape[axis], outer = shape.elements() / std::max<int64_t>(n * inner, 1);
    for (int64_t line = 0; line < outer * inner; ++line) {
      double sum = operation == Scan::sum ? 0 : operation == Scan::product ? 1 : -INFINITY;
      for (int64_t i = 0; i < n; ++i) {
        const int64_t at = (line / inner * n + (reverse ? n - 1 - i : i)) * inner + line % inner;
        if (exclusive) out[0][at] = sum;
        sum = joined(operation, sum, in[0][at]);
        if (!exclusive) out[0][at] = sum;
      }
    }
  };
  example.bytes = 2.0 * static_cast<double>(shape.elements()) * static_cast<double>(size_of(type));
  return example;
}

}  // namespace

void scan_cases(Cases& cases) {
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8, Type::i32, Type::i64, Type::u8})
    cases.push_back(scans(Scan::sum, "cumsum", type, {3, 7, 5}, 1, false, false));
  for (auto type : {Type::f64, Type::i32, Type::i64, Type::u8})
    cases.push_back(scans(Scan::product, "cumprod", type, {3, 7, 5}, 1, false, false));
  for (bool exclusive : {false, true})
    for (bool reverse : {false, true}) {
      cases.push_back(scans(Scan::sum, "cumsum", Type::f32, {4, 37}, 1, exclusive, reverse));
      cases.push_back(scans(Scan::product, "cumprod", Type::f32, {5, 19}, 0, exclusive, reverse));
      cases.push_back(scans(Scan::log_sum_exp, "cumulative_logsumexp", Type::f32, {2, 11, 3}, 1, exclusive, reverse));
    }
  cases.push_back(scans(Scan::sum, "cumsum", Type::f32, {0, 3}, 0, false, false));
  cases.push_back(scans(Scan::sum, "cumsum", Type::f32, {5000}, 0, false, false));
  cases.push_back(scans(Scan::sum, "cumsum", Type::f32, {64, 512, 64}, 1, false, false));
  cases.push_back(scans(Scan::sum, "cumsum", Type::f32, {1024, 1024}, 1, false, false));
}

}  // namespace ocldnn::check
