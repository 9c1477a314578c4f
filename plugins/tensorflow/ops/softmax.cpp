#include "ocldnn/softmax.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

template <bool is_log>
struct Softmax : Kernel {
  explicit Softmax(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    require(x.rank() >= 1, "{}: logits must have >= 1 dimension, got {}", is_log ? "LogSoftmax" : "Softmax",
            x.shape.text());
    auto y = context.output(0, x.shape, {0});
    (is_log ? log_softmax : softmax)(context.exec(), x, x.rank() - 1, y);
  }
};

/// Logits and labels broadcast together to [rows, classes].
struct SoftmaxCrossEntropyWithLogits : Kernel {
  explicit SoftmaxCrossEntropyWithLogits(const Attrs&) {}
  void run(Context& context) const override {
    auto logits = context.input(0), labels = context.input(1);
    const Shape both[]{logits.shape, labels.shape};
    auto shape = broadcast_shapes(op, both);
    require(shape.rank() == 2,
            "{}: logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional, got {} and {}", op,
            logits.shape.text(), labels.shape.text());
    auto loss = context.output(0, {shape[0]}), dlogits = context.output(1, shape, {0});
    softmax_cross_entropy(context.exec(), logits.broadcast_to(op, shape), labels.broadcast_to(op, shape), loss,
                          dlogits);
  }

 private:
  static constexpr const char* op = "SoftmaxCrossEntropyWithLogits";
};

/// A label out of range makes its row NaN, as TensorFlow's GPU kernel does.
struct SparseSoftmaxCrossEntropyWithLogits : Kernel {
  explicit SparseSoftmaxCrossEntropyWithLogits(const Attrs&) {}
  void run(Context& context) const override {
    constexpr const char* op = "SparseSoftmaxCrossEntropyWithLogits";
    auto logits = context.input(0), labels = context.input(1);
    require(logits.rank() == 2, "{}: logits must be 2-D, but got shape {}", op, logits.shape.text());
    require(labels.rank() == 1, "{}: labels must be 1-D, but got shape {}", op, labels.shape.text());
    require(logits.shape[0] == labels.shape[0],
            "{}: logits and labels must have the same first dimension, got logits shape {} and labels shape {}", op,
            logits.shape.text(), labels.shape.text());
    require(logits.shape[1] > 0, "{}: Must have at least one class, but got logits shape {}", op, logits.shape.text());
    auto loss = context.output(0, labels.shape), dlogits = context.output(1, logits.shape, {0});
    sparse_softmax_cross_entropy(context.exec(), logits, labels, loss, dlogits);
  }
};

}  // namespace

void register_softmax(const Registrar& registrar) {
  registrar.add<Softmax<false>>("Softmax");
  registrar.add<Softmax<true>>("LogSoftmax");
  registrar.add<SoftmaxCrossEntropyWithLogits>("SoftmaxCrossEntropyWithLogits");
  registrar.add<SparseSoftmaxCrossEntropyWithLogits>("SparseSoftmaxCrossEntropyWithLogits",
                                                     {.constraints = {{"T", floats}, {"Tlabels", indices}}});
}

}  // namespace ocldnn::tf
