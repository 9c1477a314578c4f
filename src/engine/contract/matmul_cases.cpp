#include <cmath>

#include "check/case.hpp"
#include "engine/contract/family.hpp"
#include "ocldnn/contract.hpp"

namespace ocldnn::check {
namespace {

using contract::ForceFamily;

constexpr std::string_view families[] = {"", "tile", "vector", "naive"};  // "": as a user gets it

/// What a family does not compute on any device is left out of its cases.
bool computes(std::string_view family, Type type, int64_t terms, int64_t columns) {
  if (family == "tile") return is_floating(type) && terms > 0 && type != Type::bf16;
  return family != "vector" || (is_floating(type) && terms > 0 && (terms > 1 || columns > 1));
}

double tolerance_of(Type type, int64_t terms) {
  // Operands are drawn from [-1, 1]: n products of them sum to about sqrt(n) / 3, with n roundings of that size.
  if (!is_floating(type)) return 0;
  const double unit = type == Type::f64 ? std::ldexp(1, -53) : std::ldexp(1, -24);
  const double storage = type == Type::f16 ? std::ldexp(1, -10) : type == Type::bf16 ? std::ldexp(1, -7) : 0;
  const auto n = static_cast<double>(terms);
  return unit * (16 * std::sqrt(n + 1) + n) + storage;
}

struct Matmul {
  std::string name;
  Type type = Type::f32;
  Shape a, b;
  Dims a_order = {}, b_order = {}, c_order = {};
  bool transpose_a = false, transpose_b = false;
};

Shape logical(const Shape& shape, bool transpose) {
  Shape result = shape;
  if (transpose) std::swap(result[shape.rank() - 1], result[shape.rank() - 2]);
  return result;
}

Shape batch_of(const Shape& shape) {
  Shape batch;
  for (int i = 0; i < shape.rank() - 2; ++i) batch.push_back(shape[i]);
  return batch;
}

/// Where matrix `number` of the broadcast batch starts in an array whose own batch is `batch`.
int64_t matrix_of(int64_t number, const Shape& all, const Shape& batch) {
  int64_t index = 0, place = 1;
  for (int i = all.rank() - 1, j = batch.rank() - 1; i >= 0; --i, --j) {
    const int64_t at = number % all[i];
    number /= all[i];
    if (j < 0) continue;
    if (batch[j] != 1) index += at * place;
    place *= batch[j];
  }
  return index;
}

void multiply(const Array& a, const Array& b, bool transpose_a, bool transpose_b, Array& c) {
  const Shape sa = logical(a.shape, transpose_a), sb = logical(b.shape, transpose_b), all = batch_of(c.shape);
  const int64_t m = sa[sa.rank() - 2], k = sa[sa.rank() - 1], n = sb[sb.rank() - 1];
  for (int64_t matrix = 0; matrix < all.elements(); ++matrix) {
    const int64_t a0 = matrix_of(matrix, all, batch_of(sa)) * m * k, b0 = matrix_of(matrix, all, batch_of(sb)) * k * n;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t t = 0; t < k; ++t)
          sum += a[a0 + (transpose_a ? t * m + i : i * k + t)] * b[b0 + (transpose_b ? j * k + t : t * n + j)];
        c[matrix * m * n + i * n + j] = sum;
      }
  }
}

/// The epilogue of a case, computed from the sums and the operands after the first two inputs.
struct Finish {
  std::string name, expression;
  std::vector<Input> operands;
  std::vector<std::string> names;
  std::function<void(std::span<const Array> operands, Array& c)> reference;
};

Example example(const Matmul& m, std::string_view family, const Finish& finish = {}) {
  const Shape sa = logical(m.a, m.transpose_a), sb = logical(m.b, m.transpose_b);
  const std::array<Shape, 2> batches{batch_of(sa), batch_of(sb)};
  Shape sc = broadcast_shapes("case", batches);
  sc.push_back(sa[sa.rank() - 2]);
  sc.push_back(sb[sb.rank() - 1]);
  const int64_t k = sa[sa.rank() - 1];
  Example e;
  e.name = fmt::format("matmul/{}/{}{}/{}x{}", name(m.type), m.name, finish.name.empty() ? "" : "_" + finish.name,
                       sa.text(), sb.text());
  if (!family.empty()) e.name += fmt::format("/{}", family);
  const double range = is_integer(m.type) ? 5 : 1, low = is_integer(m.type) && !is_signed(m.type) ? 0 : -range;
  e.inputs = {{m.type, m.a, low, range, {}, m.a_order}, {m.type, m.b, low, range, {}, m.b_order}};
  e.inputs.insert(e.inputs.end(), finish.operands.begin(), finish.operands.end());
  e.outputs = {{m.type, sc, tolerance_of(m.type, k), m.c_order}};
  e.run = [m, finish, family](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    std::vector<Operand> operands;
    for (size_t i = 0; i < finish.names.size(); ++i) operands.push_back({finish.names[i], in[i + 2]});
    ForceFamily force(family);
    matmul(exec, m.transpose_a ? in[0].transposed() : in[0], m.transpose_b ? in[1].transposed() : in[1], out[0],
           {finish.expression.empty() ? "c" : std::string_view(finish.expression), operands});
    if (!family.empty() && out[0].elements() > 0 && ForceFamily::last_run() != family)
      fail(Code::internal, "{} refused: {} ran", family, ForceFamily::last_run());
  };
  e.reference = [m, finish](std::span<const Array> in, std::span<Array> out) {
    multiply(in[0], in[1], m.transpose_a, m.transpose_b, out[0]);
    if (finish.reference) finish.reference(in.subspan(2), out[0]);
  };
  e.flops = 2.0 * static_cast<double>(sc.elements()) * static_cast<double>(k);
  return e;
}

std::vector<Finish> finishes(Type type) {
  auto relu = [](double x) { return x < 0 ? 0 : x; };
  return {
      {"bias_relu",
       "max(c + b, 0)",
       {{type, {37}}},
       {"b"},
       [=](std::span<const Array> operands, Array& c) {
         for (int64_t i = 0; i < c.shape.elements(); ++i) c[i] = relu(c[i] + operands[0][i % 37]);
       }},
      {"rows",
       "c * r",
       {{type, {19, 1}}},
       {"r"},
       [](std::span<const Array> operands, Array& c) {
         for (int64_t i = 0; i < c.shape.elements(); ++i) c[i] *= operands[0][i / 37 % 19];
       }},
      {"residual",
       "max(c + b + x, 0)",
       {{type, {37}}, {type, {19, 37}, -2, 2, {}, {1, 0}}},
       {"b", "x"},
       [=](std::span<const Array> operands, Array& c) {
         for (int64_t i = 0; i < c.shape.elements(); ++i)
           c[i] = relu(c[i] + operands[0][i % 37] + operands[1][i % (19 * 37)]);
       }},
  };
}

}  // namespace

void matmul_cases(Cases& cases) {
  const Matmul plain[] = {
      {"one", Type::f32, {1, 1}, {1, 1}},
      {"k1", Type::f32, {5, 1}, {1, 9}},
      {"odd", Type::f32, {19, 23}, {23, 37}},
      {"row", Type::f32, {1, 67}, {67, 129}},
      {"column", Type::f32, {67, 33}, {33, 1}},
      {"few_rows", Type::f32, {7, 300}, {300, 65}},
      {"long_k", Type::f32, {13, 2500}, {2500, 17}},
      {"wide", Type::f32, {130, 70}, {70, 100}},
      {"ta", Type::f32, {23, 19}, {23, 37}, {}, {}, {}, true, false},
      {"tb", Type::f32, {19, 23}, {37, 23}, {}, {}, {}, false, true},
      {"ta_tb", Type::f32, {23, 19}, {37, 23}, {}, {}, {}, true, true},
      {"tc", Type::f32, {19, 23}, {23, 37}, {}, {}, {1, 0}},
      {"batch", Type::f32, {3, 19, 23}, {3, 23, 37}},
      {"batch_tb", Type::f32, {2, 3, 9, 40}, {2, 3, 21, 40}, {}, {}, {}, false, true},
      {"b_repeats", Type::f32, {4, 3, 9, 20}, {20, 33}},
      {"a_repeats", Type::f32, {1, 9, 20}, {5, 20, 33}},
      {"cross", Type::f32, {4, 1, 9, 20}, {1, 5, 20, 33}},
      {"many_batches", Type::f32, {2, 1, 2, 1, 2, 3, 5}, {1, 3, 2, 2, 2, 5, 4}},
      {"permuted", Type::f32, {3, 2, 9, 20}, {3, 2, 20, 17}, {2, 0, 1, 3}, {1, 3, 0, 2}, {0, 2, 1, 3}},
      {"pitch", Type::f32, {50, 1024}, {1024, 390}},  // rows of a 4096 bytes apart: vector.cpp spreads them
      {"pitch_tb", Type::f32, {50, 1024}, {390, 1024}, {}, {}, {}, false, true},
      {"pitch_batch", Type::f32, {2, 50, 1024}, {2, 1024, 390}},
      {"pitch_a_repeats", Type::f32, {1, 50, 1024}, {2, 1024, 390}},
      {"pitch_f64", Type::f64, {50, 512}, {512, 195}},
      {"empty_k", Type::f32, {3, 0}, {0, 5}},
      {"empty_m", Type::f32, {0, 4}, {4, 5}},
      {"empty_batch", Type::f32, {0, 3, 4}, {4, 5}},
      {"f64", Type::f64, {19, 70}, {70, 37}},
      {"f64_ta", Type::f64, {70, 19}, {70, 37}, {}, {}, {}, true, false},
      {"f16", Type::f16, {19, 70}, {70, 37}},
      {"f16_tb", Type::f16, {19, 70}, {37, 70}, {}, {}, {}, false, true},
      {"f16_long_k", Type::f16, {9, 1100}, {1100, 37}},
      {"bf16", Type::bf16, {19, 70}, {70, 37}},
      {"bf16_ta", Type::bf16, {70, 19}, {70, 37}, {}, {}, {}, true, false},
      {"integer", Type::i32, {19, 70}, {70, 37}},
      {"integer", Type::i64, {9, 30}, {30, 7}},
      {"integer", Type::u8, {9, 3}, {3, 7}},
      {"integer", Type::i16, {9, 30}, {30, 7}},
  };
  for (const auto& m : plain)
    for (auto family : families)
      if (computes(family, m.type, logical(m.a, m.transpose_a)[m.a.rank() - 1],
                   logical(m.b, m.transpose_b)[m.b.rank() - 1]))
        cases.push_back(example(m, family));
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64})
    for (const auto& finish : finishes(type))
      for (auto family : families)
        if (family != "tile" ||
            (type == Type::f32 && finish.name == "residual"))  // each a program that takes seconds to build
          cases.push_back(example({"odd", type, {19, 23}, {23, 37}}, family, finish));
  for (const auto& finish : finishes(Type::f32))
    for (auto family : families)
      if (family != "tile" || finish.name == "residual")
        cases.push_back(example({"batch", Type::f32, {3, 19, 600}, {3, 600, 37}}, family, finish));

  // What a family refuses goes on to the next that takes it, and in the end to `naive`.
  auto refused = example({"refused", Type::i32, {5, 6}, {6, 7}}, "");
  refused.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    for (auto family : {"tile", "vector", "depthwise"}) {
      ForceFamily force(family);
      matmul(exec, in[0], in[1], out[0]);
      if (ForceFamily::last_run() != "naive") fail(Code::internal, "{} took integers", ForceFamily::last_run());
    }
  };
  cases.push_back(refused);

  for (int64_t n : {512, 1024}) {
    auto e = example({"square", Type::f32, {n, n}, {n, n}}, "");
    e.benchmark_only = true;
    cases.push_back(e);
  }
  const Matmul large[] = {
      {"dense_forward", Type::f32, {128, 3136}, {3136, 128}},
      {"dense_dw", Type::f32, {128, 3136}, {128, 128}, {}, {}, {}, true, false},
      {"dense_dx", Type::f32, {128, 128}, {3136, 128}, {}, {}, {}, false, true},
      {"batch_1", Type::f32, {1, 1024}, {1024, 1024}},
      {"lstm", Type::f32, {32, 128}, {128, 512}},
      {"attention", Type::f32, {8, 8, 128, 64}, {8, 8, 128, 64}, {}, {}, {}, false, true},
  };
  for (const auto& m : large) {
    auto e = example(m, "");
    e.benchmark_only = true;
    cases.push_back(e);
  }
}

}  // namespace ocldnn::check
