#include "engine/contract/frame.hpp"

#include "engine/pointwise/code.hpp"

namespace ocldnn::contract {
namespace {

/// What the generated text depends on; copied, since it outlives the call.
struct Source {
  FrameCode frame;
  Type element = Type::f32;
  std::string expression;
  std::vector<std::string> operands, scalars;
  std::vector<Type> types;
  std::vector<Step> steps;
  bool c_unit = false;

  std::string key() const;
  std::string text() const;
};

Step step_of(int64_t stride) { return stride == 1 ? Step::unit : stride == 0 ? Step::repeat : Step::strided; }

std::string Source::key() const {
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}", name(element), frame.width, frame.cpu_form, frame.index_64,
                                c_unit, expression, operands.size());
  for (size_t i = 0; i < operands.size(); ++i)
    key += fmt::format("|{}:{}:{}", operands[i], name(types[i]), static_cast<int>(steps[i]));
  for (const auto& scalar : scalars) key += "|" + scalar;
  return key;
}

/// Loads the lanes of operand i at columns (q), of which (n) count.
std::string load(size_t i, Type type, Step step) {
  const auto kind = storage_kind(type);
  const auto row = fmt::format("e{0} + e{0}_offset + e{0}_at", i);
  if (step == Step::repeat) return fmt::format("load_one_{}({})", kind, row);
  if (step == Step::strided)
    return fmt::format("gather_{0}({1} + (q) * e{2}_q, e{2}_q, (int)min((index_t)(n), (index_t)WIDTH))", kind, row, i);
  return fmt::format("((n) >= WIDTH ? load_{0}({1} + (q)) : load_part_{0}({1} + (q), (int)(n)))", kind, row);
}

std::string Source::text() const {
  std::string parameters, row, tables, fill, seek, values, formals;
  for (size_t i = 0; i < operands.size(); ++i) {
    parameters += fmt::format(", global const {0} *e{1}, long e{1}_offset", storage_c_type(types[i]), i);
    for (auto dim : {"g0", "g1", "g2", "r0", "r1", "r2", "r3", "q"})
      parameters += fmt::format(", index_t e{}_{}", i, dim);
    const auto at = fmt::format(
        "g0 * e{0}_g0 + g1 * e{0}_g1 + g2 * e{0}_g2 + r0 * e{0}_r0 + r1 * e{0}_r1 + r2 * e{0}_r2 + r3 * e{0}_r3", i);
    row += fmt::format(" const index_t e{}_at = {};", i, at);
    tables += fmt::format(" index_t e{}_rows[n];", i);
    fill += fmt::format(" e{}_rows[i] = {};", i, at);
    seek += fmt::format(" const index_t e{0}_at = e{0}_rows[i];", i);
    values += ", " + load(i, types[i], steps[i]);
    formals += ", const TV v_" + operands[i];
  }
  for (const auto& scalar : scalars) {
    parameters += fmt::format(", const {} a_{}", scalar_c_type(frame.compute), scalar);
    values += fmt::format(", ALL(a_{})", scalar);
    formals += ", const TV v_" + scalar;
  }
  return frame.prelude() +
         fmt::format(
             "#define ELEMENT {}\n#define ELEMENT_KIND {}\n#define ELEMENT_IS_{} 1\n{}{}"
             "#define EPILOGUE_PARAMETERS {}\n#define EPILOGUE_ROW {}\n#define EPILOGUE_TABLES(n) {}\n"
             "#define EPILOGUE_FILL(i) {}\n#define EPILOGUE_SEEK(i) {}\n#define EPILOGUE(sum, q, n) "
             "contract_epilogue((sum){})\n"
             "static inline TV contract_epilogue(const TV v_c{}) {{ return {}; }}\n",
             storage_c_type(element), storage_kind(element),
             element == Type::f16    ? "F16"
             : element == Type::bf16 ? "BF16"
                                     : "PLAIN",
             element == frame.compute ? "#define ELEMENT_IS_T 1\n" : "",
             std::string(c_unit ? "#define C_UNIT 1\n" : "") +
                 (expression == "c" ? "#define EPILOGUE_IDENTITY 1\n" : ""),
             parameters, row, tables, fill, seek, values, formals, formula_code(expression, frame.compute));
}

}  // namespace

void define_frame(KernelId& id, const Contraction& p, const Frame& frame) {
  Source source;
  source.element = p.type;
  source.frame.compute = compute_type(p.type);
  source.frame.width = frame.width;
  source.frame.cpu_form = frame.cpu_form;
  source.frame.index_64 = p.needs_64_bits();
  source.frame.views = {{p.type, Step::unit, true}};
  source.expression = p.epilogue.expression;
  source.c_unit = p.c_strides.col == 1;
  for (size_t i = 0; i < p.epilogue.operands.size(); ++i) {
    const auto& operand = p.epilogue.operands[i];
    source.operands.emplace_back(operand.name);
    source.types.push_back(operand.view.type);
    source.steps.push_back(step_of(p.operand_strides[i].col));
    source.frame.views.push_back({operand.view.type, Step::unit, false});
  }
  for (const auto& scalar : p.epilogue.scalars) source.scalars.emplace_back(scalar.name);
  auto key = source.key();
  id.code(key, [source = std::move(source)] { return source.text(); });
}

void add_epilogue_arguments(std::vector<Argument>& list, const Contraction& p) {
  for (size_t i = 0; i < p.epilogue.operands.size(); ++i) {
    const auto& strides = p.operand_strides[i];
    list.push_back(View(p.epilogue.operands[i].view.data, p.epilogue.operands[i].view.type, Shape{1}));
    for (auto stride : strides.group) list.push_back(index_argument(p, stride));
    for (auto stride : strides.row) list.push_back(index_argument(p, stride));
    list.push_back(index_argument(p, strides.col));
  }
  const auto compute = compute_type(p.type);
  for (const auto& value : p.epilogue.scalars)
    list.push_back(is_floating(compute) ? scalar(compute, value.real) : scalar(compute, value.integer));
}

}  // namespace ocldnn::contract
