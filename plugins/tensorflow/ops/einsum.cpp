#include "ocldnn/einsum.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

struct EinsumKernel : Kernel {
  explicit EinsumKernel(const Attrs& attrs) : einsum(attrs.text("equation")) {}

  void run(Context& context) const override {
    auto inputs = context.input_list("inputs");
    std::vector<View> views(inputs.begin(), inputs.end());
    std::vector<Shape> shapes;
    for (const auto& view : views) shapes.push_back(view.shape);
    einsum(context.exec(), views, context.output(0, einsum.output_shape(shapes)));
  }

  Einsum einsum;
};

}  // namespace

void register_einsum(const Registrar& registrar) {
  static constexpr Type types[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i64};
  registrar.add<EinsumKernel>("Einsum", {.types = types});
}

}  // namespace ocldnn::tf
