#include "ocldnn/scan.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

template <Scan operation>
class Cumulative : public Kernel {
 public:
  explicit Cumulative(const Attrs& attrs) : exclusive_(attrs.flag("exclusive")), reverse_(attrs.flag("reverse")) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    if (x.rank() == 0 && !exclusive_) return context.set_output(0, x);
    const int axis = axis_of("Cumulative", context.integer(1), x.rank());
    scan(context.exec(), operation, x, axis, exclusive_, reverse_, context.output(0, x.shape));
  }

 private:
  bool exclusive_, reverse_;
};

}  // namespace

void register_scans(const Registrar& r) {
  static constexpr Type summed_list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8,  Type::i16,
                                      Type::i32, Type::i64, Type::u8,   Type::u16, Type::u32, Type::u64};
  const Types summed(summed_list);
  r.add<Cumulative<Scan::sum>>("Cumsum", {.types = summed, .host = {"axis"}});
  r.add<Cumulative<Scan::product>>("Cumprod", {.types = summed, .host = {"axis"}});
  r.add<Cumulative<Scan::log_sum_exp>>("CumulativeLogsumexp", {.types = floats, .host = {"axis"}});
}

}  // namespace ocldnn::tf
