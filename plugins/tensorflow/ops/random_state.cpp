// tf.random.Generator: ops that draw from a Philox state kept in a variable, an int64 [3] of counter and key.

#include "api/registrar.hpp"
#include "api/variables.hpp"
#include "ocldnn/random.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

constexpr int64_t philox = 1, automatic = 3;  // TensorFlow's numbers of its algorithms

/// The state before, copied out; the variable's moves on by what TensorFlow reserves for `outputs` numbers.
void take(Context& context, int64_t algorithm, uint64_t outputs, const View& before) {
  if (algorithm != philox && algorithm != automatic)
    fail(Code::unimplemented, "random generator: algorithm {} has no OpenCL kernel, only Philox (1)", algorithm);
  Variables variables(context, {0});
  auto state = variables.changed(0);
  require(state.type == Type::i64 && state.rank() == 1 && state.elements() >= 3,
          "random generator: the state must be int64 of shape [3], got {} {}", name(state.type), state.shape.text());
  random_read_and_skip(context.queue(), View(state.data, Type::i64, {3}), random_reserved(outputs), before);
}

struct RngReadAndSkip : Kernel {
  explicit RngReadAndSkip(const Attrs&) {}
  void run(Context& context) const override {
    auto delta = context.input(2);
    require(delta.elements() == 1, "RngReadAndSkip: delta must be a scalar");
    auto before = context.output(0, {3});
    take(context, context.integer(1), delta.host<const uint64_t>()[0], before);
  }
};

struct RngSkip : Kernel {
  explicit RngSkip(const Attrs&) {}
  void run(Context& context) const override {
    auto delta = context.integer(2);
    require(delta >= 0, "RngSkip: delta must be >= 0, got {}", delta);
    take(context, context.integer(1), static_cast<uint64_t>(delta), View(nullptr, Type::i64, {0}));
  }
};

/// Fills the output of the shape in input 2 from the state.
template <auto fill>
struct Stateful : Kernel {
  explicit Stateful(const Attrs&) {}
  void run(Context& context) const override {
    auto y = context.output(0, context.shape(2));
    if (y.elements() == 0) return;
    auto before = context.exec().temporary(Type::i64, {3});
    take(context, context.integer(1), static_cast<uint64_t>(y.elements()), before);
    auto* words = static_cast<char*>(before.data);
    fill(context, RandomSource(View(words + 16, Type::i64, {1}), View(words, Type::i64, {2})), y);
  }
};

void uniform(Context& context, const RandomSource& source, const View& y) {
  random_uniform(context.queue(), source, y);
}
void normal(Context& context, const RandomSource& source, const View& y) { random_normal(context.queue(), source, y); }
void truncated_normal(Context& context, const RandomSource& source, const View& y) {
  random_truncated_normal(context.queue(), source, y);
}
void full_integers(Context& context, const RandomSource& source, const View& y) {
  random_bits(context.queue(), source, y);
}

/// One element in host memory, its bits widened with its sign.
int64_t host_integer(const Tensor& tensor) {
  require(tensor.elements() == 1, "StatefulUniformInt: minval and maxval must be scalars");
  switch (tensor.type) {
    case Type::i32: return tensor.host<const int32_t>()[0];
    case Type::u32: return tensor.host<const uint32_t>()[0];
    default: return tensor.host<const int64_t>()[0];
  }
}

void integers_between(Context& context, const RandomSource& source, const View& y) {
  auto low = host_integer(context.input(3)), high = host_integer(context.input(4));
  bool ordered = is_signed(y.type) ? low < high : static_cast<uint64_t>(low) < static_cast<uint64_t>(high);
  require(ordered, "StatefulUniformInt: Need minval < maxval, got {} >= {}", low, high);
  random_integers(context.queue(), source, static_cast<uint64_t>(low), static_cast<uint64_t>(high), y);
}

constexpr Type drawn_integers_list[]{Type::i32, Type::i64, Type::u32, Type::u64};
constexpr Types drawn_integers(drawn_integers_list);

}  // namespace

void register_random_state(const Registrar& registrar) {
  registrar.add<RngReadAndSkip>("RngReadAndSkip", {.host = {"resource", "alg", "delta"}, .untyped = true});
  registrar.add<RngSkip>("RngSkip", {.host = {"resource", "algorithm", "delta"}, .untyped = true});
  const Where reals{.host = {"resource", "algorithm", "shape"}, .constraints = {{"dtype", floats}}};
  registrar.add<Stateful<uniform>>("StatefulUniform", reals);
  registrar.add<Stateful<normal>>("StatefulStandardNormalV2", reals);
  registrar.add<Stateful<truncated_normal>>("StatefulTruncatedNormal", reals);
  registrar.add<Stateful<full_integers>>("StatefulUniformFullInt", {.host = {"resource", "algorithm", "shape"},
                                                                    .constraints = {{"dtype", drawn_integers}}});
  registrar.add<Stateful<integers_between>>(
      "StatefulUniformInt",
      {.host = {"resource", "algorithm", "shape", "minval", "maxval"}, .constraints = {{"dtype", drawn_integers}}});
}

}  // namespace ocldnn::tf
