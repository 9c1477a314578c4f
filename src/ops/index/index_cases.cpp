#include "check/case.hpp"
#include "ocldnn/index.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn::check {
namespace {

std::string typed(std::string name, Type type) { return name + "/" + std::string(ocldnn::name(type)); }

// x [batch, outer, places, inner], indices [batch, count]; some indices lie outside.
Example gather_case(Type type, Type index, const Shape& x, int axis, int batch, int64_t count) {
  const auto product = [&](int begin, int end) {
    int64_t n = 1;
    for (int d = begin; d < end; ++d) n *= x[d];
    return n;
  };
  const int64_t batches = product(0, batch), outer = product(batch, axis), places = x[axis],
                inner = product(axis + 1, x.rank());
  Shape indices, y;
  for (int d = 0; d < axis; ++d) y.push_back(x[d]);
  for (int d = 0; d < batch; ++d) indices.push_back(x[d]);
  indices.push_back(count);
  y.push_back(count);
  for (int d = axis + 1; d < x.rank(); ++d) y.push_back(x[d]);
  Example example;
  example.name = typed("gather", type) + "/" + x.text() + "/" + std::to_string(axis);
  example.inputs = {{.type = type, .shape = x, .low = 0, .high = 100},
                    {.type = index, .shape = indices, .low = -1, .high = static_cast<double>(places)}};
  example.outputs = {{.type = type, .shape = y, .tolerance = 0}};
  example.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    gather(exec.queue, in[0], in[1], axis, batch, out[0]);
  };
  example.reference = [=](std::span<const Array> in, std::span<Array> out) {
    int64_t to = 0;
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t n = 0; n < count; ++n)
          for (int64_t k = 0; k < inner; ++k) {
            const auto place = static_cast<int64_t>(in[1][b * count + n]);
            const bool inside = place >= 0 && place < places;
            out[0][to++] = inside ? in[0][((b * outer + o) * places + place) * inner + k] : 0;
          }
  };
  example.bytes = 2.0 * static_cast<double>(y.elements()) * static_cast<double>(size_of(type));
  return example;
}

void gathers(Cases& cases) {
  for (auto type : {Type::f32, Type::u8, Type::bf16, Type::i64}) {
    cases.push_back(gather_case(type, Type::i32, {7, 5}, 0, 0, 9));
    cases.push_back(gather_case(type, Type::i64, {2, 3, 7, 4}, 2, 1, 5));
  }
  cases.push_back(gather_case(Type::f32, Type::i32, {11}, 0, 0, 70));
  cases.push_back(gather_case(Type::f32, Type::i32, {20000, 128}, 0, 0, 4096));
  Example nd;
  nd.name = "gather_nd/f32";
  nd.inputs = {{.shape = {3, 4, 5}}, {.type = Type::i32, .shape = {31, 2}, .low = -1, .high = 4}};
  nd.outputs = {{.shape = {31, 5}, .tolerance = 0}};
  nd.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    gather_nd(exec, in[0], in[1], 0, out[0]);
  };
  nd.reference = [](std::span<const Array> in, std::span<Array> out) {
    for (int64_t n = 0; n < 31; ++n)
      for (int64_t k = 0; k < 5; ++k) {
        const double a = in[1][2 * n], b = in[1][2 * n + 1];
        const bool inside = a >= 0 && a < 3 && b >= 0 && b < 4;
        out[0][n * 5 + k] = inside ? in[0][static_cast<int64_t>(a * 4 + b) * 5 + k] : 0;
      }
  };
  cases.push_back(nd);
}

double updated(Update update, double v, double u) {
  switch (update) {
    case Update::assign: return u;
    case Update::add: return v + u;
    case Update::subtract: return v - u;
    case Update::multiply: return v * u;
    case Update::divide: return v / u;
    case Update::minimum: return std::min(v, u);
    case Update::maximum: return std::max(v, u);
  }
  return 0;
}

// Twice as many updates as places, so that most are met more than once.
Example scatter_case(Update update, std::string_view word, Type type, Type index, int64_t places, int64_t rows,
                     int64_t inner) {
  Example example;
  example.name = typed("scatter_" + std::string(word), type) + "/" + Shape{places, rows, inner}.text();
  const bool integer = !is_floating(type);
  const double low = update == Update::divide || update == Update::multiply ? 0.5 : integer ? 0 : -2;
  example.inputs = {{.type = index, .shape = {rows}, .low = -1, .high = static_cast<double>(places)},
                    {.type = type, .shape = {rows, inner}, .low = low, .high = integer ? 9.0 : 2.0}};
  const bool exact = update == Update::assign || update == Update::minimum || update == Update::maximum || integer;
  const double ulp = type == Type::f32 ? 1e-6 : type == Type::f64 ? 1e-14 : type == Type::f16 ? 2e-3 : 2e-2;
  example.outputs = {{.type = type,
                      .shape = {places, inner},
                      .tolerance = exact ? 0 : 16 * ulp,
                      .initialised = true,
                      .low = integer ? 0.0 : -2.0,
                      .high = integer ? 9.0 : 2.0}};
  example.run = [=](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    scatter(exec, update, out[0], in[0], in[1]);
  };
  example.reference = [=](std::span<const Array> in, std::span<Array> out) {
    for (int64_t n = 0; n < rows; ++n) {
      const auto place = static_cast<int64_t>(in[0][n]);
      if (place < 0 || place >= places) continue;
      for (int64_t k = 0; k < inner; ++k) {
        auto& v = out[0][place * inner + k];
        v = updated(update, v, in[1][n * inner + k]);
      }
    }
  };
  example.bytes = 3.0 * static_cast<double>(rows * inner) * static_cast<double>(size_of(type));
  return example;
}

void scatters(Cases& cases) {
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64, Type::i32, Type::i64, Type::u8})
    cases.push_back(scatter_case(Update::add, "add", type, Type::i32, 5, 11, 13));
  for (auto type : {Type::f32, Type::u8, Type::i16, Type::i64, Type::boolean})
    cases.push_back(scatter_case(Update::assign, "assign", type, Type::i64, 5, 11, 19));
  cases.push_back(scatter_case(Update::add, "add", Type::f32, Type::i32, 5, 90, 150));
  cases.push_back(scatter_case(Update::assign, "assign", Type::i16, Type::i32, 5, 90, 150));
  cases.push_back(scatter_case(Update::subtract, "subtract", Type::f32, Type::i32, 9, 20, 1));
  cases.push_back(scatter_case(Update::multiply, "multiply", Type::f32, Type::i32, 9, 20, 3));
  cases.push_back(scatter_case(Update::divide, "divide", Type::f32, Type::i32, 9, 12, 3));
  cases.push_back(scatter_case(Update::minimum, "minimum", Type::f32, Type::i32, 9, 20, 17));
  cases.push_back(scatter_case(Update::maximum, "maximum", Type::i32, Type::i32, 9, 20, 17));
  cases.push_back(scatter_case(Update::add, "add", Type::f32, Type::i64, 700, 3000, 8));
  cases.push_back(scatter_case(Update::add, "add", Type::f32, Type::i32, 20000, 4096, 128));
  Example nd;
  nd.name = "scatter_nd/f32";
  nd.inputs = {{.type = Type::i32, .shape = {31, 2}, .low = -1, .high = 3}, {.shape = {31, 5}}};
  nd.outputs = {{.shape = {2, 3, 5}, .tolerance = 1e-5}};
  nd.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    fill(exec.queue, out[0], 0);
    scatter_nd(exec, Update::add, out[0], in[0], in[1]);
  };
  nd.reference = [](std::span<const Array> in, std::span<Array> out) {
    out[0].values.assign(30, 0);
    for (int64_t n = 0; n < 31; ++n) {
      const double a = in[0][2 * n], b = in[0][2 * n + 1];
      if (a < 0 || a >= 2 || b < 0 || b >= 3) continue;
      for (int64_t k = 0; k < 5; ++k) out[0][static_cast<int64_t>(a * 3 + b) * 5 + k] += in[1][n * 5 + k];
    }
  };
  cases.push_back(nd);
}

void segments(Cases& cases) {
  for (auto [update, word] : {std::pair{Update::add, "sum"},
                              {Update::maximum, "max"},
                              {Update::minimum, "min"},
                              {Update::multiply, "prod"}}) {
    Example example;
    example.name = std::string("segment/") + word;
    example.inputs = {{.type = Type::i32, .shape = {2, 6}, .low = -1, .high = 3}, {.shape = {2, 6, 7}}};
    example.outputs = {{.shape = {5, 7}, .tolerance = 1e-5}};  // the last segment is empty
    example.run = [update = update](const Exec& exec, std::span<const View> in, std::span<const View> out) {
      segment(exec, update, in[1], in[0], out[0]);
    };
    const double most = 0x1.fffffep127, neutral = update == Update::add        ? 0
                                                  : update == Update::multiply ? 1
                                                  : update == Update::maximum  ? -most
                                                                               : most;
    example.reference = [update = update, neutral](std::span<const Array> in, std::span<Array> out) {
      out[0].values.assign(35, neutral);
      for (int64_t n = 0; n < 12; ++n)
        for (int64_t k = 0; k < 7; ++k)
          if (in[0][n] >= 0) {
            auto& v = out[0][static_cast<int64_t>(in[0][n]) * 7 + k];
            v = updated(update, v, in[1][n * 7 + k]);
          }
    };
    cases.push_back(example);
  }
}

void selections(Cases& cases) {
  for (int axis : {0, 1, 2}) {
    Example example;
    example.name = "one_hot/" + std::to_string(axis);
    Shape shape{3, 5};
    Shape y;
    for (int d = 0; d < 3; ++d) y.push_back(d == axis ? 4 : shape[d - (d > axis)]);
    example.inputs = {{.type = Type::i64, .shape = shape, .low = -1, .high = 4},
                      {.shape = {}, .values = {2.5}},
                      {.shape = {}, .values = {-1}}};
    example.outputs = {{.shape = y, .tolerance = 0}};
    example.run = [axis](const Exec& exec, std::span<const View> in, std::span<const View> out) {
      one_hot(exec.queue, in[0], in[1], in[2], axis, out[0]);
    };
    example.reference = [axis](std::span<const Array> in, std::span<Array> out) {
      int64_t i = 0;
      const auto& s = out[0].shape;
      for (int64_t a = 0; a < s[0]; ++a)
        for (int64_t b = 0; b < s[1]; ++b)
          for (int64_t c = 0; c < s[2]; ++c) {
            const int64_t depth = axis == 0 ? a : axis == 1 ? b : c;
            const int64_t from = axis == 0 ? b * 5 + c : axis == 1 ? a * 5 + c : a * 5 + b;
            out[0][i++] = static_cast<int64_t>(in[0][from]) == depth ? 2.5 : -1;
          }
    };
    cases.push_back(example);
  }
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64, Type::boolean, Type::i64, Type::u8}) {
    Example example;
    example.name = typed("nonzero", type);
    std::vector<double> values;
    std::vector<int64_t> found;
    for (int64_t i = 0; i < 19 * 11; ++i) {
      const bool set = i % 3 == 1 || (i > 80 && i < 110);
      values.push_back(set ? (i % 5 ? 1 : 2) : is_floating(type) && i % 2 ? -0.0 : 0);
      if (set) found.push_back(i);
    }
    const auto count = static_cast<int64_t>(found.size());
    example.inputs = {{.type = type, .shape = {19, 11}, .values = values}};
    example.outputs = {{.type = Type::i64, .shape = {count, 2}, .tolerance = 0}};
    example.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
      const Nonzero nonzero(exec, in[0]);
      if (nonzero.count() == out[0].shape[0]) nonzero.coordinates(exec.queue, out[0]);
    };
    example.reference = [found](std::span<const Array>, std::span<Array> out) {
      for (size_t i = 0; i < found.size(); ++i) {
        out[0].values[2 * i] = static_cast<double>(found[i] / 11);
        out[0].values[2 * i + 1] = static_cast<double>(found[i] % 11);
      }
    };
    cases.push_back(example);
  }
}

}  // namespace

void index_cases(Cases& cases) {
  gathers(cases);
  scatters(cases);
  segments(cases);
  selections(cases);
}

}  // namespace ocldnn::check
