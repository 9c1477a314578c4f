#include "ocldnn/resize.hpp"

#include <cmath>

#include "check/case.hpp"

namespace ocldnn::check {
namespace {

constexpr std::string_view names[]{"legacy", "align", "half_pixel"};

float scale_of(Corners corners, int64_t in, int64_t out) {
  if (corners == Corners::align && out > 1) return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

/// The inputs an output is made of, and their weights. Places are in float: it decides which input is nearest.
std::vector<std::pair<int64_t, double>> taps(bool nearest, Corners corners, int64_t in, int64_t out, int64_t i) {
  const float scale = scale_of(corners, in, out);
  const bool half = corners == Corners::half_pixel;
  if (nearest) {
    const float at = half ? (static_cast<float>(i) + 0.5F) * scale : static_cast<float>(i) * scale;
    const auto place = static_cast<int64_t>(corners == Corners::align ? std::round(at) : std::floor(at));
    return {{std::clamp<int64_t>(place, 0, in - 1), 1}};
  }
  const float at = half ? (static_cast<float>(i) + 0.5F) * scale - 0.5F : static_cast<float>(i) * scale;
  const double part = static_cast<double>(at - std::floor(at));
  return {{std::max<int64_t>(static_cast<int64_t>(std::floor(at)), 0), 1 - part},
          {std::min<int64_t>(static_cast<int64_t>(std::ceil(at)), in - 1), part}};
}

/// Calls f(index in x, index in y, weight).
template <class F>
void for_each_tap(bool nearest, Corners corners, const Shape& x, const Shape& y, F f) {
  for (int64_t n = 0; n < y[0]; ++n)
    for (int64_t oh = 0; oh < y[1]; ++oh)
      for (int64_t ow = 0; ow < y[2]; ++ow)
        for (auto [h, wh] : taps(nearest, corners, x[1], y[1], oh))
          for (auto [w, ww] : taps(nearest, corners, x[2], y[2], ow))
            for (int64_t c = 0; c < y[3]; ++c)
              f(((n * x[1] + h) * x[2] + w) * x[3] + c, ((n * y[1] + oh) * y[2] + ow) * y[3] + c, wh * ww);
}

void add(Cases& cases, bool nearest, Corners corners, Type type, const Shape& x, int64_t height, int64_t width,
         const Dims& order = {}) {
  const Shape y{x[0], height, width, x[3]};
  const double tolerance = nearest && !is_floating(type) ? 0 : type == Type::f32 ? 4e-6 : type == Type::f64 ? 1e-6 : -1;
  const std::string rest = fmt::format("{}/{}/{}to{}x{}{}", names[static_cast<int>(corners)], name(type), x.text(),
                                       height, width, order.empty() ? "" : "/channels_first");
  Example e;
  e.name = fmt::format("resize_{}/{}", nearest ? "nearest" : "bilinear", rest);
  e.inputs = {{type, x, -2, 2, {}, order}};
  e.outputs = {{type, y, nearest ? 0 : tolerance, order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (nearest ? resize_nearest : resize_bilinear)(exec, corners, in[0], out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    out[0].values.assign(out[0].values.size(), 0);
    for_each_tap(nearest, corners, x, y, [&](int64_t i, int64_t o, double weight) { out[0][o] += weight * in[0][i]; });
  };
  cases.push_back(e);

  e.name = fmt::format("resize_{}_gradient/{}", nearest ? "nearest" : "bilinear", rest);
  e.inputs = {{type, y, -2, 2, {}, order}};
  e.outputs = {{type, x, tolerance, order}};
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    (nearest ? resize_nearest_gradient : resize_bilinear_gradient)(exec, corners, in[0], out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    out[0].values.assign(out[0].values.size(), 0);
    for_each_tap(nearest, corners, x, y, [&](int64_t i, int64_t o, double weight) { out[0][i] += weight * in[0][o]; });
  };
  cases.push_back(e);
}

}  // namespace

void resize_cases(Cases& cases) {
  for (bool nearest : {false, true}) {
    for (auto corners : {Corners::legacy, Corners::align, Corners::half_pixel}) {
      add(cases, nearest, corners, Type::f32, {2, 4, 5, 19}, 8, 10);
      add(cases, nearest, corners, Type::f32, {1, 9, 7, 3}, 4, 16);
      add(cases, nearest, corners, Type::f32, {1, 1, 3, 1}, 5, 1);
      add(cases, nearest, corners, Type::f32, {1, 10, 6, 2}, 3, 3);
    }
    for (auto type : {Type::f64, Type::f16, Type::bf16})
      add(cases, nearest, Corners::half_pixel, type, {1, 3, 4, 17}, 6, 8);
    add(cases, nearest, Corners::half_pixel, Type::f32, {2, 4, 5, 3}, 7, 10, {0, 3, 1, 2});
    add(cases, nearest, Corners::half_pixel, Type::f32, {0, 4, 5, 3}, 7, 10);
  }
  for (auto type : {Type::i8, Type::i64}) add(cases, true, Corners::half_pixel, type, {1, 3, 4, 5}, 6, 9);
}

}  // namespace ocldnn::check
