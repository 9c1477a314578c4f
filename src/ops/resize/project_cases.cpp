#include <cmath>

#include "check/case.hpp"
#include "ocldnn/resize.hpp"

namespace ocldnn::check {
namespace {

constexpr std::string_view samplings[]{"nearest", "bilinear"}, borders[]{"constant", "reflect", "wrap", "edge"};

/// The place that stands for `at` in `size` elements. In float and step by step as in TensorFlow: it decides which
/// elements are read.
float inside(Border border, float at, int64_t size) {
  const auto length = static_cast<float>(size), last = static_cast<float>(size - 1);
  if (border == Border::constant) return at;
  if (size > 1 && border == Border::reflect) {
    const float period = 2 * length;
    if (at < 0) {
      at += period * std::trunc(-at / period);
      at = at < -length ? at + period : -at - 1;
    } else if (at > last) {
      at -= period * std::trunc(at / period);
      if (at >= length) at = period - at - 1;
    }
  }
  if (size > 1 && border == Border::wrap) {
    if (at < 0) {
      at += length * (std::floor(-at / last) + 1);
    } else if (at > last) {
      at -= length * std::floor(at / last);
    }
  }
  return std::clamp(at, 0.0F, std::max(last, 0.0F));
}

/// The elements that a place is made of, and their weights.
std::vector<std::pair<float, double>> taps(Sampling sampling, float at) {
  if (sampling == Sampling::nearest) return {{std::round(at), 1}};
  const double part = static_cast<double>(at - std::floor(at));
  return {{std::floor(at), 1 - part}, {std::floor(at) + 1, part}};
}

struct Setting {
  Sampling sampling;
  Border border;
  float fill;
};

void reference(const Setting& s, std::span<const Array> in, Array& y) {
  const Array &x = in[0], &transforms = in[1];
  const auto height = static_cast<float>(x.shape[1]), width = static_cast<float>(x.shape[2]);
  const double fill = is_floating(y.type) ? double{s.fill} : std::trunc(double{s.fill});
  for (int64_t i = 0; i < y.shape.elements(); ++i) {
    const int64_t c = i % y.shape[3], w = i / y.shape[3] % y.shape[2], h = i / y.shape[3] / y.shape[2] % y.shape[1],
                  n = i / y.shape[3] / y.shape[2] / y.shape[1];
    float t[8];
    for (int64_t k = 0; k < 8; ++k) t[k] = static_cast<float>(transforms[(transforms.shape[0] == 1 ? 0 : n) * 8 + k]);
    const auto column = static_cast<float>(w), row = static_cast<float>(h);
    const float k = t[6] * column + t[7] * row + 1;
    y[i] = fill;
    if (k == 0) continue;
    const float at_x = inside(s.border, (t[0] * column + t[1] * row + t[2]) / k, x.shape[2]);
    const float at_y = inside(s.border, (t[3] * column + t[4] * row + t[5]) / k, x.shape[1]);
    double sum = 0;
    for (auto [py, wy] : taps(s.sampling, at_y))
      for (auto [px, wx] : taps(s.sampling, at_x)) {
        const bool read = py >= 0 && py < height && px >= 0 && px < width;
        const auto element = ((n * x.shape[1] + static_cast<int64_t>(py)) * x.shape[2] + static_cast<int64_t>(px));
        sum += wy * wx * (read ? x[element * x.shape[3] + c] : fill);
      }
    y[i] = is_floating(y.type) ? sum : std::trunc(sum);
  }
}

/// A shift, a turn with a scale, both in quarters so that weights are exact and integers truncate alike, a perspective
/// whose k is 0 in places, and none at all, in turn; later images lie farther beside theirs.
std::vector<double> transforms_of(int64_t count) {
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    const auto shift = static_cast<double>(i) * 7.25;
    const double column = i % 2 ? 0 : -1, row = i % 2 ? -1 : 0;
    const double rows[4][8]{{1, 0, -2.5 + shift, 0, 1, 3.75 - shift, 0, 0},
                            {0.5, -1.25, 4 - shift, 1.5, 0.75, -9.25 + shift, 0, 0},
                            {1, 0.25, -1.5, 0, 1, -3.25, column, row},
                            {1, 0, 0, 0, 1, 0, 0, 0}};
    values.insert(values.end(), rows[i % 4], rows[i % 4] + 8);
  }
  return values;
}

void add(Cases& cases, const Setting& s, Type type, const Shape& x, int64_t height, int64_t width, int64_t transforms,
         const Dims& order = {}) {
  Example e;
  e.name = fmt::format("project/{}/{}/{}/{}to{}x{}/{}{}", samplings[static_cast<int>(s.sampling)],
                       borders[static_cast<int>(s.border)], name(type), x.text(), height, width, transforms,
                       order.empty() ? "" : "/channels_first");
  e.inputs = {{type, x, is_signed(type) ? -20.0 : 0.0, 20, {}, order},
              {Type::f32, {transforms, 8}, 0, 0, transforms_of(transforms)}};
  const bool exact = s.sampling == Sampling::nearest || is_integer(type);
  e.outputs = {{type, {x[0], height, width, x[3]}, exact ? 0 : type == Type::f64 ? 1e-6 : -1, order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    project(exec, s.sampling, s.border, s.fill, in[0], in[1], out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) { reference(s, in, out[0]); };
  cases.push_back(e);
}

}  // namespace

void project_cases(Cases& cases) {
  for (auto sampling : {Sampling::nearest, Sampling::bilinear}) {
    for (auto border : {Border::constant, Border::reflect, Border::wrap, Border::nearest}) {
      const Setting s{sampling, border, 3.5F};
      add(cases, s, Type::f32, {5, 7, 9, 3}, 8, 11, 5);
      add(cases, s, Type::f32, {3, 5, 4, 19}, 5, 4, 1);
      add(cases, s, Type::f32, {2, 1, 1, 1}, 3, 2, 2);
      add(cases, s, Type::f32, {4, 2, 2, 3}, 5, 6, 4);
      add(cases, s, Type::f32, {3, 4, 5, 3}, 7, 10, 3, {0, 3, 1, 2});
      add(cases, s, Type::f32, {2, 0, 5, 3}, 2, 3, 2);
      add(cases, s, Type::f32, {0, 4, 5, 3}, 7, 10, 0);
      for (auto type : {Type::f64, Type::f16, Type::bf16, Type::u8, Type::i32, Type::i64})
        add(cases, s, type, is_integer(type) ? Shape{2, 4, 6, 5} : Shape{3, 4, 6, 5}, 6, 8, is_integer(type) ? 2 : 3);
    }
  }
}

}  // namespace ocldnn::check
