#include <cmath>

#include "check/case.hpp"
#include "ocldnn/random.hpp"

namespace ocldnn::check {
namespace {

// The algorithm in its plainest form, by 64-bit products and a wide counter.
class Words {
 public:
  Words(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) : counter_(counter), key_(key) {}
  uint32_t next() {
    if (at_ == 4) {
      block_ = block();
      for (int i = 0; i < 4 && ++counter_[static_cast<size_t>(i)] == 0; ++i) {
      }
      at_ = 0;
    }
    return block_[static_cast<size_t>(at_++)];
  }

 private:
  std::array<uint32_t, 4> block() const {
    auto c = counter_;
    auto k = key_;
    for (int round = 0; round < 10; ++round) {
      const uint64_t a = uint64_t{0xD2511F53} * c[0], b = uint64_t{0xCD9E8D57} * c[2];
      c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(b),
           static_cast<uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(a)};
      k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
    }
    return c;
  }
  std::array<uint32_t, 4> counter_, block_{};
  std::array<uint32_t, 2> key_;
  int at_ = 4;
};

// Near the end of the counter's lowest word, so that a carry is met.
const Philox state{{0xfffffffe, 7, 11, 13}, {0x12345678, 0x9abcdef0}};

using Draw = void (*)(Queue&, const RandomSource&, const View&);
using Reference = std::function<void(Array& y)>;

Example draws(const std::string& name, Type type, int64_t n, std::function<void(const Exec&, const View&)> run,
              Reference reference, double tolerance) {
  Example example;
  example.name = "random/" + name + "/" + std::string(ocldnn::name(type)) + "/" + std::to_string(n);
  example.outputs = {{.type = type, .shape = {n}, .tolerance = tolerance}};
  example.run = [run](const Exec& exec, std::span<const View>, std::span<const View> out) { run(exec, out[0]); };
  example.reference = [reference](std::span<const Array>, std::span<Array> out) { reference(out[0]); };
  example.bytes = static_cast<double>(n) * static_cast<double>(size_of(type));
  return example;
}

double unit(Words& words, Type type) {
  if (type == Type::f64) {
    const uint64_t high = words.next() & 0xfffff, low = words.next();
    return std::ldexp(static_cast<double>(high << 32 | low), -52);
  }
  const int digits = type == Type::f32 ? 23 : type == Type::f16 ? 10 : 7;
  return std::ldexp(words.next() & ((1u << digits) - 1), -digits);
}

// Two normal numbers; f16 and bf16 are made of float's.
std::array<double, 2> pair(Words& words, Type type) {
  const Type made = type == Type::f64 ? type : Type::f32;
  const double u = std::max(unit(words, made), 1e-7);
  double angle = 2 * 3.14159265358979323846 * unit(words, made);
  if (made == Type::f32) angle = static_cast<float>(angle);
  const double radius = std::sqrt(-2 * std::log(u));
  return {std::sin(angle) * radius, std::cos(angle) * radius};
}

void fill_normal(Array& y, bool truncate) {
  const int64_t each = y.type == Type::f64 ? 2 : 4;
  const int64_t n = y.shape.elements();
  for (int64_t first = 0; first < n; first += each) {
    auto start = state;
    start.skip(static_cast<uint64_t>(truncate ? first * 64 : first / each));
    Words words(start.counter, start.key);
    for (int64_t done = 0; done < each;)
      for (double value : pair(words, y.type))
        if (!truncate || std::fabs(value) < 2) {
          if (done < each && first + done < n) y[first + done] = value;
          ++done;
        }
  }
}

double ulps(Type type, double count) {
  return count * std::ldexp(1, type == Type::f64 ? -52 : type == Type::f32 ? -23 : type == Type::f16 ? -10 : -7);
}

void reals(Cases& cases, Type type, int64_t n) {
  cases.push_back(draws(
      "uniform", type, n, [](const Exec& exec, const View& y) { random_uniform(exec.queue, state, y); },
      [](Array& y) {
        Words words(state.counter, state.key);
        for (int64_t i = 0; i < y.shape.elements(); ++i) y[i] = unit(words, y.type);
      },
      0));
  cases.push_back(draws(
      "normal", type, n, [](const Exec& exec, const View& y) { random_normal(exec.queue, state, y); },
      [](Array& y) { fill_normal(y, false); }, ulps(type, 2)));
  cases.push_back(draws(
      "truncated", type, n, [](const Exec& exec, const View& y) { random_truncated_normal(exec.queue, state, y); },
      [](Array& y) { fill_normal(y, true); }, ulps(type, 2)));
}

}  // namespace

void random_cases(Cases& cases) {
  for (auto type : {Type::f32, Type::f16, Type::bf16, Type::f64}) {
    reals(cases, type, 1);
    reals(cases, type, 1003);
  }
  reals(cases, Type::f32, 1 << 20);
  for (auto type : {Type::i32, Type::u32})
    cases.push_back(draws(
        "bits", type, 1001, [](const Exec& exec, const View& y) { random_bits(exec.queue, state, y); },
        [](Array& y) {
          Words words(state.counter, state.key);
          for (int64_t i = 0; i < 1001; ++i) {
            const uint32_t word = words.next();
            y[i] = y.type == Type::i32 ? static_cast<double>(static_cast<int32_t>(word)) : word;
          }
        },
        0));
  cases.push_back(draws(
      "integers", Type::i32, 1001,
      [](const Exec& exec, const View& y) {
        random_integers(exec.queue, state, static_cast<uint64_t>(int64_t{-2000000000}), 2000000000, y);
      },
      [](Array& y) {
        Words words(state.counter, state.key);
        for (int64_t i = 0; i < 1001; ++i) y[i] = -2e9 + words.next() % 4000000000u;
      },
      0));
  cases.push_back(draws(
      "integers", Type::i64, 1001,
      [](const Exec& exec, const View& y) {
        random_integers(exec.queue, state, static_cast<uint64_t>(int64_t{-5}), int64_t{1} << 50, y);
      },
      [](Array& y) {
        Words words(state.counter, state.key);
        for (int64_t i = 0; i < 1001; ++i) {
          uint64_t word = words.next();
          word |= uint64_t{words.next()} << 32;
          y[i] = -5 + static_cast<double>(word % ((uint64_t{1} << 50) + 5));
        }
      },
      0));
  // A key made on the device, a generator kept there, and what is drawn from them.
  Example kept;
  kept.name = "random/kept";
  kept.inputs = {{.type = Type::i32, .shape = {2}, .values = {-7, 42}}};
  kept.outputs = {{.type = Type::u32, .shape = {9}, .tolerance = 0}};
  kept.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    const View state_view = exec.temporary(Type::i64, {3}), before = exec.temporary(Type::i64, {3});
    const View key = state_view.sliced(0, 2, 1), counter = state_view.sliced(0, 0, 2);
    random_key(exec.queue, in[0], key, counter);
    random_read_and_skip(exec.queue, state_view, 0x100000003, before);
    random_bits(exec.queue, RandomSource(key, counter), out[0]);
  };
  kept.reference = [](std::span<const Array>, std::span<Array> out) {
    Words mix({static_cast<uint32_t>(-7), 0xffffffff, 42, 0}, {0x3ec8f720, 0x02461e29});
    const std::array<uint32_t, 2> key{mix.next(), mix.next()};
    const std::array<uint32_t, 2> high{mix.next(), mix.next()};
    Words words({3, 1, high[0], high[1]}, key);
    for (int64_t i = 0; i < 9; ++i) out[0][i] = words.next();
  };
  cases.push_back(kept);
}

}  // namespace ocldnn::check
