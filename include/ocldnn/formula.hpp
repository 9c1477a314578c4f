#pragma once

// The language of formulas, read at compile time to check them and at run time to make OpenCL C of them
// (src/engine/pointwise/code.hpp). A formula is one C expression:
//
//   names       operands and scalars of the op; inf and nan
//   numbers     3 in any arithmetic; 0.5f and 1e-6f in real arithmetic, exact in double too (0.1f means 0.1 there)
//   operators   ?:  || &&  | ^ &  == !=  < > <= >=  << >>  + -  * / %  unary - + ! ~, with C's precedence
//   functions   those of formula_functions below
//
// All of it is done in one arithmetic, the compute type. A comparison is 1 or 0; as a condition anything but 0 holds.
// Integers wrap around; integer division by 0 gives 0; a shift count is cut to 0 ... bits - 1.

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace ocldnn {

// What a faulty formula calls. None is constexpr: in a formula checked at compile time the compiler's message shows the
// function's name. At run time they throw `invalid_argument`.
[[noreturn]] void this_expression_uses_a_name_the_op_does_not_have(std::string_view formula, std::string_view name);
[[noreturn]] void this_expression_calls_an_unknown_function(std::string_view formula, std::string_view name);
[[noreturn]] void this_function_takes_another_number_of_arguments(std::string_view formula, std::string_view name);
[[noreturn]] void this_real_literal_must_end_in_f(std::string_view formula, std::string_view literal);
[[noreturn]] void this_is_not_an_expression(std::string_view formula, std::string_view rest);

enum class Domain { any, real, integer };

/// A function that formulas may call. `real` ones exist in floating arithmetic only, `integer` ones in integers only.
struct FormulaFunction {
  std::string_view name;
  int arguments;
  Domain domain = Domain::real;
  bool condition = false;  // gives a truth value
};

inline constexpr FormulaFunction formula_functions[]{
    {"abs", 1, Domain::any},
    {"sign", 1, Domain::any},  // -1, 0, 1; NaN stays
    {"min", 2, Domain::any},   // a NaN wins, in min and max alike
    {"max", 2, Domain::any},
    {"clamp", 3, Domain::any},  // clamp(x, low, high); a NaN in x stays
    {"square", 1, Domain::any},
    {"floor_div", 2, Domain::any},  // rounds towards minus infinity; the remainder has the divisor's sign
    {"floor_mod", 2, Domain::any},
    {"trunc_div", 2, Domain::any},  // rounds towards zero; the remainder has the dividend's sign
    {"trunc_mod", 2, Domain::any},
    {"pow", 2, Domain::any},  // integers: wraps; a negative exponent gives 0 unless the base is 1 or -1
    {"popcount", 1, Domain::integer},
    {"isnan", 1, Domain::real, true},
    {"isinf", 1, Domain::real, true},
    {"isfinite", 1, Domain::real, true},
    {"exp", 1},
    {"exp2", 1},
    {"expm1", 1},
    {"log", 1},
    {"log2", 1},
    {"log10", 1},
    {"log1p", 1},
    {"sqrt", 1},
    {"rsqrt", 1},
    {"cbrt", 1},
    {"sin", 1},
    {"cos", 1},
    {"tan", 1},
    {"asin", 1},
    {"acos", 1},
    {"atan", 1},
    {"atan2", 2},
    {"sinh", 1},
    {"cosh", 1},
    {"tanh", 1},
    {"asinh", 1},
    {"acosh", 1},
    {"atanh", 1},
    {"erf", 1},
    {"erfc", 1},
    {"erfinv", 1},
    {"ndtri", 1},   // inverse of the normal distribution function
    {"lgamma", 1},  // log |gamma(x)|
    {"digamma", 1},
    {"sigmoid", 1},
    {"softplus", 1},  // log(1 + exp(x))
    {"floor", 1},
    {"ceil", 1},
    {"trunc", 1},
    {"rint", 1},  // to nearest, halves to even
    {"copysign", 2},
    {"nextafter", 2},
    {"hypot", 2},
    {"fma", 3},
    {"xlogy", 2},  // x * log(y), 0 where x is 0
    {"xlog1py", 2},
    {"xdivy", 2},  // x / y, 0 where x is 0
};

enum class Lexeme { end, name, whole, real, mark };

/// One word of a formula: a name, a number, or an operator or bracket.
struct Token {
  Lexeme kind = Lexeme::end;
  std::string_view text;
  constexpr bool is(std::string_view mark) const { return kind == Lexeme::mark && text == mark; }
};

constexpr bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Cuts a formula into tokens.
class Lexer {
 public:
  constexpr explicit Lexer(std::string_view formula) : formula_(formula) {}

  constexpr Token next() {
    while (peek() == ' ') ++at_;
    auto begin = at_;
    if (at_ == formula_.size()) return {};
    if (is_name_start(peek())) {
      while (is_name_start(peek()) || is_digit(peek())) ++at_;
      return {Lexeme::name, from(begin)};
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    constexpr std::string_view pairs[]{"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    for (auto pair : pairs)
      if (formula_.substr(at_, 2) == pair) {
        at_ += 2;
        return {Lexeme::mark, from(begin)};
      }
    if (std::string_view("?:|^&<>+-*/%!~(),").find(peek()) == std::string_view::npos)
      this_is_not_an_expression(formula_, formula_.substr(at_));
    ++at_;
    return {Lexeme::mark, from(begin)};
  }

  constexpr std::string_view formula() const { return formula_; }
  constexpr size_t position() const { return at_; }

 private:
  constexpr char peek(size_t ahead = 0) const { return at_ + ahead < formula_.size() ? formula_[at_ + ahead] : '\0'; }
  constexpr std::string_view from(size_t begin) const { return formula_.substr(begin, at_ - begin); }
  constexpr void digits() {
    while (is_digit(peek())) ++at_;
  }

  constexpr Token number() {
    auto begin = at_;
    bool real = false;
    digits();
    if (peek() == '.') {
      real = true;
      ++at_;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      real = true;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      if (!is_digit(peek())) this_is_not_an_expression(formula_, from(begin));
      digits();
    }
    if (real && peek() == 'f') {
      ++at_;
    } else if (real) {
      this_real_literal_must_end_in_f(formula_, from(begin));
    }
    if (is_name_start(peek()) || is_digit(peek()) || peek() == '.')
      this_is_not_an_expression(formula_, formula_.substr(begin));
    return {real ? Lexeme::real : Lexeme::whole, from(begin)};
  }

  std::string_view formula_;
  size_t at_ = 0;
};

/// Parses a formula and hands its parts, innermost first, to a builder, which has a type Node and members
///   name(text)  number(text, real)  call(function, nodes, count)  unary(op, a)  binary(op, a, b)  choice(c, a, b)
template <class Builder>
class FormulaParser {
  using Node = typename Builder::Node;

 public:
  constexpr FormulaParser(std::string_view formula, Builder& builder) : lexer_(formula), builder_(builder) {
    advance();
  }

  constexpr Node parse() {
    Node node = choice();
    if (token_.kind != Lexeme::end) wrong();
    return node;
  }

 private:
  constexpr void advance() { token_ = lexer_.next(); }
  [[noreturn]] constexpr void wrong() {
    this_is_not_an_expression(lexer_.formula(), lexer_.formula().substr(lexer_.position() - token_.text.size()));
  }
  constexpr void expect(std::string_view mark) {
    if (!token_.is(mark)) wrong();
    advance();
  }

  // How tightly a binary operator binds; 0 if it is none.
  constexpr int binding() const {
    if (token_.kind != Lexeme::mark) return 0;
    constexpr std::string_view levels[]{"||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"};
    for (int level = 0; level < 10; ++level) {
      auto operators = levels[level];
      while (!operators.empty()) {
        auto end = operators.find(' ');
        if (token_.text == operators.substr(0, end)) return level + 1;
        operators = end == std::string_view::npos ? std::string_view() : operators.substr(end + 1);
      }
    }
    return 0;
  }

  constexpr Node choice() {
    Node condition = binary(1);
    if (!token_.is("?")) return condition;
    advance();
    Node yes = choice();
    expect(":");
    Node no = choice();
    return builder_.choice(condition, yes, no);
  }

  constexpr Node binary(int level) {
    Node left = unary();
    for (int found = binding(); found >= level; found = binding()) {
      auto op = token_.text;
      advance();
      Node right = binary(found + 1);
      left = builder_.binary(op, left, right);
    }
    return left;
  }

  constexpr Node unary() {
    for (std::string_view op : {"-", "+", "!", "~"})
      if (token_.is(op)) {
        advance();
        return builder_.unary(op, unary());
      }
    return primary();
  }

  constexpr Node primary() {
    auto word = token_;
    if (word.is("(")) {
      advance();
      Node inside = choice();
      expect(")");
      return inside;
    }
    if (word.kind != Lexeme::name && word.kind != Lexeme::whole && word.kind != Lexeme::real) wrong();
    advance();
    if (word.kind != Lexeme::name) return builder_.number(word.text, word.kind == Lexeme::real);
    if (token_.is("(")) return call(word.text);
    return builder_.name(word.text);
  }

  constexpr Node call(std::string_view name) {
    size_t found = 0;  // no pointer: with -fsanitize=undefined, g++ 12 takes no comparison with null for a constant
    while (found < std::size(formula_functions) && formula_functions[found].name != name) ++found;
    if (found == std::size(formula_functions)) this_expression_calls_an_unknown_function(lexer_.formula(), name);
    const auto& function = formula_functions[found];
    std::array<Node, 3> nodes{};
    int count = 0;
    do {
      advance();  // past "(" or ","
      if (count == function.arguments) this_function_takes_another_number_of_arguments(lexer_.formula(), name);
      nodes[static_cast<size_t>(count++)] = choice();
    } while (token_.is(","));
    expect(")");
    if (count != function.arguments) this_function_takes_another_number_of_arguments(lexer_.formula(), name);
    return builder_.call(function, nodes.data(), count);
  }

  Lexer lexer_;
  Builder& builder_;
  Token token_;
};

/// Whether `list` names `name`; anything that cannot be in a name separates: "dy, x; alpha", "x y".
constexpr bool names_contain(std::string_view list, std::string_view name) {
  size_t at = 0;
  while (at < list.size()) {
    auto begin = at;
    while (at < list.size() && (is_name_start(list[at]) || is_digit(list[at]))) ++at;
    if (list.substr(begin, at - begin) == name) return true;
    ++at;
  }
  return false;
}

/// Whether the formula reads `name`.
constexpr bool formula_uses(std::string_view formula, std::string_view name) {
  Lexer lexer(formula);
  for (auto token = lexer.next(); token.kind != Lexeme::end; token = lexer.next())
    if (token.kind == Lexeme::name && token.text == name) return true;
  return false;
}

/// Refuses a formula that is no expression or uses a name that is in none of the lists. For consteval constructors:
/// check_formula(relu.dx, {"dy, x; alpha"}).
constexpr void check_formula(std::string_view formula, std::initializer_list<std::string_view> names) {
  struct Checker {
    struct Node {};
    std::string_view formula;
    std::initializer_list<std::string_view> names;
    constexpr Node name(std::string_view text) const {
      if (text == "inf" || text == "nan") return {};
      for (auto list : names)
        if (names_contain(list, text)) return {};
      this_expression_uses_a_name_the_op_does_not_have(formula, text);
    }
    constexpr Node number(std::string_view, bool) const { return {}; }
    constexpr Node call(const FormulaFunction&, const Node*, int) const { return {}; }
    constexpr Node unary(std::string_view, Node) const { return {}; }
    constexpr Node binary(std::string_view, Node, Node) const { return {}; }
    constexpr Node choice(Node, Node, Node) const { return {}; }
  };
  Checker checker{formula, names};
  FormulaParser<Checker>(formula, checker).parse();
}

}  // namespace ocldnn
