#include "ocldnn/softmax.hpp"

#include <cmath>
#include <limits>

#include "check/case.hpp"

namespace ocldnn::check {
namespace {

constexpr Type floats[] = {Type::f32, Type::f64, Type::f16, Type::bf16};
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

/// Calls f(start, stride) for each line of `shape` along `axis`.
template <class F>
void for_each_line(const Shape& shape, int axis, F f) {
  const int64_t stride = dense_strides(shape)[axis], n = shape[axis];
  for (int64_t outer = 0; outer < shape.elements() / std::max<int64_t>(n * stride, 1); ++outer)
    for (int64_t inner = 0; inner < stride; ++inner) f(outer * n * stride + inner, stride);
}

/// log of the sum of exponentials of a line, and its largest element.
std::pair<double, double> log_sum(const Array& x, int64_t start, int64_t stride, int64_t n) {
  double largest = -infinity, sum = 0;
  for (int64_t i = 0; i < n; ++i) largest = std::max(largest, x[start + i * stride]);
  for (int64_t i = 0; i < n; ++i) sum += std::exp(x[start + i * stride] - largest);
  return {std::log(sum), largest};
}

Example forward(bool is_log, Input x, int axis, std::string_view note = "") {
  Example e;
  e.name =
      fmt::format("{}/{}/{}/axis{}{}", is_log ? "log_softmax" : "softmax", name(x.type), x.shape.text(), axis, note);
  // Values of softmax are at most 1: held to a part of the largest, except halves, whose own rounding is coarser.
  const double tolerance = x.type == Type::f32 ? (is_log ? 3e-6 : 5e-7) : x.type == Type::f64 ? 1e-14 : -1;
  e.inputs = {x};
  e.outputs = {{x.type, x.shape, tolerance, x.order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (is_log ? log_softmax : softmax)(exec, in[0], axis, out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    const auto n = in[0].shape[axis];
    for_each_line(in[0].shape, axis, [&](int64_t start, int64_t stride) {
      const auto [log_total, largest] = log_sum(in[0], start, stride, n);
      for (int64_t i = start; i < start + n * stride; i += stride) {
        const double y = in[0][i] - largest - log_total;
        out[0][i] = is_log ? y : std::exp(y);
      }
    });
  };
  e.bytes = 2.0 * static_cast<double>(x.shape.elements()) * static_cast<double>(size_of(x.type));
  return e;
}

Example gradient(bool is_log, Type type, const Shape& shape, int axis, const Dims& order = {}) {
  Example e;
  e.name = fmt::format("{}_gradient/{}/{}/axis{}{}", is_log ? "log_softmax" : "softmax", name(type), shape.text(), axis,
                       order.empty() ? "" : "/permuted");
  const auto y = is_log ? Input{type, shape, -6, 0, {}, order} : Input{type, shape, 0, 0.25, {}, order};
  const auto n = static_cast<double>(shape[axis]);
  const double tolerance = type == Type::f32   ? 1e-6 * std::max(1.0, std::sqrt(n))
                           : type == Type::f64 ? 1e-14 * (n + 1)
                                               : -1;
  e.inputs = {y, {type, shape, -2, 2, {}, order}};
  e.outputs = {{type, shape, tolerance, order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (is_log ? log_softmax_gradient : softmax_gradient)(exec, in[0], in[1], axis, out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    const auto &y = in[0], &dy = in[1];
    for_each_line(y.shape, axis, [&](int64_t start, int64_t stride) {
      const int64_t end = start + y.shape[axis] * stride;
      double sum = 0;
      for (int64_t i = start; i < end; i += stride) sum += is_log ? dy[i] : dy[i] * y[i];
      for (int64_t i = start; i < end; i += stride)
        out[0][i] = is_log ? dy[i] - std::exp(y[i]) * sum : (dy[i] - sum) * y[i];
    });
  };
  e.bytes = 3.0 * static_cast<double>(shape.elements()) * static_cast<double>(size_of(type));
  return e;
}

/// Labels are probabilities of the logits' type and shape, or classes (i32, i64).
Example cross_entropy(Input logits, Input labels, std::string_view note = "") {
  const bool sparse = is_integer(labels.type);
  const int64_t rows = logits.shape[0], classes = logits.shape[1];
  Example e;
  e.name = fmt::format("{}/{}/{}{}", sparse ? "sparse_softmax_cross_entropy" : "softmax_cross_entropy",
                       name(logits.type), logits.shape.text(), note);
  const double tolerance = logits.type == Type::f32 ? 2e-6 : logits.type == Type::f64 ? 1e-14 : -1;
  e.inputs = {logits, labels};
  e.outputs = {{logits.type, {rows}, sparse ? tolerance : tolerance * std::sqrt(static_cast<double>(classes) + 1)},
               {logits.type, logits.shape, tolerance, logits.order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (sparse ? sparse_softmax_cross_entropy : softmax_cross_entropy)(exec, in[0], in[1], out[0], out[1]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    const auto &x = in[0], &label = in[1];
    for (int64_t r = 0; r < rows; ++r) {
      const auto [log_total, largest] = log_sum(x, r * classes, 1, classes);
      const bool valid = !sparse || (label[r] >= 0 && label[r] < static_cast<double>(classes));
      out[0][r] = valid ? 0 : nan;
      for (int64_t c = 0; c < classes; ++c) {
        const double target = sparse ? static_cast<double>(c) == label[r] : label[r * classes + c];
        const double p = x[r * classes + c] - largest - log_total;
        if (!sparse || target != 0) out[0][r] -= target * p;
        out[1][r * classes + c] = valid ? std::exp(p) - target : nan;
      }
    }
  };
  e.bytes =
      (sparse ? 2.0 : 3.0) * static_cast<double>(logits.shape.elements()) * static_cast<double>(size_of(logits.type));
  return e;
}

void add_softmax(Cases& cases) {
  for (bool is_log : {false, true}) {
    for (auto type : floats) {
      for (const auto& shape :
           {Shape{1}, Shape{7, 33}, Shape{3, 1}, Shape{64, 10}, Shape{0, 5}, Shape{4, 0}, Shape{2, 1025}})
        if (type == Type::f32 || shape.elements() > 64)
          cases.push_back(forward(is_log, {type, shape}, shape.rank() - 1));
      // Of [2, 1025] alone, every value of a half's type lies within its tolerance of 0.
      cases.push_back(forward(is_log, {type, {2, 1025}, -40, 40}, 1, "/peaked"));
      cases.push_back(forward(is_log, {type, {3, 7, 19}}, 1));
      cases.push_back(forward(is_log, {type, {5, 37}}, 0));
    }
    cases.push_back(forward(is_log, {Type::f32, {3, 4, 5, 6}, -2, 2, {}, {0, 2, 3, 1}}, 1, "/channels_last"));
    cases.push_back(forward(is_log, {Type::f32, {3, 4, 5, 6}, -2, 2, {}, {2, 1, 0, 3}}, 1, "/scattered"));
    cases.push_back(forward(is_log, {Type::f32, {6, 5, 4, 3}, -2, 2, {}, {3, 1, 0, 2}}, 1, "/reversed"));
    cases.push_back(forward(is_log, {Type::f32, {5, 77}, -1e4, 1e4}, 1, "/large"));
    cases.push_back(forward(is_log, {Type::f32, {2, 100000}}, 1, "/long"));
    cases.push_back(forward(
        is_log,
        {Type::f32, {4, 4}, 0, 0, {-1e4, 1e4, 1e4, -1e4, -infinity, 0, 1, -infinity, nan, 0, 1, 2, 88, 89, -88, -89}},
        1, "/extremes"));
  }
  cases.push_back(
      forward(false, {Type::f32, {2, 3}, 0, 0, {infinity, 0, 1, -infinity, -infinity, -infinity}}, 1, "/infinite"));
}

void add_gradients(Cases& cases) {
  for (bool is_log : {false, true}) {
    for (auto type : floats)
      for (const auto& shape : {Shape{7, 33}, Shape{64, 10}, Shape{0, 5}, Shape{4, 0}, Shape{3, 1}})
        if (type == Type::f32 || shape[1] == 33) cases.push_back(gradient(is_log, type, shape, 1));
    cases.push_back(gradient(is_log, Type::f32, {3, 7, 19}, 1));
    cases.push_back(gradient(is_log, Type::f32, {3, 4, 5, 6}, 2, {0, 1, 3, 2}));
    cases.push_back(gradient(is_log, Type::f32, {2, 4099}, 1));
  }
}

void add_cross_entropies(Cases& cases) {
  for (auto type : floats) {
    for (const auto& shape : {Shape{5, 10}, Shape{3, 33}, Shape{1, 1}, Shape{0, 4}, Shape{128, 10}}) {
      cases.push_back(cross_entropy({type, shape}, {type, shape, 0, 0.5}));
      cases.push_back(cross_entropy({type, shape}, {Type::i32, {shape[0]}, 0, static_cast<double>(shape[1]) - 0.01}));
    }
  }
  cases.push_back(cross_entropy({Type::f32, {4, 0}}, {Type::f32, {4, 0}}));
  cases.push_back(cross_entropy({Type::f32, {5, 77}, -1e4, 1e4}, {Type::f32, {5, 77}, 0, 0.03}, "/large"));
  cases.push_back(cross_entropy({Type::f32, {6, 9}, -1e4, 1e4}, {Type::i64, {6}, 0, 8.9}, "/large"));
  cases.push_back(cross_entropy({Type::f32, {3, 4099}}, {Type::i64, {3}, 0, 4098}));
  cases.push_back(
      cross_entropy({Type::f32, {4, 18}, -2, 2, {}, {1, 0}}, {Type::f32, {4, 18}, 0, 0.5, {}, {1, 0}}, "/columns"));
  cases.push_back(
      cross_entropy({Type::f32, {5, 18}}, {Type::i64, {5}, 0, 0, {-1, 17, 18, 4294967296.0, 0}}, "/out_of_range"));
}

}  // namespace

void softmax_cases(Cases& cases) {
  add_softmax(cases);
  add_gradients(cases);
  add_cross_entropies(cases);
}

}  // namespace ocldnn::check
