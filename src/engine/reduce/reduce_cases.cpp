// Reductions over every arrangement of kept and folded dimensions, types, folds, several results, and in benchmarks.

#include <cmath>
#include <limits>

#include "check/case.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn::check {
namespace {

double identity_of(Fold fold) {
  switch (fold) {
    case Fold::prod:
    case Fold::all: return 1;
    case Fold::max: return -INFINITY;
    case Fold::min: return INFINITY;
    default: return 0;
  }
}

double folded(Fold fold, double a, double b) {
  switch (fold) {
    case Fold::sum: return a + b;
    case Fold::prod: return a * b;
    case Fold::max: return std::isnan(a) || a > b ? a : b;
    case Fold::min: return std::isnan(a) || a < b ? a : b;
    case Fold::all: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
  }
}

// Calls f(index in `shape`, index in `kept`), both row major, for every element of `shape`.
template <class F>
void each(const Shape& shape, const Shape& kept, F f) {
  for (int64_t i = 0; i < shape.elements(); ++i) {
    int64_t rest = i, at = 0, step = 1;
    for (int d = shape.rank() - 1; d >= 0; --d) {
      if (kept[d] != 1) at += rest % shape[d] * step;
      step *= kept[d];
      rest /= shape[d];
    }
    f(i, at);
  }
}

Shape without(const Shape& shape, const Dims& axes) {
  Shape kept = shape;
  for (auto axis : axes) kept[static_cast<int>(axis)] = 1;
  return kept;
}

/// One operand folded over `axes`.
struct Row {
  const char* name;
  Shape shape;
  Dims axes;
  Fold fold = Fold::sum;
  Type type = Type::f32;
  Dims order = {};
  double low = -2, high = 2;
  bool mean = false;
  double tolerance = -1;  // negative: by type and count
};

Example example_of(const Row& row) {
  Example example;
  example.name = fmt::format("reduce/{}", row.name);
  const Shape kept = without(row.shape, row.axes);
  const Type result = row.type;
  const double count =
      static_cast<double>(row.shape.elements()) / std::max<double>(1, static_cast<double>(kept.elements()));
  double tolerance = row.tolerance;
  if (row.type == Type::f32 && tolerance < 0) tolerance = 3e-7 * std::sqrt(count) + 1e-6;
  if (row.type == Type::f64) tolerance = 1e-14 * count;
  if (!is_floating(row.type)) tolerance = 0;
  example.inputs = {{row.type, row.shape, row.low, row.high, {}, row.order}};
  example.outputs = {{result, kept, tolerance}};
  example.run = [row](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand x{"x", in[0]};
    const Reduced y{out[0], row.fold, "x", row.mean ? "r / count" : "r"};
    reduce(exec, row.name, compute_type(row.type), row.shape, std::span(&x, 1), std::span(&y, 1));
  };
  example.reference = [row, count](std::span<const Array> in, std::span<Array> out) {
    for (auto& value : out[0].values) value = identity_of(row.fold);
    each(row.shape, out[0].shape, [&](int64_t i, int64_t at) { out[0][at] = folded(row.fold, out[0][at], in[0][i]); });
    if (row.mean)
      for (auto& value : out[0].values) value /= count;
  };
  example.bytes = static_cast<double>(row.shape.elements()) * static_cast<double>(size_of(row.type));
  return example;
}

std::vector<Row> rows() {
  return {
      {"all/1000", {1000}, {0}},
      {"all/one", {1}, {0}},
      {"all/scalar", {}, {}},
      {"all/17x3x129", {17, 3, 129}, {0, 1, 2}},
      {"all/100003", {100003}, {0}},
      {"rows/37x1000", {37, 1000}, {1}},
      {"rows/1000x7", {1000, 7}, {1}},
      {"rows/3x40000", {3, 40000}, {1}},
      {"rows/513x33", {513, 33}, {1}},
      {"columns/1000x64", {1000, 64}, {0}},
      {"columns/1024x10", {1024, 10}, {0}},
      {"columns/1021x10", {1021, 10}, {0}},
      {"columns/4096x3", {4096, 3}, {0}},
      {"columns/40000x3", {40000, 3}, {0}},
      {"columns/6272x32", {6272, 32}, {0}},
      {"columns/7x1000", {7, 1000}, {0}},
      {"columns/64x1000/rounding", {64, 1000}, {0}, Fold::sum, Type::f32, {}, 1, 2, false, 2.2e-7},
      {"columns/300x129", {300, 129}, {0}},
      {"nhwc/4x9x11x20", {4, 9, 11, 20}, {0, 1, 2}},
      {"nchw/4x20x9x11", {4, 20, 9, 11}, {0, 2, 3}},
      {"nchw/2x3x64x65", {2, 3, 64, 65}, {0, 2, 3}},
      {"middle/5x60x33", {5, 60, 33}, {1}},
      {"outer_inner/5x6x33", {5, 6, 33}, {0, 2}},
      {"alternating/3x4x5x6x7", {3, 4, 5, 6, 7}, {0, 2, 4}},
      {"alternating/kept/3x4x5x6x7", {3, 4, 5, 6, 7}, {1, 3}},
      {"none/6x50", {6, 50}, {}},
      {"ones/6x1x50", {6, 1, 50}, {1}},
      {"permuted/rows", {40, 70}, {1}, Fold::sum, Type::f32, {1, 0}},
      {"permuted/columns", {40, 70}, {0}, Fold::sum, Type::f32, {1, 0}},
      {"permuted/nhwc", {4, 20, 9, 11}, {0, 2, 3}, Fold::sum, Type::f32, {0, 2, 3, 1}},
      {"empty/sum", {0, 5}, {0}},
      {"empty/max", {3, 0}, {1}, Fold::max},
      {"empty/mean", {0, 5}, {0}, Fold::sum, Type::f32, {}, -2, 2, true},
      {"empty/results", {0, 5}, {1}},
      {"mean/33x65", {33, 65}, {1}, Fold::sum, Type::f32, {}, -2, 2, true},
      {"mean/f16/2048x24", {2048, 24}, {0}, Fold::sum, Type::f16, {}, -2, 2, true},
      {"sum/bf16/20x300", {20, 300}, {1}, Fold::sum, Type::bf16, {}, 0, 1},
      {"sum/f64/20x300", {20, 300}, {1}, Fold::sum, Type::f64},
      {"sum/i8/20x40", {20, 40}, {1}, Fold::sum, Type::i8},
      {"sum/u16/300x20", {300, 20}, {0}, Fold::sum, Type::u16, {}, 0, 100},
      {"sum/i32/12345", {12345}, {0}, Fold::sum, Type::i32, {}, -1000, 1000},
      {"sum/i64/70x80", {70, 80}, {0}, Fold::sum, Type::i64, {}, -1e9, 1e9},
      {"prod/12x9", {12, 9}, {1}, Fold::prod, Type::f32, {}, 0.5, 1.5},
      {"prod/i64/6x30", {6, 30}, {1}, Fold::prod, Type::i64, {}, -2, 2},
      {"max/50x31", {50, 31}, {1}, Fold::max},
      {"max/columns", {50, 31}, {0}, Fold::max},
      {"max/bf16", {50, 31}, {1}, Fold::max, Type::bf16},
      {"max/i32", {50, 31}, {0}, Fold::max, Type::i32, {}, -1e9, -1},
      {"max/u8", {50, 31}, {1}, Fold::max, Type::u8, {}, 0, 255},
      {"min/f16", {50, 31}, {0}, Fold::min, Type::f16},
      {"min/u64", {50, 31}, {1}, Fold::min, Type::u64, {}, 1, 1e15},
      {"all/boolean", {400, 5}, {1}, Fold::all, Type::boolean, {}, 0, 1},
      {"any/boolean", {5, 400}, {1}, Fold::any, Type::boolean, {}, 0, 1},
      {"any/boolean/columns", {3, 400}, {0}, Fold::any, Type::boolean, {}, 0, 1},
  };
}

// Two results in one pass over two operands that broadcast: what a layer norm's gradient sums.
Example two_results() {
  Example example;
  example.name = "reduce/two_results/64x48";
  const Shape shape{64, 48}, kept{1, 48};
  example.inputs = {{Type::f32, shape}, {Type::f16, {64, 1}}, {Type::f32, {48}}};
  example.outputs = {{Type::f32, kept, 1e-5}, {Type::f16, kept, 2e-3}};
  example.run = [shape](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand operands[]{{"x", in[0]}, {"m", in[1]}, {"g", in[2]}};
    const Reduced results[]{{out[0], Fold::sum, "(x - m) * g"}, {out[1], Fold::max, "abs(x) * scale", "r + scale"}};
    const Scalar scale{"scale", 0.5};
    reduce(exec, "two_results", Type::f32, shape, operands, results, std::span(&scale, 1));
  };
  example.reference = [shape](std::span<const Array> in, std::span<Array> out) {
    out[0].values.assign(48, 0);
    out[1].values.assign(48, 0);
    each(shape, out[0].shape, [&](int64_t i, int64_t at) {
      out[0][at] += (in[0][i] - in[1][i / 48]) * in[2][i % 48];
      out[1][at] = std::max(out[1][at], std::fabs(in[0][i]) * 0.5);
    });
    for (auto& value : out[1].values) value += 0.5;
  };
  return example;
}

// A NaN reaches max and min wherever it stands.
Example keeps_nan(Fold fold, const char* name) {
  Example example = example_of({name, {3, 40}, {1}, fold});
  std::vector<double> values(120);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 17) - 8;
  values[0] = values[79] = NAN;
  values[85] = INFINITY;
  values[90] = -INFINITY;
  example.inputs[0].values = values;
  return example;
}

Example moments_of(const char* name, const Shape& shape, const Dims& axes, Type type, double tolerance) {
  Example example;
  const Shape kept = without(shape, axes);
  example.name = fmt::format("moments/{}", name);
  example.inputs = {{type, shape, 99, 101}};  // far from 0: a sum of squares less the squared mean would fail
  example.outputs = {{Type::f32, kept, tolerance}, {Type::f32, kept, tolerance}};
  example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    moments(exec, in[0], out[0], out[1]);
  };
  example.reference = [shape](std::span<const Array> in, std::span<Array> out) {
    const double count = static_cast<double>(shape.elements()) / static_cast<double>(out[0].shape.elements());
    for (auto& array : out)
      for (auto& value : array.values) value = 0;
    each(shape, out[0].shape, [&](int64_t i, int64_t at) { out[0][at] += in[0][i] / count; });
    each(shape, out[0].shape, [&](int64_t i, int64_t at) { out[1][at] += std::pow(in[0][i] - out[0][at], 2) / count; });
  };
  return example;
}

Example arg_of(const char* name, const Shape& shape, int axis, Extreme extreme, Type type, Type index, double low = -9,
               double high = 9, const Dims& order = {}) {
  Example example;
  Shape result;
  for (int d = 0; d < shape.rank(); ++d)
    if (d != axis) result.push_back(shape[d]);
  example.name = fmt::format("arg_reduce/{}", name);
  example.inputs = {{type, shape, low, high, {}, order}};
  example.outputs = {{index, result, 0}};
  example.run = [extreme, axis](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    arg_reduce(exec, extreme, in[0], axis, out[0]);
  };
  example.reference = [shape, axis, extreme](std::span<const Array> in, std::span<Array> out) {
    const Shape kept = without(shape, {axis});
    int64_t columns = 1;
    for (int d = axis + 1; d < shape.rank(); ++d) columns *= shape[d];
    std::vector<double> best(out[0].values.size());
    each(shape, kept, [&](int64_t i, int64_t at) {
      const double x = in[0][i];
      auto& b = best[static_cast<size_t>(at)];
      const int64_t k = i / columns % shape[axis];
      if (k == 0 || (!std::isnan(b) && (std::isnan(x) || (extreme == Extreme::max ? x > b : x < b)))) {
        b = x;
        out[0][at] = static_cast<double>(k);
      }
    });
  };
  return example;
}

Example bench(Row row) {
  auto example = example_of(row);
  example.benchmark_only = true;
  return example;
}

}  // namespace

void reduce_cases(Cases& cases) {
  for (const auto& row : rows()) cases.push_back(example_of(row));
  cases.push_back(two_results());
  cases.push_back(keeps_nan(Fold::max, "nan/max"));
  cases.push_back(keeps_nan(Fold::min, "nan/min"));
  cases.push_back(moments_of("nhwc/4x9x11x20", {4, 9, 11, 20}, {0, 1, 2}, Type::f32, 1e-5));
  cases.push_back(moments_of("rows/f16/33x129", {33, 129}, {1}, Type::f16, 1e-5));
  cases.push_back(moments_of("all/50000", {50000}, {0}, Type::f32, 1e-5));
  for (auto extreme : {Extreme::max, Extreme::min}) {
    const char* names[2][5]{{"max/last", "max/first", "max/middle/i32", "max/short/u8", "max/permuted/f16"},
                            {"min/last", "min/first", "min/middle/i32", "min/short/u8", "min/permuted/f16"}};
    const auto& of = names[static_cast<int>(extreme)];
    cases.push_back(arg_of(of[0], {7, 100}, 1, extreme, Type::f32, Type::i64));
    cases.push_back(arg_of(of[1], {100, 37}, 0, extreme, Type::f32, Type::i32));
    cases.push_back(arg_of(of[2], {5, 40, 19}, 1, extreme, Type::i32, Type::i64, -5, 5));  // with equal elements
    cases.push_back(arg_of(of[3], {33, 10}, 1, extreme, Type::u8, Type::u16, 0, 4));
    cases.push_back(arg_of(of[4], {20, 30}, 1, extreme, Type::f16, Type::i64, -9, 9, {1, 0}));
  }
  Example with_nan = arg_of("max/nan", {3, 40}, 1, Extreme::max, Type::f32, Type::i64);
  with_nan.inputs = {keeps_nan(Fold::max, "").inputs[0]};
  cases.push_back(with_nan);
  cases.push_back(arg_of("max/wide", {3, 50, 700}, 1, Extreme::max, Type::f32, Type::i64));
  cases.push_back(arg_of("max/one", {1}, 0, Extreme::max, Type::f32, Type::i64));
  cases.push_back(bench({"bench/all/4M", {1 << 22}, {0}}));
  cases.push_back(bench({"bench/rows/4096x1024", {4096, 1024}, {1}}));
  cases.push_back(bench({"bench/columns/65536x64", {65536, 64}, {0}}));
  cases.push_back(bench({"bench/columns/100352x32", {100352, 32}, {0}}));
  cases.push_back(bench({"bench/columns/4096x1024", {4096, 1024}, {0}}));
  cases.push_back(bench({"bench/columns/128x10", {128, 10}, {0}}));
  cases.push_back(bench({"bench/nchw/128x32x28x28", {128, 32, 28, 28}, {0, 2, 3}}));
  cases.push_back(bench({"bench/all/16M", {1 << 24}, {0}}));
}

}  // namespace ocldnn::check
