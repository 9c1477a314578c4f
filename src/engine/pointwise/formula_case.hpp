#pragma once

// Cases of formulas: one row of maths, its reference in double and the domain to draw from.

#include <functional>
#include <string>
#include <vector>

#include "check/case.hpp"
#include "ocldnn/pointwise.hpp"

namespace ocldnn::check {

/// y = formula(x0, x1, ...; scalars), every input and the output of one shape.
struct FormulaCase {
  std::string name, formula;
  std::vector<std::string> operands;
  std::function<double(std::span<const double>)> reference;
  double low = -2, high = 2;
  double tolerance = -1;
  std::vector<Scalar> scalars = {};
  Type type = Type::f32;
  Type result = Type::f32;
  std::vector<std::vector<double>> values = {};  // of each operand, instead of a draw
};

inline Example make_example(const FormulaCase& row, const Shape& shape = {3, 67}) {
  Example example;
  example.name = row.name;
  Shape of_input = shape;
  for (size_t i = 0; i < row.operands.size(); ++i) {
    Input input{row.type, of_input, row.low, row.high};
    if (i < row.values.size()) {
      input.values = row.values[i];
      input.shape = of_input = {static_cast<int64_t>(row.values[i].size())};
    }
    example.inputs.push_back(std::move(input));
  }
  example.outputs.push_back({row.result, of_input, row.tolerance});
  example.run = [row](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    std::vector<Operand> operands;
    for (size_t i = 0; i < in.size(); ++i) operands.push_back({row.operands[i], in[i]});
    const Result result{out[0], row.formula};
    pointwise(exec.queue, row.name, compute_type(row.type), operands, std::span(&result, 1), row.scalars);
  };
  example.reference = [row](std::span<const Array> in, std::span<Array> out) {
    std::vector<double> element(in.size());
    for (int64_t i = 0; i < out[0].shape.elements(); ++i) {
      for (size_t k = 0; k < in.size(); ++k) element[k] = in[k][i];
      out[0][i] = row.reference(element);
    }
  };
  return example;
}

}  // namespace ocldnn::check
