// The pointwise engine itself: shapes, broadcasting, memory orders, types, several results, in place, exact 64-bit
// integers, and refusals.

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/case.hpp"
#include "ocldnn/pointwise.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn::check {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

// Index into a tensor of `shape` of the element that broadcasts to flat index i of `full`.
int64_t broadcast_index(const Shape& shape, const Shape& full, int64_t i) {
  int64_t at = 0, step = 1;
  for (int d = full.rank() - 1; d >= 0; --d) {
    const int own = d - (full.rank() - shape.rank());
    if (own >= 0) {
      if (shape[own] != 1) at += i % full[d] * step;
      step *= shape[own];
    }
    i /= full[d];
  }
  return at;
}

/// a * b - c of three shapes.
struct Layout {
  const char* name;
  Shape a, b, c;
  Dims order_a = {}, order_y = {};
};

Example layout(const Layout& row, Type type = Type::f32) {
  Example example;
  const Shape shapes[]{row.a, row.b, row.c};
  const Shape full = broadcast_shapes("layout", shapes);
  example.name = fmt::format("pointwise/layout/{}", row.name);
  example.inputs = {{type, row.a, -9, 9, {}, row.order_a}, {type, row.b, -9, 9}, {type, row.c, -9, 9}};
  example.outputs = {{type, full, is_floating(type) ? -1.0 : 0.0, row.order_y}};
  example.run = [type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    pointwise(exec.queue, "layout", compute_type(type), {{"a", in[0]}, {"b", in[1]}, {"c", in[2]}},
              {{out[0], "a * b - c"}});
  };
  example.reference = [full](std::span<const Array> in, std::span<Array> out) {
    for (int64_t i = 0; i < full.elements(); ++i) {
      double element[3];
      for (size_t k = 0; k < 3; ++k) element[k] = in[k][broadcast_index(in[k].shape, full, i)];
      out[0][i] = element[0] * element[1] - element[2];
    }
  };
  return example;
}

std::vector<Layout> layouts() {
  return {
      {"scalar", {}, {}, {}},
      {"one", {1}, {1, 1}, {}},
      {"empty", {0}, {1}, {}},
      {"empty/3x0x5", {3, 0, 5}, {5}, {1, 1}},
      {"flat/1", {1}, {1}, {1}},
      {"flat/15", {15}, {15}, {15}},
      {"flat/16", {16}, {16}, {16}},
      {"flat/1001", {1001}, {1001}, {1001}},
      {"flat/100003", {100003}, {100003}, {1}},
      {"scalar_operand", {33, 21}, {}, {1, 1}},
      {"row/37x19", {37, 19}, {19}, {1, 19}},
      {"column/37x19", {37, 19}, {37, 1}, {}},
      {"row_column", {1, 45}, {23, 1}, {23, 45}},
      {"outer_product", {1, 70}, {50, 1}, {}},
      {"short_rows/200x3", {200, 3}, {3}, {200, 1}},
      {"nchw_bias", {2, 5, 7, 9}, {5, 1, 1}, {1, 5, 1, 1}},
      {"nhwc_bias", {2, 7, 9, 5}, {5}, {2, 1, 1, 5}},
      {"alternating", {3, 1, 5, 1, 7}, {1, 4, 1, 6, 1}, {7}},
      {"alternating/long", {3, 1, 5, 1, 70}, {1, 4, 1, 6, 1}, {70}},
      {"rank8", {2, 1, 3, 1, 2, 1, 3, 1}, {1, 2, 1, 3, 1, 2, 1, 3}, {}},
      {"permuted/operand", {40, 50}, {40, 50}, {50}, {1, 0}},
      {"permuted/result", {40, 50}, {40, 50}, {50}, {}, {1, 0}},
      {"permuted/both", {6, 20, 7, 9}, {6, 20, 7, 9}, {20, 1, 1}, {0, 2, 3, 1}, {0, 2, 3, 1}},
      {"permuted/nhwc_to_nchw", {6, 20, 7, 9}, {}, {20, 1, 1}, {0, 2, 3, 1}},
  };
}

// What a value of `from` becomes in `to`, as C does on x86.
double converted(Type from, Type to, double x) {
  if (to == Type::boolean) return x != 0;
  if (is_floating(to)) return x;  // the harness rounds
  if (is_floating(from)) {
    const bool through_int = size_of(to) < 4 || to == Type::i32;
    const double limit = through_int ? 0x1p31 : 0x1p63;
    if (to == Type::u64 && x >= 0x1p63) return x < 0x1p64 ? std::trunc(x) : 0;
    if (to == Type::u64 && !(x >= -limit)) return 0x1p63;
    if (!(x >= -limit && x < limit)) x = -limit;
  }
  const auto whole = static_cast<int64_t>(x);
  switch (to) {
    case Type::i8: return static_cast<int8_t>(whole);
    case Type::i16: return static_cast<int16_t>(whole);
    case Type::i32: return static_cast<int32_t>(whole);
    case Type::u8: return static_cast<uint8_t>(whole);
    case Type::u16: return static_cast<uint16_t>(whole);
    case Type::u32: return static_cast<uint32_t>(whole);
    case Type::u64: return static_cast<double>(static_cast<uint64_t>(whole));
    default: return static_cast<double>(whole);
  }
}

// A value of `from` in every type.
Example casts(Type from) {
  std::vector<double> values{0, 1, 2, 3, 60, 100, 127};
  if (is_floating(from))
    values.insert(values.end(),
                  {-0.5, 0.5,   1.5, 2.5,  -2.7, 99.9,   6e-8, 1e-7, 65504, 65519, 65520,      1e5,
                   -300, 33000, 3e9, -3e9, 1e19, 1.5e19, 3e38, inf,  -inf,  nan,   1.00390625, 1.01171875});
  if (is_integer(from) && is_signed(from)) values.insert(values.end(), {-1, -2, -100, -128});
  if (size_of(from) >= 4 && is_integer(from)) values.insert(values.end(), {65536, 16777217, 2147483647, 33000});
  if (size_of(from) == 8 && is_integer(from)) values.insert(values.end(), {4294967297, 1e15});
  if (from == Type::boolean) values = {0, 1, 1, 0, 1};
  for (auto& value : values)
    if (from == Type::f16 && std::fabs(value) > 65504 && std::isfinite(value)) value = 65504;
  Example example;
  example.name = fmt::format("pointwise/casts/{}", name(from));
  const Shape shape{static_cast<int64_t>(values.size())};
  example.inputs = {{from, shape, 0, 0, values}};
  for (int to = 0; to < type_count; ++to) example.outputs.push_back({static_cast<Type>(to), shape, 0});
  example.run = [from](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand x{"x", in[0]};
    std::vector<Result> results;
    for (const auto& view : out) results.push_back({view, "x"});
    pointwise(exec.queue, "cast", compute_type(from), std::span(&x, 1), results);
  };
  example.reference = [from](std::span<const Array> in, std::span<Array> out) {
    for (auto& array : out)
      for (int64_t i = 0; i < array.shape.elements(); ++i) array[i] = converted(from, array.type, in[0][i]);
  };
  return example;
}

// Comparisons and conditions in every arithmetic, stored as booleans, and as numbers.
Example conditions(Type type) {
  Example example;
  const Shape shape{3, 41};
  example.name = fmt::format("pointwise/conditions/{}", name(type));
  const double low = is_floating(type) || is_signed(type) ? -3 : 0;
  const double high = type == Type::boolean ? 1 : 3;
  example.inputs = {{type, shape, low, high}, {type, {41}, low, high}, {Type::boolean, shape, 0, 1}};
  example.outputs = {{Type::boolean, shape, 0}, {Type::boolean, shape, 0}, {type, shape, 0}, {Type::f32, shape, 0}};
  example.run = [type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    pointwise(
        exec.queue, "conditions", compute_type(type), {{"x", in[0]}, {"y", in[1]}, {"c", in[2]}},
        {{out[0], "x < y"}, {out[1], "!c || x == y"}, {out[2], "c ? x : y"}, {out[3], "(x >= y) + (c && x != 0)"}});
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (int64_t i = 0; i < out[0].shape.elements(); ++i) {
      const double x = in[0][i], y = in[1][i % 41];
      const bool c = in[2][i] != 0;
      out[0][i] = x < y;
      out[1][i] = !c || x == y;
      out[2][i] = c ? x : y;
      out[3][i] = (x >= y) + (c && x != 0);
    }
  };
  return example;
}

// 64-bit integers beyond what a double holds, from scalars and in arithmetic.
Example exact_integers() {
  Example example;
  const Shape shape{37};
  example.name = "pointwise/exact_integers";
  example.inputs = {{Type::i64, shape, 0, 1000}, {Type::u64, shape, 0, 1000}};
  example.outputs = {{Type::i64, shape, 0}, {Type::i64, shape, 0}, {Type::u64, shape, 0}};
  example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand x{"x", in[0]}, y{"x", in[1]};
    const Result scaled[]{{out[0], "(x + big) % 1000"}, {out[1], "((x << 53) + 1) & 1023"}};
    const Scalar big{"big", (int64_t{1} << 60) + 7};
    pointwise(exec.queue, "exact", Type::i64, std::span(&x, 1), scaled, std::span(&big, 1));
    const Result unsigned_result{out[2], "(0 - x - 1) / 3 % 100003"};
    pointwise(exec.queue, "exact", Type::u64, std::span(&y, 1), std::span(&unsigned_result, 1));
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (int64_t i = 0; i < out[0].shape.elements(); ++i) {
      const auto x = static_cast<int64_t>(in[0][i]);
      out[0][i] = static_cast<double>((x + (int64_t{1} << 60) + 7) % 1000);
      out[1][i] = 1;
      out[2][i] = static_cast<double>((0 - static_cast<uint64_t>(in[1][i]) - 1) / 3 % 100003);
    }
  };
  return example;
}

// A result in the place of an operand, and a second one from the operands as they were: a step of momentum.
Example in_place(const Shape& shape) {
  Example example;
  example.name = fmt::format("pointwise/in_place/{}", shape.text());
  example.inputs = {{Type::f32, shape}};
  example.outputs = {{.type = Type::f32, .shape = shape, .initialised = true},
                     {.type = Type::f32, .shape = shape, .initialised = true}};
  example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const Operand operands[]{{"g", in[0]}, {"v", out[0]}, {"a", out[1]}};
    const Result results[]{{out[0], "v - rate * (momentum * a + g)"}, {out[1], "momentum * a + g"}};
    const Scalar scalars[]{{"rate", 0.1}, {"momentum", 0.9}};
    pointwise(exec.queue, "in_place", Type::f32, operands, results, scalars);
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (int64_t i = 0; i < out[0].shape.elements(); ++i) {
      out[1][i] = 0.9 * out[1][i] + in[0][i];
      out[0][i] -= 0.1 * out[1][i];
    }
  };
  return example;
}

// Elements so far apart that 32 bits do not index them, through the kernels' 64-bit class. Devices without room for
// that are handed neighbours.
Example far_apart() {
  Example example;
  const Shape shape{3};
  example.name = "pointwise/far_apart";
  example.inputs = {{Type::u8, shape, 0, 200}};
  example.outputs = {{Type::u8, shape, 0}, {Type::u8, {1}, 0}};
  example.run = [shape](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    auto& device = exec.queue.device();
    DeviceScratch scratch(device);
    int64_t step = (int64_t{1} << 30) + 5;
    void* memory = nullptr;
    try {
      memory = scratch.allocate(static_cast<size_t>(2 * step + 1));
    } catch (const Error& e) {
      if (e.code() != Code::out_of_memory) throw;
      memory = scratch.allocate(static_cast<size_t>(2 * (step = 1) + 1));
    }
    const View far(memory, Type::u8, shape, {step});
    const Operand x{"x", far};
    const Reduced greatest{out[1], Fold::max};
    pointwise(exec.queue, "far_apart", Type::u8, {{"x", in[0]}}, {{far, "x + 1"}});
    pointwise(exec.queue, "far_apart", Type::u8, {{"x", far}}, {{out[0], "x + 1"}});
    reduce(exec, "far_apart", Type::u8, shape, std::span(&x, 1), std::span(&greatest, 1));
    exec.queue.finish();
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (int64_t i = 0; i < 3; ++i) out[0][i] = in[0][i] + 2;
    out[1][0] = std::max({in[0][0], in[0][1], in[0][2]}) + 1;
  };
  return example;
}

// Faulty calls throw `invalid_argument` and leave the result alone.
Example refusals() {
  Example example;
  example.name = "pointwise/refusals";
  example.inputs = {{Type::f32, {5}}, {Type::f32, {3, 1}}};
  example.outputs = {{Type::f32, {5}, 0}};
  example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    auto refused = [&](Type compute, const View& x, const char* formula) {
      try {
        pointwise(exec.queue, "refusals", compute, {{"x", x}}, {{out[0], formula}});
      } catch (const Error& e) {
        if (e.code() == Code::invalid_argument) return;
      }
      fail(Code::internal, "\"{}\" was not refused", formula);
    };
    for (auto formula : {"", "x +", "x + z", "x * 0.5", "1.5 * x", "foo(x)", "exp(x, x)", "pow(x)", "(x", "x)", "x = 1",
                         "x; x", "2x", "x\n- x"})
      refused(Type::f32, in[0], formula);
    for (auto formula : {"exp(x)", "0.5f * x", "inf"}) refused(Type::i32, in[0], formula);
    for (auto formula : {"x & 1", "~x", "popcount(x)", "x << 1"}) refused(Type::f32, in[0], formula);
    refused(Type::f32, in[1], "x");  // [3,1] is no [5]
    pointwise(exec.queue, "refusals", Type::f32, {{"x", in[0]}}, {{out[0], "x"}});
  };
  example.reference = [](std::span<const Array> in, std::span<Array> out) { out[0] = in[0]; };
  return example;
}

Example bench(const char* name, Shape a, Shape b, const char* formula, Type type = Type::f32) {
  Example example;
  example.name = fmt::format("pointwise/bench/{}", name);
  example.inputs = {{type, a}, {type, b}};
  example.outputs = {{type, a}};
  example.run = [formula, type](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    pointwise(exec.queue, "bench", compute_type(type), {{"x", in[0]}, {"y", in[1]}}, {{out[0], formula}});
  };
  example.bytes = static_cast<double>((2 * a.elements() + b.elements()) * static_cast<int64_t>(size_of(type)));
  example.benchmark_only = true;
  return example;
}

}  // namespace

void pointwise_cases(Cases& cases) {
  for (const auto& row : layouts()) cases.push_back(layout(row));
  cases.push_back(layout({"nhwc_bias/f16", {2, 7, 9, 5}, {5}, {2, 1, 1, 5}}, Type::f16));
  cases.push_back(layout({"alternating/i32", {3, 1, 5, 1, 7}, {1, 4, 1, 6, 1}, {7}}, Type::i32));
  cases.push_back(layout({"row/i8", {37, 19}, {19}, {1, 19}}, Type::i8));
  for (int type = 0; type < type_count; ++type) {
    cases.push_back(casts(static_cast<Type>(type)));
    cases.push_back(conditions(static_cast<Type>(type)));
  }
  cases.push_back(exact_integers());
  cases.push_back(in_place({1000}));
  cases.push_back(in_place({7, 33}));
  cases.push_back(far_apart());
  cases.push_back(refusals());
  const Shape large{1 << 22};
  cases.push_back(bench("add/4M", large, large, "x + y"));
  cases.push_back(bench("add/1k", {1000}, {1000}, "x + y"));
  cases.push_back(bench("bias/65536x64", {65536, 64}, {64}, "x + y"));
  cases.push_back(
      bench("gelu_tanh/4M", large, {1}, "x * sigmoid(1.5957691216057308f * (x + 0.044715f * x * x * x)) + y"));
  cases.push_back(bench("add/f16/4M", large, large, "x + y", Type::f16));
}

}  // namespace ocldnn::check
