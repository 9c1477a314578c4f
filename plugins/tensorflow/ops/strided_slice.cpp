#include "ops/strided_slice.hpp"

#include <algorithm>

#include "api/registrar.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

bool bit(int64_t mask, int i) { return mask >> i & 1; }

// One dimension of the input after the ellipsis has been spread out.
struct Span {
  int64_t begin = 0, end = 0, step = 1;
  bool from_start = true, to_end = true, shrink = false;
};

// Result dimensions are input dimensions, or new ones.
struct Plan {
  std::vector<Span> spans;
  std::vector<int> result;  // the input's dimension, or -1 for a new one
};

int64_t canonical(const Span& span, int64_t at, bool masked, bool is_begin, int64_t size) {
  const int64_t low = span.step > 0 ? 0 : -1, high = span.step > 0 ? size : size - 1;
  if (masked) return (span.step > 0) == is_begin ? low : high;
  return std::clamp(at < 0 ? size + at : at, low, high);
}

// Settles one dimension: where it begins, and how many elements it has.
int64_t settle(Span& span, int dimension, int64_t size) {
  require(span.step != 0, "strides[{}] must be non-zero", dimension);
  if (span.shrink) {
    require(span.step > 0, "only stride 1 allowed on non-range indexing.");
    const int64_t at = span.begin < 0 ? size + span.begin : span.begin;
    require(at >= 0 && at < size, "slice index {} of dimension {} out of bounds.", span.begin, dimension);
    span.begin = at;
    return 1;
  }
  span.begin = canonical(span, span.begin, span.from_start, true, size);
  span.end = canonical(span, span.end, span.to_end, false, size);
  const int64_t interval = span.end - span.begin;
  if (interval == 0 || (interval < 0) != (span.step < 0)) return 0;
  return interval / span.step + (interval % span.step != 0);
}

}  // namespace

StridedSlicing::StridedSlicing(const Attrs& attrs)
    : begin_mask_(attrs.integer("begin_mask")),
      end_mask_(attrs.integer("end_mask")),
      ellipsis_mask_(attrs.integer("ellipsis_mask")),
      new_axis_mask_(attrs.integer("new_axis_mask")),
      shrink_axis_mask_(attrs.integer("shrink_axis_mask")) {
  if (ellipsis_mask_ & (ellipsis_mask_ - 1))
    fail(Code::invalid_argument, "Multiple ellipses in slice spec not allowed");
}

View StridedSlicing::of(const View& x, const Context& context, int begin_input) const {
  return of(x, context.integers(begin_input), context.integers(begin_input + 1), context.integers(begin_input + 2));
}

View StridedSlicing::of(const View& x, std::span<const int64_t> begin, std::span<const int64_t> end,
                        std::span<const int64_t> strides) const {
  require(begin.size() == end.size() && begin.size() == strides.size() && begin.size() < 32,
          "Expected begin, end, and strides to be 1D equal size tensors, but got sizes {}, {} and {}.", begin.size(),
          end.size(), strides.size());
  const int listed = static_cast<int>(begin.size());
  int consumed = 0;  // dimensions of x that the list names one by one
  for (int i = 0; i < listed; ++i) consumed += !bit(ellipsis_mask_, i) && !bit(new_axis_mask_, i);

  Plan plan;
  const auto whole = [&](int count) {
    for (; count > 0; --count) {
      plan.result.push_back(static_cast<int>(plan.spans.size()));
      plan.spans.emplace_back();
    }
  };
  for (int i = 0; i < listed; ++i) {
    if (bit(ellipsis_mask_, i)) {
      whole(x.rank() - consumed);
    } else if (bit(new_axis_mask_, i)) {
      plan.result.push_back(-1);
    } else {
      require(static_cast<int>(plan.spans.size()) < x.rank(),
              "Index out of range using input dim {}; input has only {} dims", plan.spans.size(), x.rank());
      const bool shrink = bit(shrink_axis_mask_, i);
      const auto at = static_cast<size_t>(i);
      if (!shrink) plan.result.push_back(static_cast<int>(plan.spans.size()));
      plan.spans.push_back({begin[at], end[at], strides[at], bit(begin_mask_, i), bit(end_mask_, i), shrink});
    }
  }
  whole(x.rank() - static_cast<int>(plan.spans.size()));  // an ellipsis at the end is understood

  View chosen = x;
  for (int d = 0; d < x.rank(); ++d) {
    auto& span = plan.spans[static_cast<size_t>(d)];
    chosen.shape[d] = settle(span, d, x.shape[d]);
    chosen.strides[d] = x.strides[d] * span.step;
    if (chosen.shape[d] > 0)
      chosen.data = static_cast<char*>(chosen.data) + span.begin * x.strides[d] * static_cast<int64_t>(size_of(x.type));
  }
  View result(chosen.data, chosen.type, {}, {});
  for (int d : plan.result) {
    result.shape.push_back(d < 0 ? 1 : chosen.shape[d]);
    result.strides.push_back(d < 0 ? 0 : chosen.strides[d]);
  }
  return result;
}

namespace {

class StridedSlice : public Kernel {
 public:
  explicit StridedSlice(const Attrs& attrs) : slicing_(attrs) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const View chosen = slicing_.of(x, context, 1);
    if (chosen.shape == x.shape && chosen.strides == x.strides) return context.set_output(0, x);
    copy(context.place(), chosen, context.output(0, chosen.shape));
  }

 private:
  StridedSlicing slicing_;
};

class StridedSliceGrad : public Kernel {
 public:
  explicit StridedSliceGrad(const Attrs& attrs) : slicing_(attrs) {}
  void run(Context& context) const override {
    auto dy = context.input(4);
    const auto shape = context.shape(0);
    const View unplaced = slicing_.of(View(nullptr, dy.type, shape), context, 1);
    require(unplaced.shape == dy.shape, "StridedSliceGrad: shape of dy was {} instead of {}", dy.shape.text(),
            unplaced.shape.text());
    auto dx = context.output(0, shape);
    if (dx.elements() != dy.elements()) fill(context.place(), dx, 0);
    if (dy.elements() > 0) copy(context.place(), dy, slicing_.of(dx, context, 1));
  }

 private:
  StridedSlicing slicing_;
};

class TensorStridedSliceUpdate : public Kernel {
 public:
  explicit TensorStridedSliceUpdate(const Attrs& attrs) : slicing_(attrs) {}
  void run(Context& context) const override {
    auto x = context.input(0), value = context.input(4);
    const auto shape = slicing_.of(x, context, 1).shape;
    const View from = value.broadcast_to("TensorStridedSliceUpdate", shape);
    auto y = context.output(0, x.shape, {0});
    if (y.data != x.data) copy(context.place(), x, y);
    copy(context.place(), from, slicing_.of(y, context, 1));
  }

 private:
  StridedSlicing slicing_;
};

}  // namespace

void register_strided_slices(const Registrar& registrar) {
  registrar.add<StridedSlice>("StridedSlice", {.types = all, .host = {"begin", "end", "strides"}});
  registrar.add<StridedSlice>("StridedSlice", {.types = int32, .host = {"input", "begin", "end", "strides", "output"}});
  registrar.add<StridedSliceGrad>("StridedSliceGrad", {.types = all, .host = {"shape", "begin", "end", "strides"}});
  registrar.add<StridedSliceGrad>("StridedSliceGrad",
                                  {.types = int32, .host = {"shape", "begin", "end", "strides", "dy", "output"}});
  registrar.add<TensorStridedSliceUpdate>("TensorStridedSliceUpdate",
                                          {.types = all, .host = {"begin", "end", "strides"}});
  registrar.add<TensorStridedSliceUpdate>(
      "TensorStridedSliceUpdate", {.types = int32, .host = {"input", "begin", "end", "strides", "value", "output"}});
}

}  // namespace ocldnn::tf
