#include "ocldnn/sort.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

template <bool k_is_input>
class TopK : public Kernel {
 public:
  explicit TopK(const Attrs& attrs) : k_(k_is_input ? 0 : attrs.integer("k")) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int64_t k = k_is_input ? context.integer(1) : k_;
    require(k >= 0, "Need k >= 0, got {}", k);
    require(x.rank() >= 1, "input must be >= 1-D, got shape {}", x.shape.text());
    require(x.shape[x.rank() - 1] >= k, "input must have at least k columns. Had {}, needed {}", x.shape[x.rank() - 1], k);
    Shape shape = x.shape;
    shape[x.rank() - 1] = k;
    auto values = context.output(0, shape), indices = context.output(1, shape);
    top_k(context.exec(), x, values, indices);
  }

 private:
  int64_t k_;
};

}  // namespace

void register_sorts(const Registrar& r) {
  static constexpr Type list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8,  Type::i16,
                               Type::i32, Type::i64, Type::u8,   Type::u16, Type::u32, Type::u64};
  r.add<TopK<false>>("TopK", {.types = Types(list)});
  r.add<TopK<true>>("TopKV2", {.types = Types(list), .host = {"k"}});
}

}  // namespace ocldnn::tf
