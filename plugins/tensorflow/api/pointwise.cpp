#include "api/pointwise.hpp"

namespace ocldnn::tf {

void this_signature_is_not_name_inputs_attributes(std::string_view signature) {
  fail(Code::internal, "\"{}\" is not of the form Name(inputs; attributes)", signature);
}

PointwiseKernel::PointwiseKernel(const Pointwise& row, const Attrs& attrs) : row_(row) {
  if (!row.types.empty()) type_ = attrs.type("T");
  for (int i = 0; i < row.attribute_count; ++i) attributes_[i] = attrs.real(std::string(row.attributes[i]).c_str());
}

void PointwiseKernel::run(Context& context) const {
  Tensor inputs[Pointwise::max_inputs];
  Shape shapes[Pointwise::max_inputs];
  Operand operands[Pointwise::max_inputs];
  auto count = static_cast<size_t>(row_.input_count);
  for (size_t i = 0; i < count; ++i) {
    inputs[i] = context.input(static_cast<int>(i));
    shapes[i] = inputs[i].shape;
    operands[i] = {row_.inputs[i], inputs[i]};
    require(row_.broadcasts || shapes[i] == shapes[0],
            "Inputs to operation {} must have the same size and shape. Input 0: {} != input {}: {}", row_.op,
            shapes[0].text(), i, shapes[i].text());
  }
  std::span<const Scalar> scalars;
  const Scalar values[]{{row_.attributes[0], attributes_[0]}, {row_.attributes[1], attributes_[1]}};
  scalars = {values, static_cast<size_t>(row_.attribute_count)};

  auto y = output_like(context, 0, broadcast_shapes(row_.op, {shapes, count}), {inputs, count});
  const Result results[]{{y, row_.formula}};
  pointwise(context.queue(), row_.op, compute_type(type_.value_or(inputs[0].type)), {operands, count}, results,
            scalars);
}

Tensor output_like(Context& context, int i, const Shape& shape, std::span<const Tensor> inputs) {
  int candidates[Pointwise::max_inputs];
  size_t count = 0;
  auto type = context.output_type(i);
  for (size_t j = 0; j < inputs.size() && count < std::size(candidates); ++j)
    if (inputs[j].type == type && inputs[j].shape == shape) candidates[count++] = static_cast<int>(j);
  return context.output(i, shape, std::span<const int>(candidates, count));
}

}  // namespace ocldnn::tf
