#include "ocldnn/contract.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"
#include "ops/window.hpp"

namespace ocldnn::tf {
namespace {

/// What all convolutions share: attributes, layout, padding. `spatial` is 2 or 3.
template <int spatial, bool depthwise>
class Conv : public Kernel {
 public:
  explicit Conv(const Attrs& attrs)
      : layout(op, attrs),
        strides_(attrs.integers("strides")),
        dilations_(attrs.integers("dilations")),
        padding_(op, attrs, spatial + 2) {
    check();
  }

 protected:
  static constexpr const char* op = depthwise ? "DepthwiseConv2dNative" : spatial == 2 ? "Conv2D" : "Conv3D";

  const SpatialLayout<spatial> layout;

  /// Depthwise filters [taps..., C, M] as the library sees them: [taps..., 1, C * M].
  View filter(const View& w) const { return depthwise ? w.reshaped(filter(w.shape)) : w; }
  Shape filter(const Shape& w) const {
    require(w.rank() == spatial + 2, "{}: filter must be {}-dimensional: {}", op, spatial + 2, w.text());
    auto shape = w;
    if (depthwise) {
      shape[spatial] = 1;
      shape[spatial + 1] = w[spatial] * w[spatial + 1];
    }
    return shape;
  }

  struct Geometry {
    Convolution convolution;
    Shape output;  // [N, spatial..., OC]
  };

  /// From [N, spatial..., C] and the library's filter shape; `original` is the filter as the node has it.
  Geometry geometry(const Shape& x, const Shape& original) const {
    require(x.rank() == spatial + 2, "{}: input must be {}-dimensional: {}", op, spatial + 2, x.text());
    auto w = filter(original);
    auto channels = x[spatial + 1], filter_channels = depthwise ? original[spatial] : w[spatial];
    if (depthwise) {
      require(channels == filter_channels, "{}: input and filter must have the same depth: {} vs {}", op, channels,
              filter_channels);
    } else {
      require(filter_channels > 0 && channels % filter_channels == 0,
              "{}: input depth must be evenly divisible by filter depth: {} vs {}", op, channels, filter_channels);
    }
    Geometry result;
    auto& c = result.convolution;
    c.groups = depthwise ? channels : channels / filter_channels;
    require(c.groups > 0 && w[spatial + 1] % c.groups == 0,
            "{}: output depth must be evenly divisible by number of groups: {} vs {}", op, w[spatial + 1], c.groups);
    result.output.push_back(x[0]);
    for (int i = 0; i < spatial; ++i) result.output.push_back(add_dimension(c, i, x[i + 1], w[i]));
    result.output.push_back(w[spatial + 1]);
    return result;
  }

  /// Throws unless dy has the shape that the forward op would have given.
  void check_gradient(const Geometry& geometry, const View& dy) const {
    require(dy.shape == geometry.output, "{}: out_backprop has shape {}, expected {}", op,
            layout.of_node(dy.shape).text(), layout.of_node(geometry.output).text());
  }

 private:
  void check() const {
    constexpr size_t rank = spatial + 2;
    auto channel = layout.channel_axis();
    require(strides_.size() == rank, "{}: Sliding window strides field must specify {} dimensions", op, rank);
    require(dilations_.size() == rank, "{}: Sliding window dilations field must specify {} dimensions", op, rank);
    require(strides_[0] == 1 && strides_[channel] == 1,
            "{}: Current implementation does not support strides in the batch and depth dimensions.", op);
    require(dilations_[0] == 1 && dilations_[channel] == 1,
            "{}: Current implementation does not support dilations in the batch and depth dimensions.", op);
    for (int i = 0; i < spatial; ++i) {
      require(strides_[layout.axis(i)] > 0, "{}: Sliding window strides must be > 0", op);
      require(dilations_[layout.axis(i)] > 0, "{}: Dilated rates must be > 0", op);
    }
  }

  /// Stride, dilation and padding of spatial dimension i; returns the output's size.
  int64_t add_dimension(Convolution& c, int i, int64_t size, int64_t taps) const {
    auto axis = layout.axis(i);
    auto stride = strides_[axis], dilation = dilations_[axis];
    auto sides = padding_.sides(axis, size, (taps - 1) * dilation + 1, stride);
    c.stride.push_back(stride);
    c.dilation.push_back(dilation);
    c.pad_before.push_back(sides.before);
    c.pad_after.push_back(sides.after);
    return sides.output;
  }

  std::vector<int64_t> strides_, dilations_;
  Padding padding_;
};

template <int spatial, bool depthwise>
struct Forward : Conv<spatial, depthwise> {
  using Conv<spatial, depthwise>::Conv;
  void run(Context& context) const override {
    auto x = context.input(0), w = context.input(1);
    auto in = this->layout.channels_last(x);
    auto g = this->geometry(in.shape, w.shape);
    auto y = context.output(0, this->layout.of_node(g.output));
    convolution_forward(context.exec(), g.convolution, in, this->filter(w), this->layout.channels_last(y));
  }
};

/// Input 0 gives the shape of dx: as numbers in host memory, or by being a tensor of that shape (`by_tensor`).
template <int spatial, bool depthwise, bool by_tensor = false>
struct BackwardInput : Conv<spatial, depthwise> {
  using Conv<spatial, depthwise>::Conv;
  void run(Context& context) const override {
    auto w = context.input(1), dy = context.input(2);
    auto gradient = this->layout.channels_last(dy);
    auto shape = by_tensor ? context.input(0).shape : full_shape(context.shape(0), gradient.shape, w.shape);
    auto g = this->geometry(this->layout.channels_last(shape), w.shape);
    this->check_gradient(g, gradient);
    auto dx = context.output(0, shape);
    convolution_backward_data(context.exec(), g.convolution, gradient, this->filter(w), this->layout.channels_last(dx));
  }

 private:
  /// Two sizes, height and width, are enough: the rest is seen from dy and the filter.
  Shape full_shape(const Shape& sizes, const Shape& dy, const Shape& w) const {
    if (spatial != 2 || sizes.rank() != 2) return sizes;
    require(dy.rank() == 4 && w.rank() == 4, "{}: out_backprop and filter must be 4-dimensional", this->op);
    return this->layout.of_node({dy[0], sizes[0], sizes[1], w[2]});
  }
};

/// Input 1 gives the shape of dw, as above.
template <int spatial, bool depthwise, bool by_tensor = false>
struct BackwardFilter : Conv<spatial, depthwise> {
  using Conv<spatial, depthwise>::Conv;
  void run(Context& context) const override {
    auto x = context.input(0), dy = context.input(2);
    auto in = this->layout.channels_last(x), gradient = this->layout.channels_last(dy);
    auto shape = by_tensor ? context.input(1).shape : context.shape(1);
    auto g = this->geometry(in.shape, shape);
    this->check_gradient(g, gradient);
    auto dw = context.output(0, shape);
    convolution_backward_filter(context.exec(), g.convolution, in, gradient, this->filter(dw));
  }
};

}  // namespace

void register_convolutions(const Registrar& registrar) {
  registrar.add<Forward<2, false>>("Conv2D");
  registrar.add<BackwardInput<2, false>>("Conv2DBackpropInput", {.host = {"input_sizes"}});
  registrar.add<BackwardInput<2, false, true>>("Conv2DBackpropInputV2");
  registrar.add<BackwardFilter<2, false>>("Conv2DBackpropFilter", {.host = {"filter_sizes"}});
  registrar.add<BackwardFilter<2, false, true>>("Conv2DBackpropFilterV2");
  registrar.add<Forward<2, true>>("DepthwiseConv2dNative");
  registrar.add<BackwardInput<2, true>>("DepthwiseConv2dNativeBackpropInput", {.host = {"input_sizes"}});
  registrar.add<BackwardFilter<2, true>>("DepthwiseConv2dNativeBackpropFilter", {.host = {"filter_sizes"}});
  registrar.add<Forward<3, false>>("Conv3D");
  registrar.add<BackwardInput<3, false>>("Conv3DBackpropInputV2", {.host = {"input_sizes"}});
  registrar.add<BackwardFilter<3, false>>("Conv3DBackpropFilterV2", {.host = {"filter_sizes"}});
}

}  // namespace ocldnn::tf
