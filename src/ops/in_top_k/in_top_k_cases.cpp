#include "ocldnn/in_top_k.hpp"

#include <cmath>
#include <limits>

#include "check/case.hpp"

namespace ocldnn::check {
namespace {

Example example(Input predictions, Input targets, int64_t k, std::string_view note = "") {
  const int64_t rows = predictions.shape[0], classes = predictions.shape[1];
  Example e;
  e.name = fmt::format("in_top_k/{}-{}/{}/k{}{}", name(predictions.type), name(targets.type), predictions.shape.text(),
                       k, note);
  e.inputs = {predictions, targets};
  e.outputs = {{Type::boolean, {rows}, 0}};
  e.run = [k](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    in_top_k(exec, in[0], in[1], k, out[0]);
  };
  e.reference = [=](std::span<const Array> in, std::span<Array> out) {
    for (int64_t r = 0; r < rows; ++r) {
      const double target = in[1][r];
      bool in_top = target >= 0 && target < static_cast<double>(classes);
      int64_t greater = 0;
      for (int64_t c = 0; in_top && c < classes; ++c) {
        const double v = in[0][r * classes + c];
        if (!std::isfinite(v)) in_top = false;
        greater += v > in[0][r * classes + static_cast<int64_t>(target)];
      }
      out[0][r] = in_top && greater < k;
    }
  };
  return e;
}

}  // namespace

void in_top_k_cases(Cases& cases) {
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  cases.push_back(example({Type::f32, {64, 10}}, {Type::i32, {64}, 0, 9}, 3));
  cases.push_back(example({Type::f32, {9, 1025}}, {Type::i64, {9}, 0, 1024}, 500));
  cases.push_back(example({Type::f16, {33, 7}, 0, 1}, {Type::i64, {33}, -1, 8}, 2));  // ties, targets out of range
  cases.push_back(example({Type::f32, {0, 4}}, {Type::i32, {0}}, 1));
  cases.push_back(example({Type::f32, {3, 0}}, {Type::i32, {3}}, 1));
  cases.push_back(example({Type::f32, {4, 3}, 0, 0, {1, 2, inf, nan, 1, 2, -inf, 2, 1, 3, 2, 1}},
                          {Type::i32, {4}, 0, 0, {1, 1, 1, 1}}, 2, "/not_finite"));
}

}  // namespace ocldnn::check
