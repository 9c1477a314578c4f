#include <cmath>
#include <limits>

#include "check/case.hpp"
#include "ocldnn/pool.hpp"

namespace ocldnn::check {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
const Dims nchw{0, 3, 1, 2};  // memory order of a tensor [N, H, W, C]

/// An op over windows: a name, the tensors' shapes and what a window does.
struct Setup {
  Pooling geometry;
  Shape x, y;
};

Setup setup(const Shape& x, const Dims& window, const Dims& stride, const Dims& before, const Dims& after) {
  Setup s{{window, stride, before, after}, x, {x[0]}};
  Dims spatial;
  for (int i = 1; i < x.rank() - 1; ++i) spatial.push_back(x[i]);
  for (auto size : pooled_size(s.geometry, spatial)) s.y.push_back(size);
  s.y.push_back(x[x.rank() - 1]);
  return s;
}

/// Calls f(index in y, index in x) for every element of every window, windows in order, and each in order.
template <class F>
void for_each_element(const Setup& s, F f) {
  const int spatial = s.x.rank() - 2;
  const int64_t channels = s.x[s.x.rank() - 1];
  for (int64_t out = 0; out < s.y.elements(); ++out) {
    Dims at;  // of out, innermost first
    for (int64_t rest = out, d = s.y.rank() - 1; d >= 0; rest /= s.y[static_cast<int>(d--)])
      at.push_back(rest % s.y[static_cast<int>(d)]);
    for (int64_t tap = 0; tap < s.geometry.window.elements(); ++tap) {
      int64_t in = 0, step = channels, rest = tap;
      bool inside = true;
      for (int d = spatial - 1; d >= 0; --d) {
        const int64_t k = rest % s.geometry.window[d];
        rest /= s.geometry.window[d];
        const int64_t i = at[spatial - d] * s.geometry.stride[d] - s.geometry.pad_before[d] + k;
        inside = inside && i >= 0 && i < s.x[d + 1];
        in += i * step;
        step *= s.x[d + 1];
      }
      if (inside) f(out, at[spatial + 1] * step + in + at[0]);
    }
  }
}

/// Index in x of each window's first largest element.
std::vector<int64_t> largest(const Setup& s, const Array& x) {
  std::vector<int64_t> best(static_cast<size_t>(s.y.elements()), -1);
  for_each_element(s, [&](int64_t out, int64_t in) {
    auto& b = best[static_cast<size_t>(out)];
    if (b < 0 || x[in] > x[b]) b = in;
  });
  return best;
}

std::string label(std::string_view op, Type type, const Setup& s, const Dims& order) {
  return fmt::format("{}/{}/{}/window{}/stride{}{}", op, name(type), s.x.text(), s.geometry.window.text(),
                     s.geometry.stride.text(), order.empty() ? "" : "/channels_first");
}

void set_traffic(Example& e) {
  for (const auto& in : e.inputs)
    e.bytes += static_cast<double>(in.shape.elements()) * static_cast<double>(size_of(in.type));
  for (const auto& out : e.outputs)
    e.bytes += static_cast<double>(out.shape.elements()) * static_cast<double>(size_of(out.type));
}

Example max_forward(Input x, const Setup& s) {
  Example e;
  e.name = label("max_pool", x.type, s, x.order);
  e.inputs = {x};
  e.outputs = {{x.type, s.y, 0, x.order}};
  e.run = [s](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    max_pool(exec, s.geometry, in[0], out[0]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    for (auto& v : out[0].values) v = nan;
    for_each_element(s, [&](int64_t o, int64_t i) { out[0][o] = std::fmax(out[0][o], in[0][i]); });
  };
  set_traffic(e);
  return e;
}

Example max_with_argmax(Input x, const Setup& s, Type index, bool with_batch) {
  Example e;
  e.name = label(with_batch ? "max_pool_with_argmax" : "max_pool_with_argmax_of_sample", x.type, s, x.order);
  e.inputs = {x};
  e.outputs = {{x.type, s.y, 0, x.order}, {index, s.y, 0, x.order}};
  e.run = [s, with_batch](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    max_pool_with_argmax(exec, s.geometry, in[0], out[0], out[1], with_batch);
  };
  e.reference = [s, with_batch](std::span<const Array> in, std::span<Array> out) {
    const auto best = largest(s, in[0]);
    const int64_t sample = s.x.elements() / std::max<int64_t>(s.x[0], 1);
    for (int64_t o = 0; o < s.y.elements(); ++o) {
      const auto i = best[static_cast<size_t>(o)];
      out[0][o] = in[0][i];
      out[1][o] = static_cast<double>(with_batch ? i : i % sample);
    }
  };
  return e;
}

Example max_gradient(Input x, const Setup& s) {
  Example e;
  e.name = label("max_pool_gradient", x.type, s, x.order);
  e.inputs = {x, {x.type, s.y, -2, 2, {}, x.order}};
  // Overlapping windows add up to as many terms as cover an element.
  e.outputs = {{x.type, s.x, -1, x.order}};
  e.run = [s](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    max_pool_gradient(exec, s.geometry, in[0], in[1], out[0]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    const auto best = largest(s, in[0]);
    for (auto& v : out[0].values) v = 0;
    for (int64_t o = 0; o < s.y.elements(); ++o) out[0][best[static_cast<size_t>(o)]] += in[1][o];
  };
  set_traffic(e);
  return e;
}

/// From places kept by the forward pass, run here too, so that they are whole.
Example argmax_gradient(Input x, const Setup& s, Type index, bool with_batch) {
  auto e = max_gradient(x, s);
  e.name = label(with_batch ? "max_pool_argmax_gradient" : "max_pool_argmax_gradient_of_sample", x.type, s, x.order);
  e.run = [s, index, with_batch](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const auto y = exec.temporary(in[0].type, s.y), places = exec.temporary(index, s.y);
    max_pool_with_argmax(exec, s.geometry, in[0], y, places, with_batch);
    max_pool_argmax_gradient(exec, s.geometry, places, with_batch, in[1], out[0]);
  };
  e.bytes = 0;
  return e;
}

Example max_second_gradient(Input x, const Setup& s) {
  Example e;
  e.name = label("max_pool_second_gradient", x.type, s, x.order);
  e.inputs = {x, {x.type, s.x, -2, 2, {}, x.order}};
  e.outputs = {{x.type, s.y, 0, x.order}};
  e.run = [s](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    max_pool_second_gradient(exec, s.geometry, in[0], in[1], out[0]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    const auto best = largest(s, in[0]);
    for (int64_t o = 0; o < s.y.elements(); ++o) out[0][o] = in[1][best[static_cast<size_t>(o)]];
  };
  return e;
}

std::vector<double> counts(const Setup& s) {
  std::vector<double> count(static_cast<size_t>(s.y.elements()), 0);
  for_each_element(s, [&](int64_t o, int64_t) { ++count[static_cast<size_t>(o)]; });
  return count;
}

Example mean_forward(Type type, const Setup& s, const Dims& order) {
  Example e;
  e.name = label("avg_pool", type, s, order);
  e.inputs = {{type, s.x, -2, 2, {}, order}};
  e.outputs = {{type, s.y, -1, order}};
  e.run = [s](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    avg_pool(exec, s.geometry, in[0], out[0]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    const auto count = counts(s);
    for (auto& v : out[0].values) v = 0;
    for_each_element(s, [&](int64_t o, int64_t i) { out[0][o] += in[0][i] / count[static_cast<size_t>(o)]; });
  };
  set_traffic(e);
  return e;
}

Example mean_gradient(Type type, const Setup& s, const Dims& order) {
  Example e;
  e.name = label("avg_pool_gradient", type, s, order);
  e.inputs = {{type, s.y, -2, 2, {}, order}};
  e.outputs = {{type, s.x, -1, order}};
  e.run = [s](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    avg_pool_gradient(exec, s.geometry, in[0], out[0]);
  };
  e.reference = [s](std::span<const Array> in, std::span<Array> out) {
    const auto count = counts(s);
    for (auto& v : out[0].values) v = 0;
    for_each_element(s, [&](int64_t o, int64_t i) { out[0][i] += in[0][o] / count[static_cast<size_t>(o)]; });
  };
  set_traffic(e);
  return e;
}

void add_all(Cases& cases, Type type, const Setup& s, const Dims& order) {
  const Input x{type, s.x, -2, 2, {}, order};
  cases.push_back(max_forward(x, s));
  cases.push_back(max_gradient(x, s));
  cases.push_back(max_second_gradient(x, s));
  cases.push_back(max_with_argmax(x, s, Type::i64, true));
  cases.push_back(argmax_gradient(x, s, Type::i64, true));
  cases.push_back(mean_forward(type, s, order));
  cases.push_back(mean_gradient(type, s, order));
}

}  // namespace

void pool_cases(Cases& cases) {
  const auto plain = setup({2, 6, 8, 19}, {2, 2}, {2, 2}, {0, 0}, {0, 0});
  const auto overlapping = setup({1, 7, 5, 3}, {3, 3}, {2, 2}, {1, 1}, {1, 1});
  for (const auto& order : {Dims{}, nchw}) {
    add_all(cases, Type::f32, plain, order);
    add_all(cases, Type::f32, overlapping, order);
  }
  for (auto type : {Type::f64, Type::f16, Type::bf16}) add_all(cases, type, plain, {});
  const Setup odd[] = {
      setup({2, 9, 17}, {3}, {1}, {1}, {0}),                                // one dimension
      setup({1, 5, 6, 7, 16}, {2, 3, 2}, {2, 1, 3}, {0, 1, 1}, {1, 1, 0}),  // three
      setup({2, 9, 9, 4}, {2, 2}, {3, 4}, {0, 0}, {0, 0}),                  // gaps between windows
      setup({1, 8, 8, 33}, {5, 5}, {1, 1}, {2, 2}, {2, 2}),                 // many windows an element
      setup({3, 7, 7, 40}, {7, 7}, {7, 7}, {0, 0}, {0, 0}),                 // one window
      setup({2, 4, 4, 1}, {2, 3}, {2, 1}, {1, 0}, {0, 2}),                  // uneven padding, one channel
      setup({0, 4, 4, 3}, {2, 2}, {2, 2}, {0, 0}, {0, 0}),                  // empty batch
      setup({2, 4, 4, 0}, {2, 2}, {2, 2}, {0, 0}, {0, 0}),                  // no channels
      setup({1, 2, 2, 5}, {3, 3}, {1, 1}, {0, 0}, {0, 0}),                  // no window fits: dx is 0
  };
  for (const auto& s : odd) add_all(cases, Type::f32, s, {});
  for (auto type : {Type::i32, Type::i8, Type::i64, Type::u16}) {
    const auto s = setup({1, 5, 6, 18}, {2, 3}, {2, 2}, {1, 0}, {0, 1});
    const Input x{type, s.x, is_signed(type) ? -100.0 : 0.0, 100};
    cases.push_back(max_forward(x, s));
    cases.push_back(max_gradient({type, s.x, 0, 20}, s));
  }
  const auto pair = setup({2, 4, 4, 6}, {2, 2}, {2, 2}, {0, 0}, {0, 0});
  const Input ties{Type::f32, pair.x, -0.5, 0.5, std::vector<double>(static_cast<size_t>(pair.x.elements()), 1)};
  cases.push_back(max_gradient(ties, pair));
  cases.push_back(max_with_argmax(ties, pair, Type::i32, false));
  cases.push_back(argmax_gradient({Type::f32, pair.x}, pair, Type::i32, false));
  const auto few = setup({4, 2, 2, 1}, {2, 2}, {2, 2}, {0, 0}, {0, 0});
  const Input extremes{
      Type::f32,
      few.x,
      0,
      0,
      {nan, 1, 2, 3, 3, nan, 2, 1, -infinity, -infinity, -infinity, -infinity, infinity, 1e38, -1e38, nan}};
  cases.push_back(max_forward(extremes, few));
  cases.push_back(max_gradient(extremes, few));
  cases.push_back(max_with_argmax(extremes, few, Type::i64, true));
  const auto one = setup({1, 2, 2, 1}, {2, 2}, {2, 2}, {0, 0}, {0, 0});
  cases.push_back(max_forward({Type::f32, one.x, 0, 0, std::vector<double>(4, nan)}, one));
  // The demo's layers, as benchmarks.
  for (auto [size, channels] : {std::pair{28, 32}, std::pair{14, 64}}) {
    const auto s = setup({128, size, size, channels}, {2, 2}, {2, 2}, {0, 0}, {0, 0});
    for (auto e : {max_forward({Type::f32, s.x}, s), max_gradient({Type::f32, s.x}, s)}) {
      e.benchmark_only = true;
      cases.push_back(e);
    }
  }
}

}  // namespace ocldnn::check
