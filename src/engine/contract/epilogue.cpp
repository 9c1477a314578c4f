#include "engine/contract/epilogue.hpp"

namespace ocldnn::contract {
namespace {

/// OpenCL C that loads element `index` of operand e<i>, which is stored as `type`, as a REAL.
std::string load(Type type, size_t i, std::string_view index) {
  switch (type) {
    case Type::f16: return fmt::format("vload_half({1}, e{0})", i, index);
    case Type::bf16: return fmt::format("as_float((uint)e{}[{}] << 16)", i, index);
    default: return fmt::format("(REAL)e{}[{}]", i, index);
  }
}

std::string make_code(Type compute, const std::string& expression, const std::vector<std::string>& names,
                      const std::vector<Type>& types, const std::vector<std::string>& scalars) {
  std::string parameters, row, arguments, formals;
  for (size_t i = 0; i < names.size(); ++i) {
    parameters += fmt::format(", global const E{0} *e{0}, long e{0}_offset", i);
    for (auto dim : {"g0", "g1", "g2", "r0", "r1", "r2", "r3", "q"}) parameters += fmt::format(", index_t e{}_{}", i, dim);
    row += fmt::format(
        " const index_t e{0}_at = g0 * e{0}_g0 + g1 * e{0}_g1 + g2 * e{0}_g2 + r0 * e{0}_r0 + r1 * e{0}_r1 + r2 * e{0}_r2"
        " + r3 * e{0}_r3;",
        i);
    arguments += ", " + load(types[i], i, fmt::format("e{0}_offset + e{0}_at + (q) * e{0}_q", i));
    formals += ", const REAL " + names[i];
  }
  for (const auto& scalar : scalars) {
    parameters += ", const REAL s_" + scalar;
    arguments += ", s_" + scalar;
    formals += ", const REAL " + scalar;
  }
  return fmt::format(
      "#define EPILOGUE_PARAMETERS {}\n#define EPILOGUE_ROW {}\n#define EPILOGUE(sum, q) contract_epilogue((sum){})\n"
      "#define EPILOGUE_FUNCTION static inline REAL contract_epilogue(const REAL c{}) {{ typedef REAL T; return {}; }}\n",
      parameters, row, arguments, formals, expression);
}

}  // namespace

void define_epilogue(KernelId& id, const Contraction& problem) {
  const auto& epilogue = problem.epilogue;
  std::string key(epilogue.expression), expression(epilogue.expression);
  std::vector<std::string> names, scalars;
  std::vector<Type> types;
  for (size_t i = 0; i < epilogue.operands.size(); ++i) {
    const auto& operand = epilogue.operands[i];
    names.emplace_back(operand.name);
    types.push_back(operand.view.type);
    id.type(fmt::format("E{}", i), operand.view.type);
    key += fmt::format("|{}:{}", operand.name, name(operand.view.type));
  }
  for (const auto& scalar : epilogue.scalars) {
    scalars.emplace_back(scalar.name);
    key += fmt::format("|{}", scalar.name);
  }
  if (!problem.has_epilogue()) id.define("EPILOGUE_IDENTITY", 1);
  id.code(key, [=, compute = compute_type(problem.type)] { return make_code(compute, expression, names, types, scalars); });
}

void add_epilogue_arguments(std::vector<Argument>& list, const Contraction& problem) {
  for (size_t i = 0; i < problem.epilogue.operands.size(); ++i) {
    const auto& strides = problem.operand_strides[i];
    const auto& view = problem.epilogue.operands[i].view;
    list.push_back(View(view.data, view.type, Shape{1}));
    for (auto stride : strides.group) list.push_back(index_argument(problem, stride));
    for (auto stride : strides.row) list.push_back(index_argument(problem, stride));
    list.push_back(index_argument(problem, strides.col));
  }
  for (const auto& value : problem.epilogue.scalars)
    list.push_back(is_floating(problem.type) ? scalar(problem.type, value.real) : scalar(problem.type, value.integer));
}

}  // namespace ocldnn::contract
