#pragma once

#include "api/registrar.hpp"
#include "ocldnn/formula.hpp"
#include "ocldnn/pointwise.hpp"

namespace ocldnn::tf {

// Not constexpr: a row that calls it does not build, and the compiler shows the name.
[[noreturn]] void this_signature_is_not_name_inputs_attributes(std::string_view signature);

/// An op of TensorFlow that works element by element: {"LeakyReluGrad(dy, x; alpha)", leaky_relu.dx}. The signature
/// says what TensorFlow calls the op and in which order it hands over the inputs; after ";" stand attributes the
/// formula uses. A formula with a name that the signature lacks does not build. Arithmetic is done in the type of the
/// attribute T.
struct Pointwise {
  static constexpr int max_inputs = 5, max_attributes = 2;

  std::string_view op, formula;
  std::string_view inputs[max_inputs]{}, attributes[max_attributes]{};
  int input_count = 0, attribute_count = 0;
  Types types;      // of T; empty: the op has no type attribute
  bool broadcasts;  // gradients do not: TensorFlow wants equal shapes there

  consteval Pointwise(std::string_view signature, std::string_view formula, Types types = floats)
      : formula(formula), types(types), broadcasts(!signature.substr(0, signature.find('(')).ends_with("Grad")) {
    auto open = signature.find('('), close = signature.size() - 1;
    if (open == std::string_view::npos || signature[close] != ')')
      this_signature_is_not_name_inputs_attributes(signature);
    op = signature.substr(0, open);
    auto list = signature.substr(open + 1, close - open - 1);
    auto semicolon = list.find(';');
    input_count = split(list.substr(0, semicolon), inputs, max_inputs);
    if (semicolon != std::string_view::npos)
      attribute_count = split(list.substr(semicolon + 1), attributes, max_attributes);
    check_formula(formula, {list});
  }

 private:
  static constexpr int split(std::string_view list, std::string_view* names, int limit) {
    int count = 0;
    while (!list.empty()) {
      auto comma = list.find(',');
      auto item = list.substr(0, comma);
      while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
      if (item.empty() || count == limit) this_signature_is_not_name_inputs_attributes(list);
      names[count++] = item;
      list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    }
    return count;
  }
};

/// The kernel of every row: shapes broadcast, an input's memory is reused where TensorFlow allows it, one launch.
class PointwiseKernel : public Kernel {
 public:
  PointwiseKernel(const Pointwise& row, const Attrs& attrs);
  void run(Context& context) const override;

 private:
  const Pointwise& row_;
  std::optional<Type> type_;  // T, if the op has it
  double attributes_[Pointwise::max_attributes]{};
};

/// Registers all rows of a table.
template <const auto& table>
void add_all(const Registrar& registrar) {
  [&]<size_t... i>(std::index_sequence<i...>) {
    (registrar.add_row<PointwiseKernel, table, i>(std::string(table[i].op).c_str(),
                                                  {.types = table[i].types, .untyped = table[i].types.empty()}),
     ...);
  }
  (std::make_index_sequence<std::size(table)>());
}

/// For kernels of one launch over whole tensors: output i of `shape`, in place of an input of the same type and shape
/// where TensorFlow gives it up.
Tensor output_like(Context& context, int i, const Shape& shape, std::span<const Tensor> inputs);

}  // namespace ocldnn::tf
