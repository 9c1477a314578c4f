#include "ocldnn/reduce.hpp"

#include "api/pointwise.hpp"
#include "ops/register.hpp"
#include "ops/window.hpp"

namespace ocldnn::tf {
namespace {

/// Which dimension the channels are: the last, or the second where the layout says NC...
class Bias : public Kernel {
 public:
  explicit Bias(const Attrs& attrs) : channels_first_(channels_first("BiasAdd", attrs)) {}

 protected:
  int channel_axis(const Shape& x) const { return channels_first_ ? 1 : x.rank() - 1; }

 private:
  bool channels_first_;
};

struct BiasAdd : Bias {
  using Bias::Bias;
  void run(Context& context) const override {
    auto x = context.input(0), bias = context.input(1);
    require(x.rank() >= 2, "BiasAdd: Input tensor must be at least 2D: {}", x.shape.text());
    require(bias.rank() == 1, "BiasAdd: Biases must be 1D: {}", bias.shape.text());
    auto axis = channel_axis(x.shape);
    require(bias.shape[0] == x.shape[axis],
            "BiasAdd: Must provide as many biases as the last dimension of the input tensor: {} vs. {}",
            bias.shape.text(), x.shape.text());
    View b = bias;
    while (b.rank() < x.rank() - axis) b = b.unsqueezed(b.rank());
    auto y = context.output(0, x.shape, {0});
    pointwise(context.queue(), "BiasAdd", compute_type(x.type), {{"x", x}, {"b", b}}, {{y, "x + b"}});
  }
};

struct BiasAddGrad : Bias {
  using Bias::Bias;
  void run(Context& context) const override {
    auto dy = context.input(0);
    require(dy.rank() >= 2, "BiasAddGrad: Input tensor must be at least 2D: {}", dy.shape.text());
    auto axis = channel_axis(dy.shape);
    auto kept = Shape::filled(dy.rank(), 1);
    kept[axis] = dy.shape[axis];
    auto db = context.output(0, {dy.shape[axis]});
    const Operand operands[]{{"x", dy}};
    const Reduced results[]{{db.reshaped(kept)}};
    reduce(context.exec(), "BiasAddGrad", compute_type(dy.type), dy.shape, operands, results);
  }
};

}  // namespace

void register_bias(const Registrar& registrar) {
  registrar.add<BiasAdd>("BiasAdd", {.types = numbers});
  registrar.add<BiasAdd>("BiasAddV1", {.types = numbers});
  registrar.add<BiasAddGrad>("BiasAddGrad", {.types = numbers});
}

}  // namespace ocldnn::tf
