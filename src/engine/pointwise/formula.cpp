#include "ocldnn/formula.hpp"

#include "ocldnn/error.hpp"

namespace ocldnn {

void this_expression_uses_a_name_the_op_does_not_have(std::string_view formula, std::string_view name) {
  fail(Code::invalid_argument, "formula \"{}\": the op has nothing named {}", formula, name);
}

void this_expression_calls_an_unknown_function(std::string_view formula, std::string_view name) {
  fail(Code::invalid_argument, "formula \"{}\": there is no function {}", formula, name);
}

void this_function_takes_another_number_of_arguments(std::string_view formula, std::string_view name) {
  fail(Code::invalid_argument, "formula \"{}\": {} takes another number of arguments", formula, name);
}

void this_real_literal_must_end_in_f(std::string_view formula, std::string_view literal) {
  fail(Code::invalid_argument, "formula \"{}\": the real literal {} must end in f", formula, literal);
}

void this_is_not_an_expression(std::string_view formula, std::string_view rest) {
  fail(Code::invalid_argument, "formula \"{}\": not an expression at \"{}\"", formula, rest);
}

// What the compiler must be able to read; the refusals are in pointwise_cases.cpp, at run time.
namespace {
constexpr bool reads(std::string_view formula, std::string_view names) {
  check_formula(formula, {names});
  return true;
}
static_assert(reads("x < 0 ? 0 : x", "x"));
static_assert(reads("x > 0 ? dy : alpha * dy", "dy, x; alpha"));
static_assert(reads("-x * -1e-6f + (a << 2 & 1) - !(b >= .5f || b != 3)", "x a b"));
static_assert(reads("fma(x, min(y, 2), -inf)", "x, y"));
static_assert(formula_uses("exp(x) + y", "y") && !formula_uses("exp(x) + y", "e"));
static_assert(!names_contain("x1, y; alpha", "x") && names_contain("x1, y; alpha", "alpha"));
}  // namespace

}  // namespace ocldnn
