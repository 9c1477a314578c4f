#include <cmath>

#include "check/case.hpp"
#include "ocldnn/norm.hpp"

namespace ocldnn::check {
namespace {

/// Index into an array of shape `small` (x's rank, or less from the right) of the element that x's element i broadcasts
/// with.
class Broadcast {
 public:
  Broadcast(const Shape& x, const Shape& small) : x_(x), strides_(Strides::filled(x.rank(), 0)) {
    const auto dense = dense_strides(small);
    for (int i = 0; i < small.rank(); ++i)
      if (small[i] != 1) strides_[x.rank() - small.rank() + i] = dense[i];
  }
  int64_t operator()(int64_t i) const {
    int64_t at = 0;
    for (int d = x_.rank() - 1; d >= 0; --d) {
      at += i % x_[d] * strides_[d];
      i /= x_[d];
    }
    return at;
  }

 private:
  Shape x_;
  Strides strides_;
};

struct Setup {
  std::string_view kind;
  Shape x, mean, gamma;
  double offset = 0;  // of x's values: a mean far from 0 must not cost the variance its digits
};

constexpr double epsilon = 1e-3;

std::vector<double> averages(const Array& x, const Setup& s, auto f) {
  std::vector<double> sum(static_cast<size_t>(s.mean.elements()), 0);
  const Broadcast at(s.x, s.mean);
  const double count = static_cast<double>(s.x.elements()) / static_cast<double>(s.mean.elements());
  for (int64_t i = 0; i < s.x.elements(); ++i) sum[static_cast<size_t>(at(i))] += f(x[i], at(i)) / count;
  return sum;
}

std::string label(std::string_view op, Type type, const Setup& s, const Dims& order) {
  return fmt::format("{}/{}/{}/{}{}{}", op, s.kind, name(type), s.x.text(), order.empty() ? "" : "/channels_first",
                     s.offset != 0 ? "/far" : "");
}

double tolerance(Type type, double f32, double f64) { return type == Type::f32 ? f32 : type == Type::f64 ? f64 : -1; }

Example forward(Type type, const Setup& s, const Dims& order = {}) {
  const Type stats = compute_type(type);
  Example e;
  e.name = label("normalize", type, s, order);
  e.inputs = {{type, s.x, s.offset - 2, s.offset + 2, {}, order}, {stats, s.gamma}, {stats, s.gamma}};
  const double far = 1 + std::fabs(s.offset);
  e.outputs = {{type, s.x, tolerance(type, 4e-6 * far, 1e-13 * far), order},
               {stats, s.mean, stats == Type::f32 ? 1e-6 : 1e-14},
               {stats, s.mean, stats == Type::f32 ? 4e-6 * far : 1e-13 * far}};
  e.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    normalize(exec, in[0], in[1], in[2], epsilon, out[0], out[1], out[2]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    out[1].values = averages(in[0], s, [](double x, int64_t) { return x; });
    out[2].values = averages(in[0], s, [&](double x, int64_t at) { return std::pow(x - out[1][at], 2); });
    const Broadcast m(s.x, s.mean), g(s.x, s.gamma);
    for (int64_t i = 0; i < s.x.elements(); ++i)
      out[0][i] = (in[0][i] - out[1][m(i)]) / std::sqrt(out[2][m(i)] + epsilon) * in[1][g(i)] + in[2][g(i)];
  };
  e.bytes = 2.0 * static_cast<double>(s.x.elements()) * static_cast<double>(size_of(type));
  return e;
}

/// With `constant`, the mean and variance are given, and no part of the gradient.
Example gradient(Type type, const Setup& s, bool constant, const Dims& order = {}) {
  const Type stats = compute_type(type);
  const double terms =
      static_cast<double>(s.x.elements()) / static_cast<double>(std::max<int64_t>(s.gamma.elements(), 1));
  Example e;
  e.name = label(constant ? "normalize_by_gradient" : "normalize_gradient", type, s, order);
  e.inputs = {{type, s.x, -2, 2, {}, order},
              {type, s.x, -2, 2, {}, order},
              {stats, s.mean, -0.2, 0.2},
              {stats, s.mean, 0.5, 2},
              {stats, s.gamma}};
  e.outputs = {{type, s.x, tolerance(type, 1e-5, 1e-13), order},
               {stats, s.gamma, (stats == Type::f32 ? 2e-6 : 1e-14) * std::sqrt(terms + 1)},
               {stats, s.gamma, (stats == Type::f32 ? 2e-6 : 1e-14) * std::sqrt(terms + 1)}};
  e.run = [constant](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (constant ? normalize_by_gradient : normalize_gradient)(exec, in[0], in[1], in[2], in[3], in[4], epsilon, out[0],
                                                            out[1], out[2]);
  };
  e.reference = [s, constant](std::span<const Array> in, std::span<Array> out) {
    const Broadcast m(s.x, s.mean), p(s.x, s.gamma);
    Array g = in[1], gz = in[1];
    std::vector<double> z(g.values.size());
    out[1].values.assign(out[1].values.size(), 0);
    out[2].values.assign(out[2].values.size(), 0);
    for (int64_t i = 0; i < s.x.elements(); ++i) {
      z[static_cast<size_t>(i)] = (in[0][i] - in[2][m(i)]) / std::sqrt(in[3][m(i)] + epsilon);
      g[i] = in[1][i] * in[4][p(i)];
      gz[i] = g[i] * z[static_cast<size_t>(i)];
      out[1][p(i)] += in[1][i] * z[static_cast<size_t>(i)];
      out[2][p(i)] += in[1][i];
    }
    auto itself = [](double x, int64_t) { return x; };
    const auto mean_g = averages(g, s, itself), mean_gz = averages(gz, s, itself);
    for (int64_t i = 0; i < s.x.elements(); ++i) {
      const auto at = static_cast<size_t>(m(i));
      const double centred = constant ? g[i] : g[i] - mean_g[at] - z[static_cast<size_t>(i)] * mean_gz[at];
      out[0][i] = centred / std::sqrt(in[3][m(i)] + epsilon);
    }
  };
  e.bytes = 3.0 * static_cast<double>(s.x.elements()) * static_cast<double>(size_of(type));
  return e;
}

}  // namespace

void norm_cases(Cases& cases) {
  const Setup batch{"batch", {4, 5, 6, 19}, {1, 1, 1, 19}, {1, 1, 1, 19}};
  const Setup layer{"layer", {3, 5, 33}, {3, 5, 1}, {33}};
  const Setup group{"group", {2, 5, 4, 3, 7}, {2, 1, 1, 3, 1}, {3, 7}};
  const Setup instance{"instance", {3, 6, 5, 8}, {3, 1, 1, 8}, {8}};
  for (auto type : {Type::f32, Type::f64, Type::f16, Type::bf16}) {
    cases.push_back(forward(type, batch));
    cases.push_back(gradient(type, batch, false));
    cases.push_back(forward(type, layer));
    cases.push_back(gradient(type, layer, false));
  }
  const Dims channels_first{0, 3, 1, 2};
  cases.push_back(forward(Type::f32, batch, channels_first));
  cases.push_back(gradient(Type::f32, batch, false, channels_first));
  cases.push_back(gradient(Type::f32, batch, true));
  cases.push_back(gradient(Type::f32, layer, true));
  for (const auto& setup : {group, instance}) {
    cases.push_back(forward(Type::f32, setup));
    cases.push_back(gradient(Type::f32, setup, false));
  }
  cases.push_back(forward(Type::f32, {"batch", {64, 3, 3, 5}, {1, 1, 1, 5}, {1, 1, 1, 5}, 1000}));
  cases.push_back(forward(Type::f32, {"batch", {1, 1, 1, 3}, {1, 1, 1, 3}, {1, 1, 1, 3}}));  // one element: variance 0
  cases.push_back(gradient(Type::f32, {"batch", {0, 2, 2, 3}, {1, 1, 1, 3}, {1, 1, 1, 3}}, false));
  for (auto [size, channels] : {std::pair{28, 32}, std::pair{14, 64}}) {
    const Setup demo{"batch", {128, size, size, channels}, {1, 1, 1, channels}, {1, 1, 1, channels}};
    for (auto e : {forward(Type::f32, demo), gradient(Type::f32, demo, false)}) {
      e.benchmark_only = true;
      cases.push_back(e);
    }
  }
}

}  // namespace ocldnn::check
