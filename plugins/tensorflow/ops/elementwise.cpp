#include "api/pointwise.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

/// Arithmetic in the source's type: the one conversion is that of the store.
class Cast : public Kernel {
 public:
  explicit Cast(const Attrs& attrs) {
    if (attrs.flag("Truncate")) fail(Code::unimplemented, "Cast: truncation of the mantissa is not supported");
  }
  void run(Context& context) const override {
    auto x = context.input(0);
    if (x.type == context.output_type(0)) return context.set_output(0, x);
    auto y = context.output(0, x.shape);
    pointwise(context.queue(), "Cast", compute_type(x.type), {{"x", x}}, {{y, "x"}});
  }
};

/// The same bits seen as another type; where sizes differ, a dimension is gained or lost.
class Bitcast : public Kernel {
 public:
  explicit Bitcast(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto to = context.output_type(0);
    auto from_bytes = static_cast<int64_t>(size_of(x.type)), to_bytes = static_cast<int64_t>(size_of(to));
    auto shape = x.shape;
    if (from_bytes > to_bytes) shape.push_back(from_bytes / to_bytes);
    if (from_bytes < to_bytes) {
      require(x.rank() > 0 && x.shape[x.rank() - 1] == to_bytes / from_bytes,
              "Cannot bitcast from {} to {}: the last dimension of {} must be {}", name(x.type), name(to),
              x.shape.text(), to_bytes / from_bytes);
      shape = Shape(std::span(x.shape.begin(), static_cast<size_t>(x.rank() - 1)));
    }
    auto y = context.output(0, shape);
    if (y.elements() > 0) context.queue().copy(y.data, x.data, x.bytes());
  }
};

struct Fill : Kernel {
  explicit Fill(const Attrs&) {}
  void run(Context& context) const override {
    auto value = context.input(1);
    require(value.rank() == 0, "Fill: value must be a scalar, got shape {}", value.shape.text());
    auto y = context.output(0, context.shape(0));
    copy(context.queue(), value.broadcast_to("Fill", y.shape), y);
  }
};

struct ZerosLike : Kernel {
  explicit ZerosLike(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto y = context.output(0, x.shape, {0});
    fill(context.queue(), y, 0);
  }
};

/// Zeros, asked for or not: memory that nobody has written is not the same twice.
struct Empty : Kernel {
  explicit Empty(const Attrs&) {}
  void run(Context& context) const override { fill(context.queue(), context.output(0, context.shape(0)), 0); }
};

constexpr Pointwise ones_like[]{{"OnesLike(x)", "1", all}};

/// The sum in the order of the inputs, a launch for every few of them.
struct AddN : Kernel {
  explicit AddN(const Attrs&) {}
  void run(Context& context) const override {
    constexpr std::string_view names[]{"a", "b", "c", "d", "e", "f", "g", "h"};
    constexpr std::string_view sums[]{"a",         "a+b",         "a+b+c",         "a+b+c+d",
                                      "a+b+c+d+e", "a+b+c+d+e+f", "a+b+c+d+e+f+g", "a+b+c+d+e+f+g+h"};
    auto inputs = context.input_list("inputs");
    const auto& first = inputs.front();
    for (const auto& each : inputs)
      require(each.shape == first.shape, "AddN: Inputs to operation AddN must have the same shape, got {} and {}",
              first.shape.text(), each.shape.text());
    if (inputs.size() == 1) return context.set_output(0, first);

    // The output may lie in input 0, which the first launch has read when it writes; in no other.
    auto y = context.output(0, first.shape, {0});
    for (size_t begin = 0; begin < inputs.size();) {
      std::vector<Operand> operands;
      if (begin > 0) operands.push_back({names[0], y});
      while (begin < inputs.size() && operands.size() < std::size(names))
        operands.push_back({names[operands.size()], inputs[begin++]});
      const Result results[]{{y, sums[operands.size() - 1]}};
      pointwise(context.queue(), "AddN", compute_type(y.type), operands, results);
    }
  }
};

/// The bounds are scalars or have the shape of the values. In host memory for int32.
struct ClipByValue : Kernel {
  explicit ClipByValue(const Attrs&) {}
  void run(Context& context) const override {
    Tensor inputs[]{context.input(0), context.input(1), context.input(2)};
    const auto &x = inputs[0], &low = inputs[1], &high = inputs[2];
    for (const auto* bound : {&low, &high})
      require(bound->elements() == 1 || bound->shape == x.shape,
              "ClipByValue: clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. "
              "Input shape: {} bound: {}",
              x.shape.text(), bound->shape.text());
    auto y = output_like(context, 0, x.shape, {inputs, 1});
    if (!context.output_on_host(0)) {
      auto l = low.reshaped(low.shape == x.shape ? x.shape : Shape{});
      auto h = high.reshaped(high.shape == x.shape ? x.shape : Shape{});
      pointwise(context.queue(), "ClipByValue", compute_type(x.type), {{"x", x}, {"low", l}, {"high", h}},
                {{y, "max(min(x, high), low)"}});
      return;
    }
    auto from = x.host<const int32_t>(), lows = low.host<const int32_t>(), highs = high.host<const int32_t>();
    auto to = y.host<int32_t>();
    for (size_t i = 0; i < to.size(); ++i)
      to[i] = std::max(std::min(from[i], highs[highs.size() > 1 ? i : 0]), lows[lows.size() > 1 ? i : 0]);
  }
};

struct BroadcastTo : Kernel {
  explicit BroadcastTo(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto shape = context.shape(1);
    auto from = x.broadcast_to("BroadcastTo", shape);
    copy(context.place(), from, context.output(0, shape));
  }
};

}  // namespace

void register_elementwise(const Registrar& registrar) {
  add_all<ones_like>(registrar);
  registrar.add<Cast>("Cast", {.constraints = {{"SrcT", every}, {"DstT", every}}});
  constexpr Types bits(lists::every, std::size(lists::every) - 1);  // without bool
  registrar.add<Bitcast>("Bitcast", {.constraints = {{"T", bits}, {"type", bits}}});
  registrar.add<Fill>("Fill", {.types = all, .host = {"dims"}});
  registrar.add<ZerosLike>("ZerosLike", {.types = all});
  registrar.add<Empty>("Empty", {.host = {"shape"}, .constraints = {{"dtype", all}}});
  registrar.add<AddN>("AddN", {.types = numbers});
  registrar.add<ClipByValue>("ClipByValue", {.types = numbers});
  registrar.add<ClipByValue>("ClipByValue",
                             {.types = int32, .host = {"t", "clip_value_min", "clip_value_max", "output"}});
  registrar.add<BroadcastTo>("BroadcastTo", {.types = all, .host = {"shape"}});
  registrar.add<BroadcastTo>("BroadcastTo", {.types = int32, .host = {"input", "shape", "output"}});
}

}  // namespace ocldnn::tf
