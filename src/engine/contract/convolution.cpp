#include <numeric>

#include "engine/contract/family.hpp"

namespace ocldnn {
namespace {

using contract::Contraction;
using contract::Direction;
using contract::OutputStrides;

/// One spatial dimension of a window: taps read a at o * step + t * dilation + origin.
struct Window {
  int64_t step, dilation, origin;
};

/// x [N, spatial..., C], w [taps..., C/groups, OC], y [N, spatial..., OC] fit together, or `invalid_argument`.
void check(std::string_view op, const Convolution& g, const View& x, const View& w, const View& y) {
  int spatial = x.rank() - 2;
  require(spatial >= 1 && spatial <= 3 && w.rank() == x.rank() && y.rank() == x.rank(),
          "{}: 1 to 3 spatial dimensions expected, got input {}, filter {} and output {}", op, x.shape.text(),
          w.shape.text(), y.shape.text());
  require(g.stride.rank() == spatial && g.dilation.rank() == spatial && g.pad_before.rank() == spatial &&
              g.pad_after.rank() == spatial,
          "{}: {} strides, dilations and paddings expected, got {}, {}, {} and {}", op, spatial, g.stride.rank(),
          g.dilation.rank(), g.pad_before.rank(), g.pad_after.rank());
  require(x.type == w.type && x.type == y.type, "{}: operands of one type expected, got {}, {} and {}", op,
          name(x.type), name(w.type), name(y.type));
  if (x.type == Type::boolean) fail(Code::unimplemented, "{}: bool is not supported", op);
  int64_t channels = x.shape[spatial + 1], out_channels = y.shape[spatial + 1];
  require(g.groups >= 1 && channels % g.groups == 0 && out_channels % g.groups == 0,
          "{}: {} groups do not divide {} input and {} output channels", op, g.groups, channels, out_channels);
  require(w.shape[spatial] == channels / g.groups && w.shape[spatial + 1] == out_channels,
          "{}: filter {} does not fit {} input and {} output channels in {} groups", op, w.shape.text(), channels,
          out_channels, g.groups);
  require(x.shape[0] == y.shape[0], "{}: input {} and output {} have different batch sizes", op, x.shape.text(),
          y.shape.text());
  for (int i = 0; i < spatial; ++i) {
    require(g.stride[i] >= 1 && g.dilation[i] >= 1, "{}: strides {} and dilations {} must be positive", op,
            g.stride.text(), g.dilation.text());
    // Every output position must be one the window reaches; a framework may ask for fewer than fit.
    int64_t covered = x.shape[i + 1] + g.pad_before[i] + g.pad_after[i] - (w.shape[i] - 1) * g.dilation[i] - 1;
    int64_t fits = covered < 0 ? 0 : covered / g.stride[i] + 1;
    require(
        y.shape[i + 1] == fits,
        "{}: dimension {}: input {}, filter {}, stride {}, dilation {} and padding {}+{} give an output of {}, got {}",
        op, i, x.shape[i + 1], w.shape[i], g.stride[i], g.dilation[i], g.pad_before[i], g.pad_after[i], fits,
        y.shape[i + 1]);
  }
}

OutputStrides output_strides(const View& view, int64_t group_cols) {
  int spatial = view.rank() - 2;
  OutputStrides strides;
  strides.row[0] = view.strides[0];
  for (int i = 0; i < spatial; ++i) strides.row[4 - spatial + i] = view.strides[i + 1];
  strides.col = view.strides[spatial + 1];
  strides.group[2] = group_cols * strides.col;
  return strides;
}

/// What the directions share: `in` is seen through the window, `out` has a row a position; depth and columns are the
/// channels of a group of `in` and `out`, and `filter`'s dimensions `depth_axis` and `col_axis` run along them.
Contraction contraction(std::string_view op, int64_t groups, std::span<const Window> window, const View& in,
                        const View& filter, const View& out, int depth_axis, int col_axis) {
  int spatial = in.rank() - 2;
  Contraction p;
  p.op = op;
  p.type = out.type;
  p.a = in.data, p.b = filter.data, p.c = out.data;
  p.groups[2] = groups;
  p.depth = in.shape[spatial + 1] / groups;
  p.cols = out.shape[spatial + 1] / groups;
  p.rows[0] = out.shape[0];
  p.a_image = in.strides[0];
  p.a_depth = in.strides[spatial + 1];
  p.a_group[2] = p.depth * p.a_depth;
  p.b_depth = filter.strides[depth_axis];
  p.b_col = filter.strides[col_axis];
  // The filter's last dimension holds the output channels of all groups one after the other.
  p.b_group[2] =
      out.shape[spatial + 1] == 0 || groups == 0 ? 0 : filter.shape[spatial + 1] / groups * filter.strides[spatial + 1];
  for (int i = 0; i < spatial; ++i) {
    int at = 3 - spatial + i;
    p.rows[at + 1] = out.shape[i + 1];
    p.taps[at] = filter.shape[i];
    p.b_tap[at] = filter.strides[i];
    p.extent[at] = in.shape[i + 1];
    p.a_space[at] = in.strides[i + 1];
    p.step[at] = window[i].step, p.dilation[at] = window[i].dilation, p.origin[at] = window[i].origin;
  }
  p.c_strides = output_strides(out, p.cols);
  return p;
}

std::vector<Operand> broadcast(std::string_view op, const Epilogue& epilogue, const Shape& shape) {
  std::vector<Operand> operands(epilogue.operands.begin(), epilogue.operands.end());
  for (auto& operand : operands) operand.view = operand.view.broadcast_to(op, shape);
  return operands;
}

void run_product(const Exec& exec, Contraction p, const Epilogue& epilogue, std::span<const Operand> operands) {
  p.epilogue = {epilogue.expression, operands, epilogue.scalars};
  for (const auto& operand : operands) p.operand_strides.push_back(output_strides(operand.view, p.cols));
  contract::run(exec, std::move(p));
}

std::vector<Window> forward_window(const Convolution& g) {
  std::vector<Window> window;
  for (int i = 0; i < g.stride.rank(); ++i) window.push_back({g.stride[i], g.dilation[i], -g.pad_before[i]});
  return window;
}

/// Positions x = phase + stride * j of dx along one dimension, and the taps that reach them: those t for which
/// x + pad - t * dilation is a multiple of the stride. They are t = first + step * u, and dy is read at
/// j - u * dilation / gcd + origin: a plain window, in which no tap is wasted.
struct Phase {
  int64_t first_tap = 0, tap_step = 1, taps = 0;
  Window window{1, 1, 0};
};

Phase phase_of(int64_t phase, int64_t stride, int64_t dilation, int64_t pad, int64_t taps) {
  int64_t common = std::gcd(stride, dilation);
  Phase result;
  result.tap_step = stride / common;
  while (result.first_tap < result.tap_step && (phase + pad - result.first_tap * dilation) % stride != 0)
    ++result.first_tap;
  if (result.first_tap == result.tap_step || result.first_tap >= taps) return {};
  result.taps = (taps - result.first_tap + result.tap_step - 1) / result.tap_step;
  result.window = {1, -dilation / common, (phase + pad - result.first_tap * dilation) / stride};
  return result;
}

}  // namespace

void convolution_forward(const Exec& exec, const Convolution& g, const View& x, const View& w, const View& y,
                         const Epilogue& epilogue) {
  constexpr std::string_view op = "convolution_forward";
  check(op, g, x, w, y);
  auto operands = broadcast(op, epilogue, y.shape);
  if (y.elements() == 0) return;
  int last = w.rank() - 1;
  run_product(exec, contraction(op, g.groups, forward_window(g), x, w, y, last - 1, last), epilogue, operands);
}

void convolution_backward_data(const Exec& exec, const Convolution& g, const View& dy, const View& w, const View& dx,
                               const Epilogue& epilogue) {
  constexpr std::string_view op = "convolution_backward_data";
  check(op, g, dx, w, dy);
  auto operands = broadcast(op, epilogue, dx.shape);
  if (dx.elements() == 0) return;
  int spatial = dx.rank() - 2, last = w.rank() - 1;
  int64_t phases = g.stride.elements();
  for (int64_t number = 0; number < phases; ++number) {
    View filter = w, out = dx;
    auto views = operands;
    std::vector<Window> window;
    int64_t rest = number;
    for (int i = spatial - 1; i >= 0; --i) {
      int64_t stride = g.stride[i], at = rest % stride;
      rest /= stride;
      auto phase = phase_of(at, stride, g.dilation[i], g.pad_before[i], w.shape[i]);
      window.insert(window.begin(), phase.window);
      filter = filter.sliced(i, phase.first_tap, phase.taps, phase.tap_step);
      int64_t positions = (dx.shape[i + 1] - at + stride - 1) / stride;
      out = out.sliced(i + 1, at, std::max<int64_t>(0, positions), stride);
      for (auto& operand : views) operand.view = operand.view.sliced(i + 1, at, out.shape[i + 1], stride);
    }
    if (out.elements() == 0) continue;
    run_product(exec, contraction(op, g.groups, window, dy, filter, out, last, last - 1), epilogue, views);
  }
}

void convolution_backward_filter(const Exec& exec, const Convolution& g, const View& x, const View& dy,
                                 const View& dw) {
  constexpr std::string_view op = "convolution_backward_filter";
  check(op, g, x, dw, dy);
  if (dw.elements() == 0) return;
  int last = dw.rank() - 1;
  auto p = contraction(op, g.groups, forward_window(g), x, dw, dy, last - 1, last);
  p.direction = Direction::filter;
  contract::run(exec, std::move(p));
}

}  // namespace ocldnn
