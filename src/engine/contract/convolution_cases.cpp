#include <cmath>

#include "check/case.hpp"
#include "engine/contract/family.hpp"
#include "ocldnn/contract.hpp"

namespace ocldnn::check {
namespace {

using contract::ForceFamily;

enum class Way { forward, data, filter };
constexpr std::string_view way_names[] = {"convolution", "convolution_data", "convolution_filter"};

struct Case {
  std::string name;
  Type type = Type::f32;
  Shape x, w;  // [N, spatial..., C] and [taps..., C / groups, OC]
  Convolution geometry;
  Dims image_order = {}, filter_order = {};
};

Shape output_shape(const Case& c) {
  Shape y{c.x[0]};
  for (int i = 0; i < c.x.rank() - 2; ++i) {
    const auto& g = c.geometry;
    const int64_t covered = c.x[i + 1] + g.pad_before[i] + g.pad_after[i] - (c.w[i] - 1) * g.dilation[i] - 1;
    y.push_back(covered < 0 ? 0 : covered / g.stride[i] + 1);
  }
  y.push_back(c.w[c.w.rank() - 1]);
  return y;
}

/// Calls f(index) for every index of a box.
template <class F>
void for_each(const Shape& shape, F f) {
  auto index = Shape::filled(shape.rank(), 0);
  for (int64_t i = 0; i < shape.elements(); ++i) {
    f(index);
    for (int d = shape.rank() - 1; d >= 0 && ++index[d] == shape[d]; --d) index[d] = 0;
  }
}

int64_t offset(const Shape& shape, const Dims& index) {
  int64_t at = 0;
  for (int i = 0; i < shape.rank(); ++i) at = at * shape[i] + index[i];
  return at;
}

/// Calls f(x, w, y) with the offsets of each product of the convolution.
template <class F>
void for_each_product(const Case& c, F f) {
  const auto& g = c.geometry;
  const Shape y = output_shape(c);
  const int spatial = c.x.rank() - 2;
  const int64_t in_group = c.w[spatial], out_group = c.w[spatial + 1] / g.groups;
  Shape taps;
  for (int i = 0; i < spatial; ++i) taps.push_back(c.w[i]);
  for_each(y, [&](const Dims& out) {
    for_each(taps, [&](const Dims& tap) {
      Dims in{out[0]}, weight = tap;
      for (int i = 0; i < spatial; ++i) {
        const int64_t at = out[i + 1] * g.stride[i] + tap[i] * g.dilation[i] - g.pad_before[i];
        if (at < 0 || at >= c.x[i + 1]) return;
        in.push_back(at);
      }
      const int64_t q = out[spatial + 1];
      for (int64_t k = 0; k < in_group; ++k) {
        Dims a = in, b = weight;
        a.push_back(q / out_group * in_group + k);
        b.push_back(k);
        b.push_back(q);
        f(offset(c.x, a), offset(c.w, b), offset(y, out));
      }
    });
  });
}

int64_t terms(const Case& c, Way way) {
  const int spatial = c.x.rank() - 2;
  int64_t taps = 1;
  for (int i = 0; i < spatial; ++i) taps *= c.w[i];
  if (way == Way::forward) return taps * c.w[spatial];
  if (way == Way::data) return taps * c.w[spatial + 1] / c.geometry.groups;
  const Shape y = output_shape(c);
  return y.elements() / std::max<int64_t>(1, y[y.rank() - 1]);
}

double tolerance_of(Type type, int64_t terms) {
  // Operands are drawn from [-1, 1]: n products of them sum to about sqrt(n) / 3, with n roundings of that size.
  if (!is_floating(type)) return 0;
  const double unit = type == Type::f64 ? std::ldexp(1, -53) : std::ldexp(1, -24);
  const double storage = type == Type::f16 ? std::ldexp(1, -10) : type == Type::bf16 ? std::ldexp(1, -7) : 0;
  const auto n = static_cast<double>(terms);
  return unit * (16 * std::sqrt(n + 1) + n) + storage;
}

Example example(const Case& c, Way way, std::string_view family, bool epilogue = false) {
  const Shape y = output_shape(c);
  Example e;
  e.name = fmt::format("{}/{}/{}{}/{}*{}", way_names[static_cast<int>(way)], name(c.type), c.name,
                       epilogue ? "_epilogue" : "", c.x.text(), c.w.text());
  if (!family.empty()) e.name += fmt::format("/{}", family);
  const double range = is_integer(c.type) ? 4 : 1;
  const Input x{c.type, c.x, -range, range, {}, c.image_order}, w{c.type, c.w, -range, range, {}, c.filter_order},
      dy{c.type, y, -range, range, {}, c.image_order};
  const Shape result = way == Way::forward ? y : way == Way::data ? c.x : c.w;
  e.inputs = way == Way::forward ? std::vector{x, w} : way == Way::data ? std::vector{dy, w} : std::vector{x, dy};
  e.outputs = {
      {c.type, result, tolerance_of(c.type, terms(c, way)), way == Way::filter ? c.filter_order : c.image_order}};
  const int64_t channels = result[result.rank() - 1];
  if (epilogue) {
    e.inputs.push_back({c.type, {channels}});
    e.inputs.push_back({c.type, result, -2, 2, {}, c.image_order});
  }
  e.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    std::vector<Operand> operands;
    if (epilogue) operands = {{"b", in[2]}, {"x", in[3]}};
    const Epilogue finish{epilogue ? "max(c + b, 0) + x" : "c", operands};
    ForceFamily force(family);
    if (way == Way::forward) convolution_forward(exec, c.geometry, in[0], in[1], out[0], finish);
    if (way == Way::data) convolution_backward_data(exec, c.geometry, in[0], in[1], out[0], finish);
    if (way == Way::filter) convolution_backward_filter(exec, c.geometry, in[0], in[1], out[0]);
    if (!family.empty() && out[0].elements() > 0 && ForceFamily::last_run() != family)
      fail(Code::internal, "{} refused: {} ran", family, ForceFamily::last_run());
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    std::fill(out[0].values.begin(), out[0].values.end(), 0);
    for_each_product(c, [&](int64_t ix, int64_t iw, int64_t iy) {
      if (way == Way::forward) out[0][iy] += in[0][ix] * in[1][iw];
      if (way == Way::data) out[0][ix] += in[0][iy] * in[1][iw];
      if (way == Way::filter) out[0][iw] += in[0][ix] * in[1][iy];
    });
    if (!epilogue) return;
    for (int64_t i = 0; i < result.elements(); ++i)
      out[0][i] = std::max(out[0][i] + in[2][i % channels], 0.0) + in[3][i];
  };
  e.flops = 2.0 * static_cast<double>(y.elements()) * static_cast<double>(terms(c, Way::forward));
  return e;
}

Convolution geometry(int rank, int64_t stride, int64_t dilation, int64_t before, int64_t after, int64_t groups = 1) {
  return {Dims::filled(rank, stride), Dims::filled(rank, dilation), Dims::filled(rank, before),
          Dims::filled(rank, after), groups};
}

constexpr std::string_view families[] = {"", "depthwise", "tile", "vector", "vector_filter", "naive"};

/// What a family does not compute on any device is left out of its cases. (A phase of a strided input gradient may have
/// no tap: that one is the naive family's.)
bool computes(std::string_view family, const Case& c, Way way) {
  if (family == "depthwise")
    return c.name.find("depthwise") != std::string::npos && !(way == Way::data && c.geometry.stride.elements() > 1);
  if (family == "vector_filter") return way == Way::filter && is_floating(c.type) && output_shape(c).elements() > 0;
  if (family == "tile") {  // drivers take seconds over each of its programs
    for (auto name : {"3x3", "3x3_stride2", "one_channel", "three_channels", "nchw", "groups", "3d", "bf16"})
      if (c.name == name) return !(way == Way::data && c.geometry.stride.elements() > 1);
    return false;
  }
  if (family != "vector") return true;
  const bool strided = c.geometry.stride.elements() > 1, single = c.w[c.w.rank() - 2] == 1;
  return is_floating(c.type) && way != Way::filter && !(way == Way::data && strided) && !single;
}
/// Cases that a family runs with an epilogue too: each is a program more to build.
bool finished(std::string_view family, const Case& c) {
  if (family.empty() || family == "naive") return true;
  if (family == "tile") return c.name == "3x3";
  for (auto name : {"3x3", "groups", "nchw", "f16", "depthwise"})
    if (c.name == name) return true;
  return false;
}

constexpr Way ways[] = {Way::forward, Way::data, Way::filter};

}  // namespace

void convolution_cases(Cases& cases) {
  const Dims nchw{0, 3, 1, 2}, oihw{3, 2, 0, 1};
  const auto same = geometry(2, 1, 1, 1, 1);
  const Case plain[] = {
      {"1x1", Type::f32, {2, 5, 7, 19}, {1, 1, 19, 23}, geometry(2, 1, 1, 0, 0)},
      {"1x1_stride2", Type::f32, {2, 5, 8, 19}, {1, 1, 19, 23}, geometry(2, 2, 1, 0, 0)},
      {"3x3", Type::f32, {2, 7, 9, 19}, {3, 3, 19, 23}, same},
      {"3x3_wide", Type::f32, {2, 14, 14, 32}, {3, 3, 32, 64}, same},
      {"3x3_stride2", Type::f32, {2, 8, 9, 16}, {3, 3, 16, 24}, geometry(2, 2, 1, 0, 1)},
      {"3x3_stride3", Type::f32, {2, 10, 11, 6}, {3, 3, 6, 8}, geometry(2, 3, 1, 1, 0)},
      {"2x2_stride3", Type::f32, {1, 10, 11, 6}, {2, 2, 6, 8}, geometry(2, 3, 1, 0, 0)},
      {"3x3_dilation2", Type::f32, {2, 9, 9, 16}, {3, 3, 16, 16}, geometry(2, 1, 2, 2, 2)},
      {"3x3_stride2_dilation2", Type::f32, {1, 11, 12, 5}, {3, 3, 5, 7}, geometry(2, 2, 2, 1, 2)},
      {"3x3_stride2_dilation3", Type::f32, {1, 11, 12, 5}, {3, 3, 5, 7}, geometry(2, 2, 3, 3, 1)},
      {"one_channel", Type::f32, {3, 28, 28, 1}, {3, 3, 1, 32}, same},
      {"three_channels", Type::f32, {1, 21, 19, 3}, {7, 7, 3, 10}, geometry(2, 2, 1, 2, 3)},
      {"wide_pad", Type::f32, {1, 4, 5, 8}, {3, 3, 8, 8}, geometry(2, 1, 1, 4, 3)},
      {"whole_image", Type::f32, {3, 4, 5, 9}, {4, 5, 9, 11}, geometry(2, 1, 1, 0, 0)},
      {"uneven", Type::f32, {2, 9, 12, 10}, {2, 5, 10, 12}, {{1, 2}, {2, 1}, {0, 3}, {1, 0}, 1}},
      {"groups", Type::f32, {2, 7, 7, 24}, {3, 3, 8, 36}, geometry(2, 1, 1, 1, 1, 3)},
      {"groups_stride2", Type::f32, {2, 8, 7, 12}, {3, 3, 3, 8}, geometry(2, 2, 1, 1, 1, 4)},
      {"depthwise", Type::f32, {2, 8, 9, 20}, {3, 3, 1, 20}, geometry(2, 1, 1, 1, 1, 20)},
      {"depthwise_multiplier", Type::f32, {2, 8, 9, 10}, {3, 3, 1, 30}, geometry(2, 2, 1, 0, 1, 10)},
      {"depthwise_dilation", Type::f32, {1, 9, 11, 33}, {3, 5, 1, 33}, geometry(2, 1, 2, 2, 3, 33)},
      {"nchw", Type::f32, {2, 7, 9, 19}, {3, 3, 19, 23}, same, nchw, oihw},
      {"nchw_stride2", Type::f32, {2, 8, 9, 16}, {3, 3, 16, 24}, geometry(2, 2, 1, 0, 1), nchw, oihw},
      {"nchw_hwio", Type::f32, {2, 6, 6, 33}, {1, 1, 33, 17}, geometry(2, 1, 1, 0, 0), nchw, {}},
      {"3d_depthwise", Type::f32, {2, 4, 5, 6, 9}, {2, 3, 3, 1, 9}, geometry(3, 1, 1, 1, 1, 9)},
      {"nchw_depthwise", Type::f32, {2, 8, 9, 20}, {3, 3, 1, 20}, geometry(2, 1, 1, 1, 1, 20), nchw, oihw},
      {"nhwc_oihw", Type::f32, {2, 7, 9, 19}, {3, 3, 19, 23}, same, {}, oihw},
      {"empty_batch", Type::f32, {0, 7, 9, 4}, {3, 3, 4, 5}, same},
      {"no_output", Type::f32, {2, 2, 2, 4}, {3, 3, 4, 5}, geometry(2, 1, 1, 0, 0)},
      {"one_pixel", Type::f32, {1, 1, 1, 1}, {1, 1, 1, 1}, geometry(2, 1, 1, 0, 0)},
      {"1d", Type::f32, {2, 31, 12}, {5, 12, 20}, geometry(1, 2, 1, 2, 1)},
      {"1d_dilation", Type::f32, {2, 31, 12}, {3, 12, 20}, geometry(1, 1, 4, 8, 0)},
      {"3d", Type::f32, {2, 5, 6, 7, 6}, {3, 3, 3, 6, 8}, geometry(3, 1, 1, 1, 1)},
      {"3d_stride2", Type::f32, {1, 5, 6, 7, 6}, {2, 3, 3, 3, 8}, {{2, 1, 2}, {1, 1, 2}, {1, 0, 2}, {0, 1, 1}, 2}},
      {"f64", Type::f64, {1, 7, 9, 19}, {3, 3, 19, 23}, same},
      {"f16", Type::f16, {1, 7, 9, 19}, {3, 3, 19, 23}, same},
      {"f16_depthwise", Type::f16, {2, 8, 9, 20}, {3, 3, 1, 20}, geometry(2, 1, 1, 1, 1, 20)},
      {"bf16", Type::bf16, {1, 8, 9, 19}, {3, 3, 19, 23}, geometry(2, 2, 1, 1, 0)},
      {"bf16_nchw", Type::bf16, {1, 7, 9, 19}, {3, 3, 19, 23}, same, nchw, oihw},
      {"integer", Type::i32, {1, 7, 9, 19}, {3, 3, 19, 23}, same},
  };
  for (const auto& c : plain)
    for (auto way : ways)
      for (auto family : families) {
        if (!computes(family, c, way)) continue;
        cases.push_back(example(c, way, family));
        if (way != Way::filter && is_floating(c.type) && output_shape(c).elements() > 0 && finished(family, c))
          cases.push_back(example(c, way, family, true));
      }

  const Case large[] = {
      {"fashion1", Type::f32, {128, 28, 28, 1}, {3, 3, 1, 32}, same},
      {"fashion2", Type::f32, {128, 14, 14, 32}, {3, 3, 32, 64}, same},
      {"resnet_3x3_56", Type::f32, {8, 56, 56, 64}, {3, 3, 64, 64}, same},
      {"resnet_3x3_28", Type::f32, {8, 28, 28, 128}, {3, 3, 128, 128}, same},
      {"resnet_3x3_14", Type::f32, {8, 14, 14, 256}, {3, 3, 256, 256}, same},
      {"resnet_3x3_7", Type::f32, {8, 7, 7, 512}, {3, 3, 512, 512}, same},
      {"resnet_1x1_56", Type::f32, {8, 56, 56, 64}, {1, 1, 64, 256}, geometry(2, 1, 1, 0, 0)},
      {"resnet_1x1_14", Type::f32, {8, 14, 14, 1024}, {1, 1, 1024, 256}, geometry(2, 1, 1, 0, 0)},
      {"resnet_stem", Type::f32, {8, 224, 224, 3}, {7, 7, 3, 64}, geometry(2, 2, 1, 2, 3)},
      {"depthwise_14", Type::f32, {8, 14, 14, 512}, {3, 3, 1, 512}, geometry(2, 1, 1, 1, 1, 512)},
  };
  for (const auto& c : large)
    for (auto way : ways) {
      auto e = example(c, way, "");
      e.benchmark_only = true;
      cases.push_back(e);
    }
}

}  // namespace ocldnn::check
