#include "ocldnn/in_top_k.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

struct InTopKV2 : Kernel {
  explicit InTopKV2(const Attrs&) {}
  void run(Context& context) const override {
    auto predictions = context.input(0), targets = context.input(1);
    require(predictions.rank() == 2, "InTopK: predictions must be 2-dimensional, got {}", predictions.shape.text());
    require(targets.rank() == 1, "InTopK: targets must be 1-dimensional, got {}", targets.shape.text());
    require(predictions.shape[0] == targets.shape[0],
            "InTopK: First dimension of predictions {} must match length of targets {}", predictions.shape[0],
            targets.shape[0]);
    auto result = context.output(0, targets.shape);
    in_top_k(context.exec(), predictions, targets, k(context), result);
  }

 protected:
  virtual int64_t k(const Context& context) const { return context.integer(2); }
};

/// The first version, whose k is an attribute.
class InTopK : public InTopKV2 {
 public:
  explicit InTopK(const Attrs& attrs) : InTopKV2(attrs), k_(attrs.integer("k")) {}

 protected:
  int64_t k(const Context&) const override { return k_; }

 private:
  int64_t k_;
};

}  // namespace

void register_in_top_k(const Registrar& registrar) {
  registrar.add<InTopK>("InTopK", {.types = indices});
  registrar.add<InTopKV2>("InTopKV2", {.types = indices, .host = {"k"}});
}

}  // namespace ocldnn::tf
