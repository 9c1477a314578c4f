#include "ocldnn/pool.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"
#include "ops/window.hpp"

namespace ocldnn::tf {
namespace {

/// What all pooling ops share: windows, layout, padding. With `by_input` the last two inputs are the windows.
template <int spatial, bool by_input = false>
class Pool : public Kernel {
 public:
  Pool(const Attrs& attrs, const char* op) : layout(op, attrs), op_(op), padding_(op, attrs, spatial + 2) {
    if (by_input) return;
    windows_ = {attrs.integers("ksize"), attrs.integers("strides")};
    check(windows_);
  }

 protected:
  struct Windows {
    std::vector<int64_t> sizes, strides;  // a value a dimension of the node's layout
  };
  struct Geometry {
    Pooling pooling;
    Shape output;  // [N, spatial..., C]
  };

  const SpatialLayout<spatial> layout;
  const char* op() const { return op_; }

  Windows windows(const Context& context) const {
    if (!by_input) return windows_;
    Windows windows{context.integers(context.inputs() - 2), context.integers(context.inputs() - 1)};
    check(windows);
    return windows;
  }

  bool across_channels(const Windows& windows) const { return windows.sizes[layout.channel_axis()] != 1; }

  /// [N, spatial..., C] from the layout of the node.
  View channels_last(const View& x) const {
    require(x.rank() == spatial + 2, "{}: input must be {}-dimensional, got {}", op_, spatial + 2, x.shape.text());
    return layout.channels_last(x);
  }

  Geometry geometry(const Windows& windows, const Shape& x) const {
    if (across_channels(windows)) fail(Code::unimplemented, "{}: pooling across depth is not supported here", op_);
    Geometry g;
    g.output.push_back(x[0]);
    for (int i = 0; i < spatial; ++i) g.output.push_back(add_dimension(g.pooling, windows, i, x[i + 1]));
    g.output.push_back(x[spatial + 1]);
    return g;
  }

  void check_gradient(const Geometry& g, const View& dy) const {
    require(dy.shape == g.output, "{}: Expected grad shape to be {}, but got {}", op_, layout.of_node(g.output).text(),
            layout.of_node(dy.shape).text());
  }

 private:
  void check(const Windows& windows) const {
    constexpr size_t rank = spatial + 2;
    require(windows.sizes.size() == rank, "{}: Sliding window ksize field must specify {} dimensions, got {}", op_,
            rank, windows.sizes.size());
    require(windows.strides.size() == rank, "{}: Sliding window strides field must specify {} dimensions, got {}", op_,
            rank, windows.strides.size());
    for (size_t i = 0; i < rank; ++i)
      require(windows.sizes[i] > 0 && windows.strides[i] > 0,
              "{}: Sliding window ksize and strides must be > 0, got {} and {}", op_, windows.sizes[i],
              windows.strides[i]);
    if (windows.sizes[0] != 1 || windows.strides[0] != 1)
      fail(Code::unimplemented, "{}: Pooling is not yet supported on the batch dimension.", op_);
  }

  /// Window, stride and padding of spatial dimension i; returns the output's size.
  int64_t add_dimension(Pooling& p, const Windows& windows, int i, int64_t size) const {
    auto axis = layout.axis(i);
    auto window = windows.sizes[axis], stride = windows.strides[axis];
    auto sides = padding_.sides(axis, size, window, stride);
    p.window.push_back(window);
    p.stride.push_back(stride);
    p.pad_before.push_back(sides.before);
    p.pad_after.push_back(sides.after);
    return sides.output;
  }

  const char* op_;
  Padding padding_;
  Windows windows_;
};

template <int spatial, bool by_input = false>
struct MaxPool : Pool<spatial, by_input> {
  explicit MaxPool(const Attrs& attrs) : Pool<spatial, by_input>(attrs, spatial == 3 ? "MaxPool3D" : "MaxPool") {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto windows = this->windows(context);
    auto in = this->channels_last(x);
    if (spatial == 2 && this->across_channels(windows)) return pool_depth(context, windows, x, in);
    auto g = this->geometry(windows, in.shape);
    auto y = context.output(0, this->layout.of_node(g.output));
    max_pool(context.exec(), g.pooling, in, this->channels_last(y));
  }

 private:
  /// Windows that lie along the channels alone and cut them without rest: one spatial dimension of single channels.
  void pool_depth(Context& context, const typename MaxPool::Windows& windows, const View& x, const View& in) const {
    auto size = windows.sizes[3], channels = in.shape[3];
    if (x.shape != in.shape || windows.sizes[1] != 1 || windows.sizes[2] != 1)
      fail(Code::unimplemented, "MaxPool supports exactly one of pooling across depth or pooling across width/height.");
    require(
        channels % size == 0 && windows.strides[3] == size,
        "MaxPool: Depthwise max pooling requires a window and stride that evenly divide the depth {}, got {} and {}",
        channels, size, windows.strides[3]);
    auto pixels = x.shape[0] * x.shape[1] * x.shape[2];
    auto y = context.output(0, {x.shape[0], x.shape[1], x.shape[2], channels / size});
    max_pool(context.exec(), {{size}, {size}, {0}, {0}}, x.reshaped({pixels, channels, 1}),
             y.reshaped({pixels, channels / size, 1}));
  }
};

/// Inputs: x, y, dy.
template <int spatial, bool by_input = false>
struct MaxPoolGrad : Pool<spatial, by_input> {
  explicit MaxPoolGrad(const Attrs& attrs)
      : Pool<spatial, by_input>(attrs, spatial == 3 ? "MaxPool3DGrad" : "MaxPoolGrad") {}
  void run(Context& context) const override {
    auto x = context.input(0), dy = context.input(2);
    auto in = this->channels_last(x), gradient = this->channels_last(dy);
    auto g = this->geometry(this->windows(context), in.shape);
    this->check_gradient(g, gradient);
    auto dx = context.output(0, x.shape);
    max_pool_gradient(context.exec(), g.pooling, in, gradient, this->channels_last(dx));
  }
};

/// Inputs: x, y, and the gradient of the gradient with x's shape.
template <int spatial, bool by_input = false>
struct MaxPoolGradGrad : Pool<spatial, by_input> {
  explicit MaxPoolGradGrad(const Attrs& attrs)
      : Pool<spatial, by_input>(attrs, spatial == 3 ? "MaxPool3DGradGrad" : "MaxPoolGradGrad") {}
  void run(Context& context) const override {
    auto x = context.input(0), ddx = context.input(2);
    auto in = this->channels_last(x);
    auto g = this->geometry(this->windows(context), in.shape);
    require(ddx.shape == x.shape, "{}: Expected grad shape to be {}, but got {}", this->op(), x.shape.text(),
            ddx.shape.text());
    auto ddy = context.output(0, this->layout.of_node(g.output));
    max_pool_second_gradient(context.exec(), g.pooling, in, this->channels_last(ddx), this->channels_last(ddy));
  }
};

struct MaxPoolWithArgmax : Pool<2> {
  explicit MaxPoolWithArgmax(const Attrs& attrs)
      : Pool(attrs, "MaxPoolWithArgmax"), with_batch_(attrs.flag("include_batch_in_index")) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto g = geometry(windows(context), channels_last(x).shape);
    auto y = context.output(0, g.output), argmax = context.output(1, g.output);
    max_pool_with_argmax(context.exec(), g.pooling, x, y, argmax, with_batch_);
  }

 private:
  bool with_batch_;
};

struct MaxPoolGradWithArgmax : Pool<2> {
  explicit MaxPoolGradWithArgmax(const Attrs& attrs)
      : Pool(attrs, "MaxPoolGradWithArgmax"), with_batch_(attrs.flag("include_batch_in_index")) {}
  void run(Context& context) const override {
    auto x = context.input(0), dy = context.input(1), argmax = context.input(2);
    auto g = geometry(windows(context), channels_last(x).shape);
    check_gradient(g, dy);
    require(argmax.shape == g.output, "{}: Expected argmax shape to be {}, but got {}", op(), g.output.text(),
            argmax.shape.text());
    auto dx = context.output(0, x.shape);
    max_pool_argmax_gradient(context.exec(), g.pooling, argmax, with_batch_, dy, dx);
  }

 private:
  bool with_batch_;
};

template <int spatial>
struct AvgPool : Pool<spatial> {
  explicit AvgPool(const Attrs& attrs) : Pool<spatial>(attrs, spatial == 3 ? "AvgPool3D" : "AvgPool") {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto in = this->channels_last(x);
    auto g = this->geometry(this->windows(context), in.shape);
    auto y = context.output(0, this->layout.of_node(g.output));
    avg_pool(context.exec(), g.pooling, in, this->channels_last(y));
  }
};

/// Inputs: the shape of x in host memory, dy.
template <int spatial>
struct AvgPoolGrad : Pool<spatial> {
  explicit AvgPoolGrad(const Attrs& attrs) : Pool<spatial>(attrs, spatial == 3 ? "AvgPool3DGrad" : "AvgPoolGrad") {}
  void run(Context& context) const override {
    auto shape = context.shape(0);
    auto dy = context.input(1);
    auto gradient = this->channels_last(dy);
    auto g = this->geometry(this->windows(context), this->channels_last(View(nullptr, dy.type, shape)).shape);
    this->check_gradient(g, gradient);
    auto dx = context.output(0, shape);
    avg_pool_gradient(context.exec(), g.pooling, gradient, this->channels_last(dx));
  }
};

using enum Type;
constexpr Type max_types[]{f32, f16, bf16, f64, i8, i16, i64, u8, u16};  // MaxPool's own list, less int32
constexpr Type halves_and_f32[]{f32, f16, bf16};                         // MaxPool3D's

}  // namespace

void register_pool(const Registrar& registrar) {
  registrar.add<MaxPool<2>>("MaxPool", {.types = max_types});
  registrar.add<MaxPool<2, true>>("MaxPoolV2", {.types = max_types, .host = {"ksize", "strides"}});
  registrar.add<MaxPoolGrad<2>>("MaxPoolGrad", {.types = numbers});
  registrar.add<MaxPoolGrad<2, true>>("MaxPoolGradV2", {.types = numbers, .host = {"ksize", "strides"}});
  registrar.add<MaxPoolGradGrad<2>>("MaxPoolGradGrad", {.types = numbers});
  registrar.add<MaxPoolGradGrad<2, true>>("MaxPoolGradGradV2", {.types = numbers, .host = {"ksize", "strides"}});
  registrar.add<MaxPoolWithArgmax>("MaxPoolWithArgmax", {.constraints = {{"T", numbers}, {"Targmax", indices}}});
  registrar.add<MaxPoolGradWithArgmax>("MaxPoolGradWithArgmax",
                                       {.constraints = {{"T", numbers}, {"Targmax", indices}}});
  registrar.add<AvgPool<2>>("AvgPool");
  registrar.add<AvgPoolGrad<2>>("AvgPoolGrad", {.host = {"orig_input_shape"}});
  registrar.add<MaxPool<3>>("MaxPool3D", {.types = halves_and_f32});
  for (const auto& type : halves_and_f32)  // both type attributes are the same in every graph
    registrar.add<MaxPoolGrad<3>>("MaxPool3DGrad", {.constraints = {{"T", {&type, 1}}, {"TInput", {&type, 1}}}});
  registrar.add<MaxPoolGradGrad<3>>("MaxPool3DGradGrad", {.types = numbers});
  registrar.add<AvgPool<3>>("AvgPool3D");
  registrar.add<AvgPoolGrad<3>>("AvgPool3DGrad", {.host = {"orig_input_shape"}});
}

}  // namespace ocldnn::tf
