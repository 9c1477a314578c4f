// Kernels on resource variables. TensorFlow has no fallback for them: an op without a kernel on the variable's device
// is refused, and its own generic AssignAdd would run on the CPU with a device's address. So every type has one.

#include "api/registrar.hpp"
#include "api/variables.hpp"
#include "ocldnn/layout.hpp"
#include "ocldnn/pointwise.hpp"
#include "ops/register.hpp"
#include "ops/strided_slice.hpp"

namespace ocldnn::tf {
namespace {

struct AssignVariableOp : Kernel {
  explicit AssignVariableOp(const Attrs& attrs)
      : validate_shape_(attrs.has("validate_shape") && attrs.flag("validate_shape")) {}
  void run(Context& context) const override { assign_variable(context, 0, 1, validate_shape_); }

 private:
  bool validate_shape_;
};

/// x = formula(x, v), v having x's type and shape.
class UpdateVariable : public Kernel {
 public:
  UpdateVariable(std::string_view op, std::string_view formula) : op_(op), formula_(formula) {}
  void run(Context& context) const override {
    Variables variables(context, {0});
    auto x = variables.changed(0), v = context.input(1);
    require(x.type == v.type, "{}: the variable is of type {}, the value of type {}", op_, name(x.type), name(v.type));
    require(x.shape == v.shape,
            "{}: Cannot update variable with shape {} using a Tensor with shape {}, shapes must be equal.", op_,
            x.shape.text(), v.shape.text());
    pointwise(context.queue(), op_, compute_type(x.type), {{"x", x}, {"v", v}}, {{x, formula_}});
  }

 private:
  std::string_view op_, formula_;
};

struct AssignAddVariableOp : UpdateVariable {
  explicit AssignAddVariableOp(const Attrs&) : UpdateVariable("AssignAddVariableOp", "x + v") {}
};
struct AssignSubVariableOp : UpdateVariable {
  explicit AssignSubVariableOp(const Attrs&) : UpdateVariable("AssignSubVariableOp", "x - v") {}
};

/// v[begin:end:stride].assign(value), value being broadcast.
class ResourceStridedSliceAssign : public Kernel {
 public:
  explicit ResourceStridedSliceAssign(const Attrs& attrs) : slicing_(attrs) {}
  void run(Context& context) const override {
    constexpr std::string_view op = "ResourceStridedSliceAssign";
    Variables variables(context, {0});
    auto x = variables.changed(0), value = context.input(4);
    require(x.type == value.type, "{}: the variable is of type {}, the value of type {}", op, name(x.type),
            name(value.type));
    auto part = slicing_.of(x, context, 1);
    if (part.elements() > 0) copy(context.queue(), value.broadcast_to(op, part.shape), part);
  }

 private:
  StridedSlicing slicing_;
};

}  // namespace

void register_variables(const Registrar& registrar) {
  const Where everything{.host = {"resource"}, .constraints = {{"dtype", all}}};
  const Where arithmetic{.host = {"resource"}, .constraints = {{"dtype", numbers}}};
  // Where no kernel can reach a variable, TensorFlow's own assignment is the right one: it shares the value's buffer.
  if (variable_path() != VariablePath::rewrite) registrar.add<AssignVariableOp>("AssignVariableOp", everything);
  registrar.add<AssignAddVariableOp>("AssignAddVariableOp", arithmetic);
  registrar.add<AssignSubVariableOp>("AssignSubVariableOp", arithmetic);
  registrar.add<ResourceStridedSliceAssign>(
      "ResourceStridedSliceAssign",
      {.host = {"ref", "begin", "end", "strides"}, .constraints = {{"T", all}, {"Index", indices}}});
}

}  // namespace ocldnn::tf
