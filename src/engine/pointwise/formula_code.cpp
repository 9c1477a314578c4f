// Makes OpenCL C of a formula: every constant and name gets the compute type, conditions and values are kept apart, and
// integer arithmetic goes through functions that wrap. So the text means the same in a scalar and in a vector kernel.

#include "engine/pointwise/code.hpp"
#include "ocldnn/formula.hpp"

namespace ocldnn {
namespace {

struct Emitter {
  struct Node {
    std::string text;
    bool condition = false;
  };

  std::string_view formula;
  Type compute;

  bool real() const { return is_floating(compute); }

  static std::string value(const Node& node) { return node.condition ? "VALUE(" + node.text + ")" : node.text; }
  static std::string condition(const Node& node) {
    return node.condition ? node.text : fmt::format("({} != ALL(0))", node.text);
  }

  void refuse(std::string_view what) const {
    require(false, "formula \"{}\": {} does not exist in {} arithmetic", formula, what, ocldnn::name(compute));
  }

  Node name(std::string_view text) const {
    if (text != "inf" && text != "nan") return {fmt::format("v_{}", text)};
    if (!real()) refuse(text);
    return {text == "inf" ? "F_INF" : "F_NAN"};
  }

  Node number(std::string_view text, bool is_real) const {
    if (is_real && !real()) refuse(text);
    if (is_real && compute == Type::f64) text.remove_suffix(1);  // 0.1, not the float next to it
    return {fmt::format("ALL({})", text)};
  }

  Node call(const FormulaFunction& function, const Node* arguments, int count) const {
    if (function.domain != Domain::any && (function.domain == Domain::real) != real()) refuse(function.name);
    std::string text = fmt::format("f_{}({}", function.name, value(arguments[0]));
    for (int i = 1; i < count; ++i) text += ", " + value(arguments[i]);
    return {text + ")", function.condition};
  }

  Node unary(std::string_view op, const Node& a) const {
    if (op == "!") return {fmt::format("(!{})", condition(a)), true};
    if (op == "+") return {value(a)};
    if (op == "~") {
      if (real()) refuse(op);
      return {fmt::format("((TV)(~{}))", value(a))};
    }
    return {real() ? fmt::format("(-{})", value(a)) : fmt::format("f_neg({})", value(a))};
  }

  Node binary(std::string_view op, const Node& a, const Node& b) const {
    if (op == "&&" || op == "||") return {fmt::format("({} {} {})", condition(a), op, condition(b)), true};
    if (op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=")
      return {fmt::format("({} {} {})", value(a), op, value(b)), true};
    if (op == "%") return {fmt::format("f_trunc_mod({}, {})", value(a), value(b))};
    if (real()) {
      if (op == "+" || op == "-" || op == "*" || op == "/") return {fmt::format("({} {} {})", value(a), op, value(b))};
      refuse(op);
    }
    if (op == "&" || op == "|" || op == "^") return {fmt::format("((TV)({} {} {}))", value(a), op, value(b))};
    const char* function = op == "+"    ? "f_add"
                           : op == "-"  ? "f_sub"
                           : op == "*"  ? "f_mul"
                           : op == "/"  ? "f_trunc_div"
                           : op == "<<" ? "f_shl"
                                        : "f_shr";
    return {fmt::format("{}({}, {})", function, value(a), value(b))};
  }

  Node choice(const Node& c, const Node& yes, const Node& no) const {
    return {fmt::format("({} ? {} : {})", condition(c), value(yes), value(no))};
  }
};

}  // namespace

std::string formula_code(std::string_view formula, Type compute) {
  Emitter emitter{formula, compute};
  return Emitter::value(FormulaParser<Emitter>(formula, emitter).parse());
}

std::string substituted(std::string_view formula, std::span<const Substitution> substitutions) {
  std::string result;
  Lexer lexer(formula);
  size_t copied = 0;
  for (auto token = lexer.next(); token.kind != Lexeme::end; token = lexer.next()) {
    if (token.kind != Lexeme::name) continue;
    for (const auto& substitution : substitutions) {
      if (substitution.name != token.text) continue;
      result += formula.substr(copied, lexer.position() - token.text.size() - copied);
      result += "(" + substitution.formula + ")";
      copied = lexer.position();
      break;
    }
  }
  return result += formula.substr(copied);
}

}  // namespace ocldnn
