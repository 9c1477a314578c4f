#include "ocldnn/random.hpp"

#include <mutex>
#include <numeric>
#include <random>

#include "api/registrar.hpp"
#include "ocldnn/index.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

using Draw = void (*)(Queue&, const RandomSource&, const View&);

/// The generator of a stateful op: one a node, started by its seeds, by chance where both are 0. What a run uses is
/// reserved before it starts, as TensorFlow's CPU kernels reserve it.
class NodeGenerator {
 public:
  explicit NodeGenerator(const Attrs& attrs) {
    auto seed = static_cast<uint64_t>(attrs.integer("seed")), seed2 = static_cast<uint64_t>(attrs.integer("seed2"));
    if (seed == 0 && seed2 == 0) {
      std::random_device chance;
      seed = uint64_t{chance()} << 32 | chance();
      seed2 = uint64_t{chance()} << 32 | chance();
    }
    state_ = Philox::seeded(seed, seed2);
  }
  /// The state before `count` blocks of four words are taken away.
  Philox reserve(uint64_t count) const {
    const std::lock_guard lock(mutex_);
    const auto before = state_;
    state_.skip(count);
    return before;
  }

 private:
  mutable std::mutex mutex_;
  mutable Philox state_;
};

template <Draw draw>
class StatefulReal : public Kernel {
 public:
  explicit StatefulReal(const Attrs& attrs) : generator_(attrs) {}
  void run(Context& context) const override {
    auto y = context.output(0, context.shape(0));
    draw(context.queue(), generator_.reserve(random_reserved(static_cast<uint64_t>(y.elements()))), y);
  }

 private:
  NodeGenerator generator_;
};

// The bounds of an integer op in host memory; unsigned ones travel in the same bits.
struct Bounds {
  uint64_t low, high;
};

uint64_t bound(const Tensor& t) {
  require(t.rank() == 0, "minval and maxval must be scalars, got shape {}", t.shape.text());
  switch (t.type) {
    case Type::i32: return static_cast<uint64_t>(int64_t{t.host<const int32_t>()[0]});
    case Type::u32: return t.host<const uint32_t>()[0];
    default: return t.host<const uint64_t>()[0];
  }
}

Bounds bounds(const Context& context, int first) {
  const auto low = context.input(first), high = context.input(first + 1);
  const Bounds result{bound(low), bound(high)};
  const bool is_signed_type = is_signed(low.type);
  const bool ordered =
      is_signed_type ? static_cast<int64_t>(result.low) < static_cast<int64_t>(result.high) : result.low < result.high;
  if (is_signed_type)
    require(ordered, "Need minval < maxval, got {} >= {}", static_cast<int64_t>(result.low),
            static_cast<int64_t>(result.high));
  else require(ordered, "Need minval < maxval, got {} >= {}", result.low, result.high);
  return result;
}

class RandomUniformInt : public Kernel {
 public:
  explicit RandomUniformInt(const Attrs& attrs) : generator_(attrs) {}
  void run(Context& context) const override {
    auto y = context.output(0, context.shape(0));
    if (y.elements() == 0) return;
    const auto [low, high] = bounds(context, 1);
    const auto state = generator_.reserve(random_reserved(static_cast<uint64_t>(y.elements())));
    random_integers(context.queue(), state, low, high, y);
  }

 private:
  NodeGenerator generator_;
};

// Key and counter, made of the seed in input 1 (first version of the stateless ops) in scratch memory, or inputs 1 and
// 2 (second version). They stay on the device.
template <bool from_seed>
RandomSource source_of(Context& context) {
  if constexpr (from_seed) {
    const auto exec = context.exec();
    const View key = exec.temporary(Type::u64, {1}), counter = exec.temporary(Type::u64, {2});
    random_key(exec.queue, context.input(1), key, counter);
    return {key, counter};
  } else {
    const auto key = context.input(1), counter = context.input(2);
    const auto algorithm = context.integer(3);
    require(algorithm == 1 || algorithm == 3,
            "Unsupported algorithm id: {}: only Philox (1) and auto_select (3) run on this device", algorithm);
    require(key.shape == Shape{1}, "key must have shape [1], not {}", key.shape.text());
    require(counter.rank() == 1 && counter.shape[0] >= 2, "counter must be a vector with length at least 2; got {}",
            counter.shape.text());
    return {key, counter};
  }
}

template <Draw draw, bool from_seed>
struct Stateless : Kernel {
  explicit Stateless(const Attrs&) {}
  void run(Context& context) const override {
    auto y = context.output(0, context.shape(0));
    draw(context.queue(), source_of<from_seed>(context), y);
  }
};

template <bool from_seed>
struct StatelessInt : Kernel {
  explicit StatelessInt(const Attrs&) {}
  void run(Context& context) const override {
    const auto [low, high] = bounds(context, from_seed ? 2 : 4);
    auto y = context.output(0, context.shape(0));
    random_integers(context.queue(), source_of<from_seed>(context), low, high, y);
  }
};

struct GetKeyCounter : Kernel {
  explicit GetKeyCounter(const Attrs&) {}
  void run(Context& context) const override {
    auto key = context.output(0, {1}), counter = context.output(1, {2});
    random_key(context.queue(), context.input(0), key, counter);
  }
};

/// The seed is in host memory: an op with int32 on the device going in and int32 in host memory coming out confuses
/// TensorFlow's eager runtime, which then copies from an address of the device as if it were one of the host.
struct GetKeyCounterAlg : Kernel {
  explicit GetKeyCounterAlg(const Attrs&) {}
  void run(Context& context) const override {
    auto seed = context.input(0), on_device = context.temporary(seed.type, seed.shape);
    auto key = context.output(0, {1}), counter = context.output(1, {2});
    context.queue().write(on_device.data, seed.data, seed.bytes());
    random_key(context.queue(), on_device, key, counter);
    context.output(2, {}).host<int32_t>()[0] = 1;
  }
};

struct GetAlg : Kernel {
  explicit GetAlg(const Attrs&) {}
  void run(Context& context) const override { context.output(0, {}).host<int32_t>()[0] = 1; }
};

/// The permutation is drawn on the host, as TensorFlow's CPU kernel draws it; the rows are gathered on the device.
class RandomShuffle : public Kernel {
 public:
  explicit RandomShuffle(const Attrs& attrs) : generator_(attrs) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int64_t n = x.rank() ? x.shape[0] : 1;
    if (n <= 1 || x.elements() <= 1) return context.set_output(0, x);
    auto state = generator_.reserve(static_cast<uint64_t>(n - 1 + 3) / 4);
    std::vector<int64_t> order(static_cast<size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::array<uint32_t, 4> words{};
    for (size_t i = 0; i + 1 < order.size(); ++i) {
      if (i % 4 == 0) words = state.next();
      std::swap(order[i], order[i + words[i % 4] % static_cast<uint32_t>(order.size() - i)]);
    }
    auto indices = context.temporary(Type::i64, {n});
    context.queue().write(indices.data, order.data(), indices.bytes());
    gather(context.queue(), x, indices, 0, 0, context.output(0, x.shape));
  }

 private:
  NodeGenerator generator_;
};

}  // namespace

void register_random(const Registrar& r) {
  static constexpr Type word_list[]{Type::i32, Type::i64, Type::u32, Type::u64}, signed_list[]{Type::i32, Type::i64};
  static constexpr Types words{word_list}, signed_words{signed_list};
  const std::initializer_list<Constraint> reals{{"dtype", floats}};

  r.add<StatefulReal<random_uniform>>("RandomUniform", {.host = {"shape"}, .constraints = {{"dtype", floats}}});
  r.add<StatefulReal<random_normal>>("RandomStandardNormal", {.host = {"shape"}, .constraints = {{"dtype", floats}}});
  r.add<StatefulReal<random_truncated_normal>>("TruncatedNormal",
                                               {.host = {"shape"}, .constraints = {{"dtype", floats}}});
  r.add<RandomUniformInt>("RandomUniformInt",
                          {.host = {"shape", "minval", "maxval"}, .constraints = {{"Tout", signed_words}}});
  r.add<RandomShuffle>("RandomShuffle", {.types = all});

  // The seeds, keys and counters are device memory: a seed that is computed there causes no wait.
  r.add<Stateless<random_uniform, true>>("StatelessRandomUniform", {.host = {"shape"}, .constraints = reals});
  r.add<Stateless<random_normal, true>>("StatelessRandomNormal", {.host = {"shape"}, .constraints = reals});
  r.add<Stateless<random_truncated_normal, true>>("StatelessTruncatedNormal",
                                                  {.host = {"shape"}, .constraints = reals});
  r.add<Stateless<random_bits, true>>("StatelessRandomUniformFullInt",
                                      {.host = {"shape"}, .constraints = {{"dtype", words}}});
  r.add<StatelessInt<true>>("StatelessRandomUniformInt",
                            {.host = {"shape", "minval", "maxval"}, .constraints = {{"dtype", signed_words}}});

  r.add<Stateless<random_uniform, false>>("StatelessRandomUniformV2", {.host = {"shape", "alg"}, .constraints = reals});
  r.add<Stateless<random_normal, false>>("StatelessRandomNormalV2", {.host = {"shape", "alg"}, .constraints = reals});
  r.add<Stateless<random_truncated_normal, false>>("StatelessTruncatedNormalV2",
                                                   {.host = {"shape", "alg"}, .constraints = reals});
  r.add<Stateless<random_bits, false>>("StatelessRandomUniformFullIntV2",
                                       {.host = {"shape", "alg"}, .constraints = {{"dtype", words}}});
  r.add<StatelessInt<false>>("StatelessRandomUniformIntV2",
                             {.host = {"shape", "alg", "minval", "maxval"}, .constraints = {{"dtype", words}}});

  r.add<GetKeyCounter>("StatelessRandomGetKeyCounter", {.constraints = {{"Tseed", indices}}});
  r.add<GetKeyCounterAlg>("StatelessRandomGetKeyCounterAlg",
                          {.host = {"seed", "alg"}, .constraints = {{"Tseed", indices}}});
  r.add<GetAlg>("StatelessRandomGetAlg", {.host = {"alg"}, .untyped = true});
}

}  // namespace ocldnn::tf
