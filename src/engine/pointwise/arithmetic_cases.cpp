// Every function and operator of formulas against the C++ library's in double. Functions with one domain share a
// kernel: an output each.

#include <bit>
#include <cmath>
#include <limits>

#include "check/case.hpp"
#include "ocldnn/pointwise.hpp"

namespace ocldnn::check {
namespace {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// f(x, y) for formulas over x and y; a tolerance in units of the last place of float (f32 only).
struct Row {
  const char* formula;
  std::function<double(double, double)> reference;
  double ulp = 4;
};

struct Group {
  const char* name;
  double low, high;
  std::vector<Row> rows;
};

std::function<double(double, double)> one(Unary f) {
  return [f](double x, double) { return f(x); };
}
std::function<double(double, double)> two(Binary f) { return f; }

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The slope of log gamma, by differences.
double digamma(double x) {
  constexpr double h = 1e-5;
  if (x < 0) return digamma(1 - x) - M_PI / std::tan(M_PI * x);
  return (std::lgamma(x + h) - std::lgamma(x - h)) / (2 * h);
}

// By halving: erf rises.
double inverse_erf(double x) {
  double low = -7, high = 7;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle) < x ? low : high) = middle;
  }
  return low;
}

double floor_mod(double x, double y) { return x - y * std::floor(x / y); }

std::vector<Group> groups() {
  return {
      {"line",
       -9,
       9,
       {{"abs(x)", one([](double x) { return std::fabs(x); }), 0},
        {"sign(x)", one([](double x) { return double((x > 0) - (x < 0)); }), 0},
        {"square(x)", one([](double x) { return x * x; }), 1},
        {"min(x, y)", two([](double x, double y) { return std::min(x, y); }), 0},
        {"max(x, y)", two([](double x, double y) { return std::max(x, y); }), 0},
        {"clamp(x, -1, y * y)", two([](double x, double y) { return std::max(-1.0, std::min(x, y * y)); }), 1},
        {"x - y / 3", two([](double x, double y) { return x - y / 3; }), 2},
        {"(x > 0) - (y < x && !(y > 1))", two([](double x, double y) { return double((x > 0) - (y < x && !(y > 1))); }),
         0},
        {"x >= y || y == 2 ? x : -y", two([](double x, double y) { return x >= y || y == 2 ? x : -y; }), 0},
        {"exp(x)", one([](double x) { return std::exp(x); })},
        {"exp2(x)", one([](double x) { return std::exp2(x); })},
        {"expm1(x)", one([](double x) { return std::expm1(x); })},
        {"tanh(x)", one([](double x) { return std::tanh(x); })},
        {"erf(x)", one([](double x) { return std::erf(x); })},
        {"erfc(x)", one([](double x) { return std::erfc(x); })},
        {"sigmoid(x)", one(logistic)},
        {"softplus(x)", one([](double x) { return std::log1p(std::exp(x)); })}}},
      {"trigonometry",
       -9,
       9,
       {{"sin(x)", one([](double x) { return std::sin(x); })},
        {"cos(x)", one([](double x) { return std::cos(x); })},
        {"tan(x)", one([](double x) { return std::tan(x); }), 8},
        {"atan(x)", one([](double x) { return std::atan(x); })},
        {"atan2(x, y)", two([](double x, double y) { return std::atan2(x, y); }), 8},
        {"sinh(x)", one([](double x) { return std::sinh(x); })},
        {"cosh(x)", one([](double x) { return std::cosh(x); })},
        {"asinh(x)", one([](double x) { return std::asinh(x); })},
        {"cbrt(x)", one([](double x) { return std::cbrt(x); })},
        {"hypot(x, y)", two([](double x, double y) { return std::hypot(x, y); })}}},
      {"rounding",
       -9,
       9,
       {{"floor(x)", one([](double x) { return std::floor(x); }), 0},
        {"ceil(x)", one([](double x) { return std::ceil(x); }), 0},
        {"trunc(x)", one([](double x) { return std::trunc(x); }), 0},
        {"rint(x)", one([](double x) { return std::nearbyint(x); }), 0},
        {"copysign(x, y)", two([](double x, double y) { return std::copysign(x, y); }), 0},
        {"fma(x, y, x)", two([](double x, double y) { return x * y + x; }), 1},
        {"trunc_mod(x, y)", two([](double x, double y) { return std::fmod(x, y); }), 1},
        {"x % y", two([](double x, double y) { return std::fmod(x, y); }), 1},
        {"floor_mod(x, y)", two(floor_mod), 16},
        {"isnan(x)", one([](double) { return 0.0; }), 0},
        {"isfinite(x)", one([](double) { return 1.0; }), 0}}},
      {"positive",
       0.01,
       20,
       {{"log(x)", one([](double x) { return std::log(x); })},
        {"log2(x)", one([](double x) { return std::log2(x); })},
        {"log10(x)", one([](double x) { return std::log10(x); })},
        {"log1p(x)", one([](double x) { return std::log1p(x); })},
        {"sqrt(x)", one([](double x) { return std::sqrt(x); })},
        {"rsqrt(x)", one([](double x) { return 1 / std::sqrt(x); })},
        {"acosh(x + 1)", one([](double x) { return std::acosh(x + 1); }), 8},
        {"lgamma(x)", one([](double x) { return std::lgamma(x); }), 16},
        {"digamma(x)", one(digamma), 16},
        {"pow(x, y / 4)", two([](double x, double y) { return std::pow(x, y / 4); }), 16},
        {"xlogy(x, y)", two([](double x, double y) { return x * std::log(y); })},
        {"xlog1py(x, y)", two([](double x, double y) { return x * std::log1p(y); })},
        {"xdivy(x, y)", two([](double x, double y) { return x / y; })}}},
      {"negative",
       -5.9,
       -0.1,
       {{"lgamma(x)", one([](double x) { return std::lgamma(x); }), 64}, {"digamma(x)", one(digamma), 1000}}},
      {"unit",
       -0.999,
       0.999,
       {{"asin(x)", one([](double x) { return std::asin(x); }), 8},
        {"acos(x)", one([](double x) { return std::acos(x); }), 8},
        {"atanh(x)", one([](double x) { return std::atanh(x); }), 8},
        {"erfinv(x)", one(inverse_erf), 16},
        {"ndtri((x + 1) / 2)", one([](double x) { return M_SQRT2 * inverse_erf(x); }), 64},
        {"log1p(x)", one([](double x) { return std::log1p(x); })},
        {"expm1(x)", one([](double x) { return std::expm1(x); })}}},
  };
}

Example example_of(const Group& group, Type type) {
  Example example;
  const Shape shape{131};
  example.name = fmt::format("arithmetic/{}/{}", group.name, name(type));
  example.inputs = {{type, shape, group.low, group.high}, {type, shape, group.low, group.high}};
  for (const auto& row : group.rows) {
    // The references by differences are good to 1e-9.
    const double tolerance = type == Type::f32 ? row.ulp * 1.2e-7 : row.ulp == 0 ? 0 : row.ulp >= 16 ? 1e-7 : 1e-13;
    example.outputs.push_back({type, shape, tolerance});
  }
  example.run = [group, type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand operands[]{{"x", in[0]}, {"y", in[1]}};
    std::vector<Result> results;
    for (size_t i = 0; i < out.size(); ++i) results.push_back({out[i], group.rows[i].formula});
    pointwise(exec.queue, group.name, type, operands, results);
  };
  example.reference = [group](std::span<const Array> in, std::span<Array> out) {
    for (size_t k = 0; k < out.size(); ++k)
      for (int64_t i = 0; i < out[k].shape.elements(); ++i) out[k][i] = group.rows[k].reference(in[0][i], in[1][i]);
  };
  return example;
}

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// What functions give for NaN, infinities, zeros and the ends of their domains, as in C.
Example extremes(Type type) {
  struct Extreme {
    const char* formula;
    Unary reference;
  };
  static const std::vector<Extreme> rows{
      {"exp(x)", [](double x) { return std::exp(x); }},
      {"expm1(x)", [](double x) { return std::expm1(x); }},
      {"log(x)", [](double x) { return std::log(x); }},
      {"log1p(x)", [](double x) { return std::log1p(x); }},
      {"tanh(x)", [](double x) { return std::tanh(x); }},
      {"erf(x)", [](double x) { return std::erf(x); }},
      {"sigmoid(x)", logistic},
      {"sqrt(x)", [](double x) { return std::sqrt(x); }},
      {"abs(x)", [](double x) { return std::fabs(x); }},
      {"max(x, 0)", [](double x) { return x < 0 ? 0 : x; }},
      {"min(0, x)", [](double x) { return x > 0 ? 0 : x; }},
      {"isnan(x)", [](double x) { return double(std::isnan(x)); }},
      {"isinf(x)", [](double x) { return double(std::isinf(x)); }},
      {"isfinite(x)", [](double x) { return double(std::isfinite(x)); }},
      {"clamp(x, -1, 1)", [](double x) { return x < -1  ? -1
                                                : x > 1 ? 1
                                                        : x; }},
      {"softplus(x)", [](double x) { return x > 50 ? x : std::log1p(std::exp(x)); }},
      {"xlogy(0, x)", [](double) { return 0.0; }},
      {"x < 0 ? 0 : x", [](double x) { return x < 0 ? 0 : x; }},
      {"erfinv(x)", [](double x) { return x == 1    ? inf
                                          : x == -1 ? -inf
                                          : x == 0  ? 0
                                                    : nan; }},
      {"ndtri(x)", [](double x) { return x == 1   ? inf
                                         : x == 0 ? -inf
                                                  : nan; }},
      {"digamma(x)",
       [](double x) {
         return x == inf ? inf : x == 1 ? -0.57721566490153286 : x > 1e29 ? std::log(x) : nan;
       }},
  };
  Example example;
  const std::vector<double> values{nan, inf, -inf, 0.0, 1, -1, 1e30};
  example.name = fmt::format("arithmetic/extremes/{}", name(type));
  const Shape shape{static_cast<int64_t>(values.size())};
  example.inputs = {{type, shape, 0, 0, values}};
  for (size_t i = 0; i < rows.size(); ++i) example.outputs.push_back({type, shape, type == Type::f32 ? 1e-6 : 1e-13});
  example.run = [type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand x{"x", in[0]};
    std::vector<Result> results;
    for (size_t i = 0; i < out.size(); ++i) results.push_back({out[i], rows[i].formula});
    pointwise(exec.queue, "extremes", type, std::span(&x, 1), results);
  };
  example.reference = [type](std::span<const Array> in, std::span<Array> out) {
    for (size_t k = 0; k < out.size(); ++k)
      for (int64_t i = 0; i < out[k].shape.elements(); ++i) {
        out[k][i] = rows[k].reference(in[0][i]);
        if (type == Type::f32) out[k][i] = static_cast<float>(out[k][i]);
      }
  };
  return example;
}

// The float functions of our own within 2 units in the last place, over many magnitudes of either sign. The distance
// from the reference is taken on the device in double, relative to the reference.
Example last_places(const char* formula, Unary reference, double least, double greatest, bool negative) {
  std::vector<double> x, want;
  constexpr int count = 2001;
  for (int i = 0; i < count; ++i) {
    const double magnitude = least * std::pow(greatest / least, i / (count - 1.0));
    x.push_back(static_cast<float>(negative && i % 2 ? -magnitude : magnitude));
    want.push_back(reference(x.back()));
  }
  Example example;
  example.name = fmt::format("arithmetic/last_places/{}", formula);
  const Shape shape{count};
  example.inputs = {{Type::f32, shape, 0, 0, x}, {Type::f64, shape, 0, 0, want}};
  example.outputs = {{Type::f64, shape, 2 * 1.1920929e-7}};
  example.run = [formula](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const View y = exec.temporary(Type::f32, in[0].shape);
    pointwise(exec.queue, formula, Type::f32, {{"x", in[0]}}, {{y, formula}});
    pointwise(exec.queue, formula, Type::f64, {{"y", y}, {"want", in[1]}}, {{out[0], "(y - want) / want"}});
  };
  example.reference = [](std::span<const Array>, std::span<Array> out) { out[0].values.assign(count, 0); };
  return example;
}

// Integers: wrap-around, division that never traps, shifts that are cut, for every pair of edge values.
template <class T>
Example integers(Type type) {
  using U = std::make_unsigned_t<T>;
  struct Integer {
    const char* formula;
    T (*reference)(T, T);
  };
  static const std::vector<Integer> rows{
      {"x + y", [](T x, T y) { return static_cast<T>(static_cast<U>(x) + static_cast<U>(y)); }},
      {"x - y", [](T x, T y) { return static_cast<T>(static_cast<U>(x) - static_cast<U>(y)); }},
      {"x * y", [](T x, T y) { return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y)); }},
      {"(x + y) & 127", [](T x, T y) { return static_cast<T>((static_cast<U>(x) + static_cast<U>(y)) & 127); }},
      {"(x * y) & 127",
       [](T x, T y) { return static_cast<T>((static_cast<uint64_t>(x) * static_cast<uint64_t>(y)) & 127); }},
      {"-x", [](T x, T) { return static_cast<T>(U{0} - static_cast<U>(x)); }},
      {"x / y",
       [](T x, T y) {
         return y == 0                              ? T{0}
                : y == T(-1) && std::is_signed_v<T> ? static_cast<T>(U{0} - static_cast<U>(x))
                                                    : static_cast<T>(x / y);
       }},
      {"x % y", [](T x, T y) { return y == 0 || (y == T(-1) && std::is_signed_v<T>) ? T{0} : static_cast<T>(x % y); }},
      {"floor_mod(x, y)",
       [](T x, T y) {
         if (y == 0 || (y == T(-1) && std::is_signed_v<T>)) return T{0};
         const T rest = static_cast<T>(x % y);
         return rest != 0 && (rest < 0) != (y < 0) ? static_cast<T>(rest + y) : rest;
       }},
      {"floor_div(x, y)",
       [](T x, T y) {
         if (y == 0) return T{0};
         if (y == T(-1) && std::is_signed_v<T>) return static_cast<T>(U{0} - static_cast<U>(x));
         return static_cast<T>(x / y - (x % y != 0 && (x < 0) != (y < 0)));
       }},
      {"min(x, y)", [](T x, T y) { return std::min(x, y); }},
      {"max(x, y)", [](T x, T y) { return std::max(x, y); }},
      {"abs(x)", [](T x, T) { return x < 0 ? static_cast<T>(U{0} - static_cast<U>(x)) : x; }},
      {"sign(x)", [](T x, T) { return static_cast<T>((x > 0) - (x < 0)); }},
      {"x & y", [](T x, T y) { return static_cast<T>(x & y); }},
      {"x | y", [](T x, T y) { return static_cast<T>(x | y); }},
      {"x ^ ~y", [](T x, T y) { return static_cast<T>(x ^ ~y); }},
      {"x << y",
       [](T x, T y) {
         return static_cast<T>(static_cast<U>(x)
                               << (y < 0 ? 0 : std::min<uint64_t>(static_cast<uint64_t>(y), 8 * sizeof(T) - 1)));
       }},
      {"x >> y",
       [](T x, T y) {
         return static_cast<T>(x >> (y < 0 ? 0 : std::min<uint64_t>(static_cast<uint64_t>(y), 8 * sizeof(T) - 1)));
       }},
      {"pow(x, y & 7)",
       [](T x, T y) {
         uint64_t result = 1;
         for (int i = static_cast<int>(y & 7); i > 0; --i) result *= static_cast<uint64_t>(x);
         return static_cast<T>(result);
       }},
      {"popcount(x)", [](T x, T) { return static_cast<T>(std::popcount(static_cast<U>(x))); }},
      {"x < y ? x : y == 3", [](T x, T y) { return x < y ? x : static_cast<T>(y == 3); }},
      {"(x && y) + !x", [](T x, T y) { return static_cast<T>((x && y) + !x); }},
  };
  // The harness holds numbers as doubles: of 64 bits, the greatest that is one, and rows for the bits that a double
  // drops.
  const auto greatest = static_cast<double>(std::numeric_limits<T>::max());
  std::vector<double> edges{0, 1, 2, 3, 7, 8, 31, 63, 100, sizeof(T) == 8 ? std::nextafter(greatest, 0) : greatest};
  if (std::is_signed_v<T>) {
    const size_t count = edges.size();
    for (size_t i = 1; i < count; ++i) edges.push_back(-edges[i]);
    edges.push_back(static_cast<double>(std::numeric_limits<T>::min()));
  }
  std::vector<double> x, y;
  for (double a : edges)
    for (double b : edges) x.push_back(a), y.push_back(b);
  Example example;
  example.name = fmt::format("arithmetic/integers/{}", name(type));
  const Shape shape{static_cast<int64_t>(x.size())};
  example.inputs = {{type, shape, 0, 0, x}, {type, shape, 0, 0, y}};
  for (size_t i = 0; i < rows.size(); ++i) example.outputs.push_back({type, shape, 0});
  example.run = [type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand operands[]{{"x", in[0]}, {"y", in[1]}};
    std::vector<Result> results;
    for (size_t i = 0; i < out.size(); ++i) results.push_back({out[i], rows[i].formula});
    pointwise(exec.queue, "integers", type, operands, results);
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (size_t k = 0; k < out.size(); ++k)
      for (int64_t i = 0; i < out[k].shape.elements(); ++i)
        out[k][i] = static_cast<double>(rows[k].reference(static_cast<T>(in[0][i]), static_cast<T>(in[1][i])));
  };
  return example;
}

}  // namespace

void arithmetic_cases(Cases& cases) {
  for (const auto& group : groups())
    for (auto type : {Type::f32, Type::f64}) cases.push_back(example_of(group, type));
  for (auto type : {Type::f32, Type::f64}) cases.push_back(extremes(type));
  cases.push_back(last_places(
      "exp(x)", [](double x) { return std::exp(x); }, 1e-7, 87, true));
  cases.push_back(last_places(
      "expm1(x)", [](double x) { return std::expm1(x); }, 1e-7, 87, true));
  cases.push_back(last_places(
      "log(x)", [](double x) { return std::log(x); }, 1e-37, 1e38, false));
  cases.push_back(last_places(
      "log(1 + x)", [](double x) { return std::log(static_cast<double>(1 + static_cast<float>(x))); }, 1e-4, 1, false));
  cases.push_back(last_places(
      "log1p(x)", [](double x) { return std::log1p(x); }, 1e-7, 0.99, true));
  cases.push_back(last_places(
      "tanh(x)", [](double x) { return std::tanh(x); }, 1e-7, 20, true));
  cases.push_back(last_places(
      "erf(x)", [](double x) { return std::erf(x); }, 1e-7, 6, true));
  cases.push_back(last_places(
      "erfc(x)", [](double x) { return std::erfc(x); }, 1e-7, 9, true));
  cases.push_back(last_places("sigmoid(x)", logistic, 1e-7, 85, true));
  cases.push_back(integers<int8_t>(Type::i8));
  cases.push_back(integers<int16_t>(Type::i16));
  cases.push_back(integers<int32_t>(Type::i32));
  cases.push_back(integers<int64_t>(Type::i64));
  cases.push_back(integers<uint8_t>(Type::u8));
  cases.push_back(integers<uint16_t>(Type::u16));
  cases.push_back(integers<uint32_t>(Type::u32));
  cases.push_back(integers<uint64_t>(Type::u64));
}

}  // namespace ocldnn::check
