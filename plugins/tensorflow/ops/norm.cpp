#include "ocldnn/norm.hpp"

#include "api/registrar.hpp"
#include "ocldnn/pointwise.hpp"
#include "ops/register.hpp"
#include "ops/window.hpp"

namespace ocldnn::tf {
namespace {

/// What FusedBatchNorm and its gradient share. The reserve spaces hold the batch's mean and its variance (over the
/// count), as TensorFlow's CPU kernel has it; the third, which only cuDNN needs, is empty.
class BatchNorm : public Kernel {
 public:
  explicit BatchNorm(const Attrs& attrs)
      : epsilon_(attrs.real("epsilon")),
        training_(attrs.flag("is_training")),
        channels_first_(channels_first("FusedBatchNorm", attrs)) {}

 protected:
  /// x as [N, spatial..., C], by its strides.
  View channels_last(const View& x) const {
    require(x.rank() == 4 || x.rank() == 5, "FusedBatchNorm: input must be 4-dimensional or 5-dimensional, got {}",
            x.shape.text());
    return channels_first_ ? channels_moved_last(x) : x;
  }

  /// One number a channel, [C], as the library wants it: [1, ..., 1, C].
  static View by_channel(const View& values, const View& x, std::string_view what) {
    const auto channels = x.shape[x.rank() - 1];
    require(values.rank() == 1, "FusedBatchNorm: {} must be 1-dimensional, got {}", what, values.shape.text());
    require(values.shape[0] == channels,
            "FusedBatchNorm: {} must have the same number of elements as the channels of x, got {} and {}", what,
            values.shape[0], channels);
    auto shape = Shape::filled(x.rank(), 1);
    shape[x.rank() - 1] = channels;
    return values.reshaped(shape);
  }

  double epsilon_;
  bool training_;

 private:
  bool channels_first_;
};

/// Inputs x, scale, offset, mean, variance; outputs y, mean, variance, two reserve spaces, and the third in V3.
class FusedBatchNorm : public BatchNorm {
 public:
  explicit FusedBatchNorm(const Attrs& attrs) : BatchNorm(attrs), factor_(attrs.real("exponential_avg_factor")) {}

  void run(Context& context) const override {
    Tensor inputs[]{context.input(0), context.input(1), context.input(2), context.input(3), context.input(4)};
    auto x = channels_last(inputs[0]);
    auto gamma = by_channel(inputs[1], x, "scale"), beta = by_channel(inputs[2], x, "offset");
    View old_mean, old_variance;
    if (!training_ || factor_ != 1) {
      const std::string when = training_ ? "when exponential_avg_factor != 1, " : "when is_training=false, ";
      old_mean = by_channel(inputs[3], x, when + "mean");
      old_variance = by_channel(inputs[4], x, when + "variance");
    }
    auto y = context.output(0, inputs[0].shape, {0});
    const Shape channels{x.shape[x.rank() - 1]};
    Tensor stats[]{context.output(1, channels), context.output(2, channels), context.output(3, channels),
                   context.output(4, channels)};
    if (context.outputs() > 5) context.output(5, {0});
    View mean = by_channel(stats[0], x, "mean"), variance = by_channel(stats[1], x, "variance");
    View saved_mean = by_channel(stats[2], x, "mean"), saved_variance = by_channel(stats[3], x, "variance");

    if (x.elements() == 0) return without_data(context, {mean, variance}, {saved_mean, saved_variance});
    if (!training_) {
      normalize_by(context.exec(), x, old_mean, old_variance, gamma, beta, epsilon_, channels_last(y));
      pointwise(context.queue(), op, mean.type, {{"m", old_mean}, {"v", old_variance}},
                {{mean, "m"}, {variance, "v"}, {saved_mean, "m"}, {saved_variance, "v"}});
      return;
    }
    normalize(context.exec(), x, gamma, beta, epsilon_, channels_last(y), saved_mean, saved_variance);
    update(context.queue(), x.elements() / channels[0], saved_mean, saved_variance, old_mean, old_variance, mean,
           variance);
  }

 private:
  static constexpr const char* op = "FusedBatchNorm";

  /// Nothing to learn from: the running statistics become NaN, as in TensorFlow.
  static void without_data(Context& context, std::initializer_list<View> running, std::initializer_list<View> saved) {
    if ((*running.begin()).elements() == 0) return;
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& view : running) pointwise(context.queue(), op, view.type, {}, {{view, "value"}}, {{"value", nan}});
    for (const auto& view : saved) fill(context.queue(), view, 0);
  }

  /// Running statistics: the new ones mixed into the old, the variance over count - 1.
  void update(Queue& queue, int64_t count, const View& batch_mean, const View& batch_variance, const View& old_mean,
              const View& old_variance, const View& mean, const View& variance) const {
    const Scalar correction{"correction",
                            static_cast<double>(count) / static_cast<double>(std::max<int64_t>(count - 1, 1))};
    if (factor_ == 1)
      return pointwise(queue, op, mean.type, {{"m", batch_mean}, {"v", batch_variance}},
                       {{mean, "m"}, {variance, "v * correction"}}, {correction});
    pointwise(queue, op, mean.type,
              {{"m", batch_mean}, {"v", batch_variance}, {"old_mean", old_mean}, {"old_variance", old_variance}},
              {{mean, "(1 - factor) * old_mean + factor * m"},
               {variance, "(1 - factor) * old_variance + factor * correction * v"}},
              {correction, {"factor", factor_}});
  }

  double factor_;
};

/// Inputs dy, x, scale and the reserve spaces (population mean and variance where not training).
struct FusedBatchNormGrad : BatchNorm {
  using BatchNorm::BatchNorm;
  void run(Context& context) const override {
    Tensor inputs[]{context.input(0), context.input(1), context.input(2), context.input(3), context.input(4)};
    require(inputs[0].shape == inputs[1].shape,
            "FusedBatchNormGrad: x and y_backprop must have same shape, but x has shape {} and y_backprop has shape {}",
            inputs[1].shape.text(), inputs[0].shape.text());
    auto dy = channels_last(inputs[0]), x = channels_last(inputs[1]);
    auto gamma = by_channel(inputs[2], x, "scale"), mean = by_channel(inputs[3], x, "mean"),
         variance = by_channel(inputs[4], x, "variance");
    const auto& channels = inputs[2].shape;
    auto dx = context.output(0, inputs[1].shape);
    Tensor sums[]{context.output(1, channels), context.output(2, channels)};
    context.output(3, {0});
    context.output(4, {0});
    (training_ ? normalize_gradient : normalize_by_gradient)(context.exec(), x, dy, mean, variance, gamma, epsilon_,
                                                             channels_last(dx), by_channel(sums[0], x, "scale"),
                                                             by_channel(sums[1], x, "offset"));
  }
};

using enum Type;
constexpr Type only_f32[]{f32}, halves_and_f32[]{f32, f16, bf16};

}  // namespace

void register_norm(const Registrar& registrar) {
  const Where mixed{.constraints = {{"T", halves_and_f32}, {"U", only_f32}}};
  registrar.add<FusedBatchNorm>("FusedBatchNorm", {.types = only_f32});
  registrar.add<FusedBatchNorm>("FusedBatchNormV2", mixed);
  registrar.add<FusedBatchNorm>("FusedBatchNormV3", mixed);
  registrar.add<FusedBatchNormGrad>("FusedBatchNormGrad", {.types = only_f32});
  registrar.add<FusedBatchNormGrad>("FusedBatchNormGradV2", mixed);
  registrar.add<FusedBatchNormGrad>("FusedBatchNormGradV3", mixed);
}

}  // namespace ocldnn::tf
