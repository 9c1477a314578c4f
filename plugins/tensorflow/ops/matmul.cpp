#include "ocldnn/contract.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

constexpr Type types_list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i64};
constexpr Types types(types_list);

struct MatMul : Kernel {
  explicit MatMul(const Attrs& attrs)
      : transpose_a(attrs.flag("transpose_a")), transpose_b(attrs.flag("transpose_b")) {}

  void run(Context& context) const override {
    auto a = context.input(0), b = context.input(1);
    require(a.rank() == 2 && b.rank() == 2, "MatMul: In[0] and In[1] must be matrices, got shapes {} and {}",
            a.shape.text(), b.shape.text());
    View left = transpose_a ? a.transposed() : a, right = transpose_b ? b.transposed() : b;
    require(left.shape[1] == right.shape[0], "Matrix size-incompatible: In[0]: {}, In[1]: {}", a.shape.text(),
            b.shape.text());
    matmul(context.exec(), left, right, context.output(0, {left.shape[0], right.shape[1]}));
  }

  bool transpose_a, transpose_b;
};

/// Leading dimensions are batches: equal ones in the first version of the op, broadcast since the second.
template <bool broadcasts>
struct BatchMatMul : Kernel {
  explicit BatchMatMul(const Attrs& attrs) : adjoint_x(attrs.flag("adj_x")), adjoint_y(attrs.flag("adj_y")) {}

  void run(Context& context) const override {
    auto x = context.input(0), y = context.input(1);
    require(x.rank() >= 2 && y.rank() >= 2, "BatchMatMul: In[0] and In[1] ndims must be >= 2, got shapes {} and {}",
            x.shape.text(), y.shape.text());
    View left = adjoint_x ? x.transposed() : x, right = adjoint_y ? y.transposed() : y;
    const Shape batches[]{batch(x.shape), batch(y.shape)};
    require(broadcasts || batches[0] == batches[1], "BatchMatMul: In[0] and In[1] batch dimensions differ: {} vs. {}",
            x.shape.text(), y.shape.text());
    require(left.shape[left.rank() - 1] == right.shape[right.rank() - 2],
            "Matrix size-incompatible: In[0]: {}, In[1]: {}", x.shape.text(), y.shape.text());
    auto shape = broadcast_shapes("BatchMatMul", batches);
    shape.push_back(left.shape[left.rank() - 2]);
    shape.push_back(right.shape[right.rank() - 1]);
    matmul(context.exec(), left, right, context.output(0, shape));
  }

  static Shape batch(const Shape& shape) {
    return Shape(std::span(shape.begin(), static_cast<size_t>(shape.rank() - 2)));
  }

  bool adjoint_x, adjoint_y;  // of real matrices: transposed
};

}  // namespace

void register_matmul(const Registrar& registrar) {
  registrar.add<MatMul>("MatMul", {.types = types});
  registrar.add<BatchMatMul<false>>("BatchMatMul", {.types = types});
  registrar.add<BatchMatMul<true>>("BatchMatMulV2", {.types = types});
  for (const auto& type : types_list)
    registrar.add<BatchMatMul<true>>("BatchMatMulV3",
                                     {.constraints = {{"Ta", {&type, 1}}, {"Tb", {&type, 1}}, {"Tout", {&type, 1}}}});
}

}  // namespace ocldnn::tf
