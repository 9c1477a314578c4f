#include "ocldnn/reduction.hpp"

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

/// What a reduction leaves: `kept` has 1 for each reduced dimension, `shape` is the output's.
struct Remainder {
  Shape kept, shape;
};

Remainder remainder(std::string_view op, const Shape& x, const std::vector<int64_t>& axes, bool keep_dims) {
  Remainder result{x, {}};
  bool reduced[max_rank]{};
  for (auto axis : axes) {
    require(axis >= -x.rank() && axis < x.rank(), "{}: Invalid reduction dimension ({} for input with {} dimension(s))",
            op, axis, x.rank());
    auto i = axis_of(op, axis, x.rank());
    require(!reduced[i], "{}: Invalid reduction arguments: Axes contains duplicate dimension: {}", op, i);
    reduced[i] = true;
  }
  for (int i = 0; i < x.rank(); ++i) {
    if (reduced[i]) result.kept[i] = 1;
    if (!reduced[i] || keep_dims) result.shape.push_back(result.kept[i]);
  }
  return result;
}

/// An op with inputs (input, axes) and the attribute keep_dims.
struct Row {
  const char* op;
  Reduction reduction;
  Types types = numbers;
};

// A line an op.
// clang-format off
constexpr Row rows[]{
    {"Sum", reduction::sum},
    {"Mean", reduction::mean},
    {"EuclideanNorm", reduction::euclidean_norm, floats},
    {"Prod", reduction::product},
    {"Max", reduction::max},
    {"Min", reduction::min},
    {"All", reduction::all, untyped},
    {"Any", reduction::any, untyped},
};
// clang-format on

class Reduce : public Kernel {
 public:
  Reduce(const Row& row, const Attrs& attrs) : row_(row), keep_dims_(attrs.flag("keep_dims")) {}

  void run(Context& context) const override {
    auto x = context.input(0);
    auto left = remainder(row_.op, x.shape, context.integers(1), keep_dims_);
    auto y = context.output(0, left.shape);
    reduce(context.exec(), row_.op, row_.reduction, x, y.reshaped(left.kept));
  }

 private:
  const Row& row_;
  bool keep_dims_;
};

/// int32 in host memory: products and sums of shapes, so plain loops.
template <Fold fold>
class HostReduce : public Kernel {
 public:
  explicit HostReduce(const Attrs& attrs) : keep_dims_(attrs.flag("keep_dims")) {}

  void run(Context& context) const override {
    auto x = context.input(0);
    auto left = remainder(fold == Fold::prod ? "Prod" : "Sum", x.shape, context.integers(1), keep_dims_);
    auto y = context.output(0, left.shape);
    auto to = y.host<uint32_t>();  // wraps around
    std::fill(to.begin(), to.end(), fold == Fold::prod ? 1u : 0u);
    auto strides = dense_strides(left.kept);
    auto from = x.host<const uint32_t>();
    for (size_t i = 0; i < from.size(); ++i) {
      auto rest = static_cast<int64_t>(i), at = int64_t{0};
      for (int d = x.rank() - 1; d >= 0; rest /= x.shape[d--])
        at += left.kept[d] == 1 ? 0 : rest % x.shape[d] * strides[d];
      auto& total = to[static_cast<size_t>(at)];
      total = fold == Fold::prod ? total * from[i] : total + from[i];
    }
  }

 private:
  bool keep_dims_;
};

template <size_t... i>
void add_rows(const Registrar& registrar, std::index_sequence<i...>) {
  (registrar.add_row<Reduce, rows, i>(
       rows[i].op, {.types = rows[i].types, .host = {"reduction_indices"}, .untyped = rows[i].types.empty()}),
   ...);
}

template <Extreme extreme>
struct ArgReduce : Kernel {
  explicit ArgReduce(const Attrs&) {}
  void run(Context& context) const override {
    auto op = extreme == Extreme::max ? "ArgMax" : "ArgMin";
    auto x = context.input(0);
    require(x.rank() > 0, "{}: the input must have at least one dimension", op);
    auto axis = axis_of(op, context.integer(1), x.rank());
    require(x.shape[axis] > 0, "Reduction axis {} is empty in shape {}", axis, x.shape.text());
    Shape shape;
    for (int i = 0; i < x.rank(); ++i)
      if (i != axis) shape.push_back(x.shape[i]);
    arg_reduce(context.exec(), extreme, x, axis, context.output(0, shape));
  }
};

struct L2Loss : Kernel {
  explicit L2Loss(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto y = context.output(0, {});
    const Operand operands[]{{"x", x}};
    const Reduced results[]{{y.reshaped(Shape::filled(x.rank(), 1)), Fold::sum, "x * x", "r / 2"}};
    reduce(context.exec(), "L2Loss", compute_type(x.type), x.shape, operands, results);
  }
};

/// Hands its input on, once the device has said that no element is infinite or NaN: so the host waits.
struct CheckNumerics : Kernel {
  explicit CheckNumerics(const Attrs& attrs) : message(attrs.text("message")) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto found = context.temporary(Type::boolean, {2});
    auto ones = Shape::filled(x.rank(), 1);
    const Operand operands[]{{"x", x}};
    const Reduced results[]{{found.sliced(0, 0, 1).reshaped(ones), Fold::any, "isinf(x)"},
                            {found.sliced(0, 1, 1).reshaped(ones), Fold::any, "isnan(x)"}};
    reduce(context.exec(), "CheckNumerics", compute_type(x.type), x.shape, operands, results);
    bool infinite_or_nan[2];
    context.queue().read(infinite_or_nan, found.data, sizeof infinite_or_nan);
    auto [infinite, nan] = infinite_or_nan;
    require(!infinite && !nan, "{} : Tensor had {} values", message,
            infinite && nan ? "Inf and NaN"
            : nan           ? "NaN"
                            : "Inf");
    context.set_output(0, x);
  }

  std::string message;
};

}  // namespace

void register_reductions(const Registrar& registrar) {
  add_rows(registrar, std::make_index_sequence<std::size(rows)>());
  const std::initializer_list<const char*> host{"input", "reduction_indices", "output"};
  registrar.add<HostReduce<Fold::sum>>("Sum", {.types = int32, .host = host});
  registrar.add<HostReduce<Fold::prod>>("Prod", {.types = int32, .host = host});
  registrar.add<ArgReduce<Extreme::max>>(
      "ArgMax", {.host = {"dimension"}, .constraints = {{"T", every}, {"output_type", indices}}});
  registrar.add<ArgReduce<Extreme::min>>(
      "ArgMin", {.host = {"dimension"}, .constraints = {{"T", every}, {"output_type", indices}}});
  registrar.add<CheckNumerics>("CheckNumerics");
  registrar.add<L2Loss>("L2Loss");
}

}  // namespace ocldnn::tf
