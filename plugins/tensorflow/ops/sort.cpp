#include "ocldnn/sort.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

struct TopKV2 : Kernel {
  explicit TopKV2(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int64_t k = context.integer(1);
    require(k >= 0, "Need k >= 0, got {}", k);
    require(x.rank() >= 1, "input must be >= 1-D, got shape {}", x.shape.text());
    require(x.shape[x.rank() - 1] >= k, "input must have at least k columns. Had {}, needed {}", x.shape[x.rank() - 1],
            k);
    Shape shape = x.shape;
    shape[x.rank() - 1] = k;
    auto values = context.output(0, shape), indices = context.output(1, shape);
    top_k(context.exec(), x, values, indices);
  }
};

}  // namespace

void register_sorts(const Registrar& r) {
  static constexpr Type list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8,  Type::i16,
                               Type::i32, Type::i64, Type::u8,   Type::u16, Type::u32, Type::u64};
  // TensorFlow cannot run the first version, TopK: its own CPU kernel asks for an attribute that the op lacks.
  r.add<TopKV2>("TopKV2", {.types = Types(list), .host = {"k"}});
}

}  // namespace ocldnn::tf
