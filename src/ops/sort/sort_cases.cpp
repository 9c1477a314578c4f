#include <algorithm>
#include <numeric>

#include "check/case.hpp"
#include "ocldnn/sort.hpp"

namespace ocldnn::check {
namespace {

// Values are drawn from few, so that there are ties.
Example top_k_case(Type type, Type index, int64_t rows, int64_t n, int64_t k) {
  Example example;
  example.name = "top_k/" + std::string(name(type)) + "/" + Shape{rows, n, k}.text();
  const bool is_signed_type = is_signed(type);
  std::vector<double> values;
  for (int64_t i = 0; i < rows * n; ++i) {
    const auto draw = static_cast<double>(i * 7919 % 61);
    values.push_back(is_floating(type) ? (draw - 30) / 4 : is_signed_type ? draw - 30 : draw);
  }
  example.inputs = {{.type = type, .shape = {rows, n}, .values = values}};
  example.outputs = {{.type = type, .shape = {rows, k}, .tolerance = 0},
                     {.type = index, .shape = {rows, k}, .tolerance = 0}};
  example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    top_k(exec, in[0], out[0], out[1]);
  };
  example.reference = [=](std::span<const Array> in, std::span<Array> out) {
    for (int64_t r = 0; r < rows; ++r) {
      std::vector<int64_t> order(static_cast<size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int64_t a, int64_t b) { return in[0][r * n + a] > in[0][r * n + b]; });
      for (int64_t i = 0; i < k; ++i) {
        out[0][r * k + i] = in[0][r * n + order[static_cast<size_t>(i)]];
        out[1][r * k + i] = static_cast<double>(order[static_cast<size_t>(i)]);
      }
    }
  };
  example.bytes = static_cast<double>(rows * n) * static_cast<double>(size_of(type));
  return example;
}

}  // namespace

void sort_cases(Cases& cases) {
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8, Type::i32, Type::i64, Type::u8, Type::u16})
    cases.push_back(top_k_case(type, Type::i32, 5, 23, 6));
  cases.push_back(top_k_case(Type::f32, Type::i64, 3, 70, 70));
  cases.push_back(top_k_case(Type::f32, Type::i16, 1, 1, 1));
  cases.push_back(top_k_case(Type::f32, Type::i32, 7, 5000, 10));
  cases.push_back(top_k_case(Type::f32, Type::i32, 32, 30000, 5));
}

}  // namespace ocldnn::check
