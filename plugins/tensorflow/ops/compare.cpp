#include "api/pointwise.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

constexpr Pointwise comparisons[]{
    {"Less(x, y)", "x < y", numbers},
    {"LessEqual(x, y)", "x <= y", numbers},
    {"Greater(x, y)", "x > y", numbers},
    {"GreaterEqual(x, y)", "x >= y", numbers},
    {"ApproximateEqual(x, y; tolerance)", "abs(x - y) < tolerance"},
    {"LogicalAnd(x, y)", "x && y", untyped},
    {"LogicalOr(x, y)", "x || y", untyped},
    {"LogicalNot(x)", "!x", untyped},
    {"SelectV2(condition, x, y)", "condition ? x : y", every},
};

/// Where shapes do not broadcast, `==` in Python asks for one false (and `!=` for one true) instead of an error.
class Equality : public Kernel {
 public:
  Equality(const Attrs& attrs, bool equal)
      : equal_(equal),
        shapes_must_match_(!attrs.has("incompatible_shape_error") || attrs.flag("incompatible_shape_error")) {}

  void run(Context& context) const override {
    const Tensor inputs[]{context.input(0), context.input(1)};
    auto op = equal_ ? "Equal" : "NotEqual";
    if (!shapes_must_match_ && !broadcastable(inputs[0].shape, inputs[1].shape)) {
      fill(context.queue(), context.output(0, {}), equal_ ? 0 : 1);
      return;
    }
    const Shape shapes[]{inputs[0].shape, inputs[1].shape};
    auto z = output_like(context, 0, broadcast_shapes(op, shapes), inputs);
    pointwise(context.queue(), op, compute_type(inputs[0].type), {{"x", inputs[0]}, {"y", inputs[1]}},
              {{z, equal_ ? "x == y" : "x != y"}});
  }

 private:
  static bool broadcastable(const Shape& a, const Shape& b) {
    for (int i = 1; i <= std::min(a.rank(), b.rank()); ++i) {
      auto m = a[a.rank() - i], n = b[b.rank() - i];
      if (m != n && m != 1 && n != 1) return false;
    }
    return true;
  }

  bool equal_, shapes_must_match_;
};

struct Equal : Equality {
  explicit Equal(const Attrs& attrs) : Equality(attrs, true) {}
};

struct NotEqual : Equality {
  explicit NotEqual(const Attrs& attrs) : Equality(attrs, false) {}
};

/// The older form: the condition has the shape of the others, or is a scalar, or a vector that chooses whole rows.
struct Select : Kernel {
  explicit Select(const Attrs&) {}
  void run(Context& context) const override {
    Tensor inputs[]{context.input(0), context.input(1), context.input(2)};
    const auto &condition = inputs[0], &x = inputs[1], &y = inputs[2];
    require(x.shape == y.shape, "Select: 'then' and 'else' must have the same size, but received: {} vs. {}",
            x.shape.text(), y.shape.text());
    View chosen = condition;
    if (condition.rank() == 1 && x.rank() > 1) {
      require(condition.shape[0] == x.shape[0],
              "Select: number of batches of 'then' must match size of 'cond', but saw: {} vs. {}", x.shape[0],
              condition.shape[0]);
      for (int i = 1; i < x.rank(); ++i) chosen = chosen.unsqueezed(i);
    } else {
      require(condition.rank() == 0 || condition.shape == x.shape,
              "Select: 'cond' must be a scalar, a vector, or of the shape {}, not {}", x.shape.text(),
              condition.shape.text());
    }
    auto z = output_like(context, 0, x.shape, inputs);
    pointwise(context.queue(), "Select", compute_type(x.type), {{"c", chosen}, {"x", x}, {"y", y}}, {{z, "c ? x : y"}});
  }
};

}  // namespace

void register_comparisons(const Registrar& registrar) {
  add_all<comparisons>(registrar);
  registrar.add<Equal>("Equal", {.types = all});
  registrar.add<NotEqual>("NotEqual", {.types = all});
  registrar.add<Select>("Select", {.types = every});
}

}  // namespace ocldnn::tf
