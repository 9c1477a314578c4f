#include "api/pointwise.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

constexpr Type real_and_int64_list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i64};
constexpr Type add_list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8, Type::i16, Type::i64, Type::u8};
constexpr Type precise_list[]{Type::f32, Type::f64};
constexpr Type int64_list[]{Type::i64};
constexpr Types real_and_int64(real_and_int64_list), add_v1(add_list), precise(precise_list), int64(int64_list);

constexpr Pointwise unary[]{
    {"Abs(x)", "abs(x)", signed_numbers},
    {"Neg(x)", "-x", signed_numbers},
    {"Sign(x)", "sign(x)", signed_numbers},
    {"Square(x)", "x * x", numbers},
    {"Reciprocal(x)", "1 / x"},
    {"Inv(x)", "1 / x"},
    {"ReciprocalGrad(y, dy)", "-dy * y * y"},
    {"InvGrad(y, dy)", "-dy * y * y"},
    {"Sqrt(x)", "sqrt(x)"},
    {"SqrtGrad(y, dy)", "dy * 0.5f / y"},
    {"Rsqrt(x)", "rsqrt(x)"},
    {"RsqrtGrad(y, dy)", "-0.5f * dy * y * y * y"},
    {"Exp(x)", "exp(x)"},
    {"Expm1(x)", "expm1(x)"},
    {"Log(x)", "log(x)"},
    {"Log1p(x)", "log1p(x)"},
    {"Sin(x)", "sin(x)"},
    {"Cos(x)", "cos(x)"},
    {"Tan(x)", "tan(x)"},
    {"Asin(x)", "asin(x)"},
    {"Acos(x)", "acos(x)"},
    {"Atan(x)", "atan(x)"},
    {"Sinh(x)", "sinh(x)"},
    {"Cosh(x)", "cosh(x)"},
    {"Asinh(x)", "asinh(x)"},
    {"Acosh(x)", "acosh(x)"},
    {"Atanh(x)", "atanh(x)"},
    {"Erf(x)", "erf(x)"},
    {"Erfc(x)", "erfc(x)"},
    {"Erfinv(x)", "erfinv(x)"},
    {"Ndtri(x)", "ndtri(x)"},
    {"Lgamma(x)", "lgamma(x)"},
    {"Digamma(x)", "digamma(x)"},
    {"Floor(x)", "floor(x)"},
    {"Ceil(x)", "ceil(x)"},
    {"Rint(x)", "rint(x)"},
    {"Round(x)", "rint(x)"},
    {"Round(x)", "x", int64},
    {"IsNan(x)", "isnan(x)"},
    {"IsInf(x)", "isinf(x)"},
    {"IsFinite(x)", "isfinite(x)"},
    {"Invert(x)", "~x", all_integers},
    {"PopulationCount(x)", "popcount(x)", all_integers},
};

constexpr Pointwise binary[]{
    {"Add(x, y)", "x + y", add_v1},
    {"AddV2(x, y)", "x + y", numbers},
    {"Sub(x, y)", "x - y", numbers},
    {"Mul(x, y)", "x * y", numbers},
    {"Div(x, y)", "x / y", numbers},
    {"RealDiv(x, y)", "x / y"},
    {"FloorDiv(x, y)", "floor_div(x, y)", numbers},
    {"FloorMod(x, y)", "floor_mod(x, y)", numbers},
    {"Mod(x, y)", "trunc_mod(x, y)", real_and_int64},
    {"TruncateMod(x, y)", "trunc_mod(x, y)", real_and_int64},
    {"TruncateDiv(x, y)", "trunc_div(x, y)", integers},
    {"DivNoNan(x, y)", "y == 0 ? 0 : x / y"},
    {"MulNoNan(x, y)", "y == 0 ? 0 : x * y"},
    {"Maximum(x, y)", "max(x, y)", numbers},
    {"Minimum(x, y)", "min(x, y)", numbers},
    {"SquaredDifference(x, y)", "square(x - y)", real_and_int64},
    {"Pow(x, y)", "pow(x, y)", signed_numbers},
    {"Atan2(y, x)", "atan2(y, x)"},
    {"NextAfter(x, y)", "nextafter(x, y)", precise},
    {"Xdivy(x, y)", "xdivy(x, y)"},
    {"Xlogy(x, y)", "xlogy(x, y)"},
    {"Xlog1py(x, y)", "xlog1py(x, y)"},
    {"BitwiseAnd(x, y)", "x & y", all_integers},
    {"BitwiseOr(x, y)", "x | y", all_integers},
    {"BitwiseXor(x, y)", "x ^ y", all_integers},
    {"LeftShift(x, y)", "x << y", all_integers},
    {"RightShift(x, y)", "x >> y", all_integers},
};

}  // namespace

void register_arithmetic(const Registrar& registrar) {
  add_all<unary>(registrar);
  add_all<binary>(registrar);
}

}  // namespace ocldnn::tf
