#include "ocldnn/index.hpp"

#include <algorithm>
#include <cstring>

#include "api/pointwise.hpp"
#include "api/registrar.hpp"
#include "ocldnn/layout.hpp"
#include "ops/register.hpp"

// Gather, scatter, segments, one-hot. An index out of range reads zeros and writes nothing on the device, as on
// TensorFlow's GPU; where the data is in host memory (int32) it is refused, as on its CPU.

namespace ocldnn::tf {
namespace {

Shape joined(std::initializer_list<std::span<const int64_t>> parts) {
  Shape shape;
  for (auto part : parts)
    for (auto size : part) shape.push_back(size);
  return shape;
}

std::span<const int64_t> part(const Shape& shape, int begin, int end) {
  return {shape.begin() + begin, static_cast<size_t>(end - begin)};
}

int64_t host_index(const View& indices, int64_t i) {
  return indices.type == Type::i64 ? static_cast<const int64_t*>(indices.data)[i]
                                   : static_cast<const int32_t*>(indices.data)[i];
}

// gather() in host memory: params [batch, outer, places, inner], indices [batch, count].
void gather_on_host(const View& x, const View& indices, int axis, int batch_dims, const View& y) {
  const auto product = [&](int begin, int end) { return Shape(part(x.shape, begin, end)).elements(); };
  const int64_t batch = product(0, batch_dims), outer = product(batch_dims, axis), places = x.shape[axis];
  const int64_t inner = product(axis + 1, x.rank()), count = indices.elements() / std::max<int64_t>(batch, 1);
  const auto bytes = inner * static_cast<int64_t>(size_of(x.type));
  auto* to = static_cast<char*>(y.data);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t n = 0; n < count; ++n, to += bytes) {
        const int64_t place = host_index(indices, b * count + n);
        require(place >= 0 && place < places, "indices[{}] = {} is not in [0, {})", b * count + n, place, places);
        std::memcpy(to, static_cast<const char*>(x.data) + ((b * outer + o) * places + place) * bytes,
                    static_cast<size_t>(bytes));
      }
}

template <bool has_axis>
class Gather : public Kernel {
 public:
  explicit Gather(const Attrs& attrs) : batch_dims_(has_axis ? attrs.integer("batch_dims") : 0) {}
  void run(Context& context) const override {
    auto x = context.input(0), indices = context.input(1);
    require(x.rank() > 0, "params must be at least 1 dimensional");
    const int axis = has_axis ? axis_of("GatherV2", context.integer(2), x.rank()) : 0;
    const int batch = checked_batch(x.shape, indices.shape, axis);
    auto y = context.output(0, joined({part(x.shape, 0, axis), part(indices.shape, batch, indices.rank()),
                                       part(x.shape, axis + 1, x.rank())}));
    if (y.elements() == 0) return;
    require(x.shape[axis] > 0, "Gather: indices into an empty dimension {} of {}", axis, x.shape.text());
    if (context.output_on_host(0)) gather_on_host(x, indices, axis, batch, y);
    else gather(context.queue(), x, indices, axis, batch, y);
  }

 private:
  int checked_batch(const Shape& x, const Shape& indices, int axis) const {
    if constexpr (!has_axis) return 0;
    const auto batch = batch_dims_ < 0 ? batch_dims_ + indices.rank() : batch_dims_;
    require(batch >= 0 && batch <= indices.rank() && batch <= axis,
            "batch_dims ({}) must be at most the axis ({}) and the rank of indices ({})", batch, axis, indices.rank());
    for (int d = 0; d < batch; ++d)
      require(x[d] == indices[d], "params.shape[{0}]: {1} should be equal to indices.shape[{0}]: {2}", d, x[d],
              indices[d]);
    return static_cast<int>(batch);
  }
  int64_t batch_dims_;
};

struct GatherNd : Kernel {
  explicit GatherNd(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), indices = context.input(1);
    require(x.rank() > 0, "params must be at least a vector");
    require(indices.rank() > 0, "indices must be at least a vector");
    const int last = indices.rank() - 1;
    const auto depth = indices.shape[last];
    require(depth <= x.rank(), "index innermost dimension length must be <= params rank; saw: {} vs. {}", depth,
            x.rank());
    auto y =
        context.output(0, joined({part(indices.shape, 0, last), part(x.shape, static_cast<int>(depth), x.rank())}));
    require(y.elements() == 0 || x.elements() > 0,
            "Requested more than 0 entries, but params is empty.  Params shape: {}", x.shape.text());
    gather_nd(context.exec(), x, indices, 0, y);
  }
};

// Host int32: row-major place of row n of indices, refused where outside.
int64_t host_place(const View& indices, int64_t n, const Shape& shape, int depth) {
  int64_t place = 0;
  for (int d = 0; d < depth; ++d) {
    const int64_t i = host_index(indices, n * depth + d);
    require(i >= 0 && i < shape[d], "indices[{}] = {} does not index into shape {}", n, i, shape.text());
    place = place * shape[d] + i;
  }
  return place;
}

void scatter_on_host(Update update, const View& y, const View& indices, const View& updates) {
  const int depth = static_cast<int>(indices.shape[indices.rank() - 1]);
  const int64_t rows = Shape(part(indices.shape, 0, indices.rank() - 1)).elements();
  const int64_t inner = Shape(part(y.shape, depth, y.rank())).elements();
  auto* to = static_cast<int32_t*>(y.data);
  const auto* from = static_cast<const int32_t*>(updates.data);
  for (int64_t n = 0; n < rows; ++n) {
    const int64_t at = host_place(indices, n, y.shape, depth) * inner;
    for (int64_t k = 0; k < inner; ++k) {
      int32_t &v = to[at + k], u = from[n * inner + k];
      if (update == Update::assign) v = u;
      if (update == Update::add) v = static_cast<int32_t>(static_cast<uint32_t>(v) + static_cast<uint32_t>(u));
      if (update == Update::subtract) v = static_cast<int32_t>(static_cast<uint32_t>(v) - static_cast<uint32_t>(u));
      if (update == Update::minimum) v = std::min(v, u);
      if (update == Update::maximum) v = std::max(v, u);
    }
  }
}

void check_updates(const View& indices, const View& updates, const Shape& shape) {
  require(indices.rank() >= 1, "Indices shape must have rank at least one. Found: {}", indices.shape.text());
  const int last = indices.rank() - 1;
  const auto depth = indices.shape[last];
  require(depth <= shape.rank(), "The innermost dimension of indices, {}, must be at most the rank of the output {}",
          depth, shape.text());
  const auto expected = joined({part(indices.shape, 0, last), part(shape, static_cast<int>(depth), shape.rank())});
  require(updates.shape == expected,
          "Must have updates.shape = indices.shape[:batch_dim] + output_shape[slice_dim:], got updates.shape: {}, "
          "indices.shape: {}, output_shape: {}",
          updates.shape.text(), indices.shape.text(), shape.text());
}

void scatter_into(Context& context, Update update, const View& y, const View& indices, const View& updates) {
  require(indices.elements() == 0 || y.elements() > 0 || updates.elements() == 0,
          "Indices and updates specified for empty output tensor");
  if (context.output_on_host(0)) scatter_on_host(update, y, indices, updates);
  else scatter_nd(context.exec(), update, y, indices, updates);
}

struct ScatterNd : Kernel {
  explicit ScatterNd(const Attrs&) {}
  void run(Context& context) const override {
    auto indices = context.input(0), updates = context.input(1);
    const auto shape = context.shape(2);
    check_updates(indices, updates, shape);
    auto y = context.output(0, shape);
    fill(context.place(), y, 0);
    // Of truth values, TensorFlow's sum is "or".
    scatter_into(context, y.type == Type::boolean ? Update::maximum : Update::add, y, indices, updates);
  }
};

template <Update update>
struct TensorScatter : Kernel {
  explicit TensorScatter(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), indices = context.input(1), updates = context.input(2);
    check_updates(indices, updates, x.shape);
    auto y = context.output(0, x.shape, {0});
    if (y.data != x.data) copy(context.place(), x, y);
    scatter_into(context, update, y, indices, updates);
  }
};

template <Update update>
struct UnsortedSegment : Kernel {
  explicit UnsortedSegment(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), ids = context.input(1);
    const auto count = context.integer(2);
    require(count >= 0, "Input num_segments == {} must not be negative.", count);
    require(ids.rank() <= x.rank() && std::equal(ids.shape.begin(), ids.shape.end(), x.shape.begin()),
            "data.shape = {} does not start with segment_ids.shape = {}", x.shape.text(), ids.shape.text());
    const int64_t size[]{count};
    auto y = context.output(0, joined({size, part(x.shape, ids.rank(), x.rank())}));
    segment(context.exec(), update, x, ids, y);
  }
};

class OneHot : public Kernel {
 public:
  explicit OneHot(const Attrs& attrs) : axis_(attrs.integer("axis")) {}
  void run(Context& context) const override {
    auto indices = context.input(0), on = context.input(2), off = context.input(3);
    const auto depth = context.integer(1);
    require(depth >= 0, "depth must be non-negative, got: {}", depth);
    require(axis_ >= -1 && axis_ <= indices.rank(), "Expected axis to be -1 or between [0, {}).  But received: {}",
            indices.rank() + 1, axis_);
    require(on.rank() == 0 && off.rank() == 0, "on_value and off_value must be scalars, but got: {} {}",
            on.shape.text(), off.shape.text());
    const int axis = static_cast<int>(axis_ < 0 ? indices.rank() : axis_);
    const int64_t size[]{depth};
    auto y = context.output(0, joined({part(indices.shape, 0, axis), size, part(indices.shape, axis, indices.rank())}));
    one_hot(context.queue(), indices, on, off, axis, y);
  }

 private:
  int64_t axis_;
};

struct InvertPermutation : Kernel {
  explicit InvertPermutation(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    require(x.rank() == 1, "invert_permutation expects a 1D vector.");
    invert_permutation(context.queue(), x, context.output(0, x.shape));
  }
};

/// The number of rows is only known on the device: the kernel waits for it.
struct WhereNonzero : Kernel {
  explicit WhereNonzero(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const Nonzero found(context.exec(), x);
    found.coordinates(context.queue(), context.output(0, {found.count(), x.rank()}));
  }
};

/// Rows of each data tensor put where its indices say; the later of two counts.
struct DynamicStitch : Kernel {
  explicit DynamicStitch(const Attrs&) {}
  void run(Context& context) const override {
    const auto indices = context.input_list("indices"), data = context.input_list("data");
    int64_t rows = 0;
    for (size_t i = 0; i < indices.size(); ++i) {
      const auto &ids = indices[i].shape, &shape = data[i].shape;
      require(ids.rank() <= shape.rank() && std::equal(ids.begin(), ids.end(), shape.begin()),
              "data[{0}].shape = {1} does not start with indices[{0}].shape = {2}", i, shape.text(), ids.text());
      const auto first = part(data[0].shape, indices[0].rank(), data[0].rank()),
                 rest = part(shape, ids.rank(), shape.rank());
      require(std::equal(rest.begin(), rest.end(), first.begin(), first.end()),
              "Need data[0].shape[{0}:] = data[{1}].shape[{2}:], got data[0].shape = {3}, data[{1}].shape = {4}",
              indices[0].rank(), i, ids.rank(), data[0].shape.text(), shape.text());
      for (auto place : indices[i].host<const int32_t>()) {
        require(place >= 0, "indices[{}] is out of range: {}", i, place);
        rows = std::max<int64_t>(rows, int64_t{place} + 1);
      }
    }
    const int64_t size[]{rows};
    auto y = context.output(0, joined({size, part(data[0].shape, indices[0].rank(), data[0].rank())}));
    if (y.elements() == 0) return;
    if (context.output_on_host(0)) std::memset(y.data, 0, y.bytes());
    else fill(context.queue(), y, 0);
    for (size_t i = 0; i < indices.size(); ++i) put(context, y, indices[i], data[i]);
  }

 private:
  static void put(Context& context, const View& y, const Tensor& ids, const Tensor& data) {
    if (ids.elements() == 0) return;
    if (context.output_on_host(0)) return scatter_on_host(Update::assign, y, ids.unsqueezed(ids.rank()), data);
    auto on_device = context.temporary(Type::i32, ids.shape);
    context.queue().write(on_device.data, ids.data, ids.bytes());
    scatter(context.exec(), Update::assign, y, on_device, data);
  }
};

template <Update update>
void add_tensor_scatter(const Registrar& r, const char* op, Types types) {
  r.add<TensorScatter<update>>(op, {.constraints = {{"T", types}, {"Tindices", indices}}});
  r.add<TensorScatter<update>>(
      op, {.host = {"tensor", "indices", "updates", "output"}, .constraints = {{"T", int32}, {"Tindices", indices}}});
}

void register_scatters(const Registrar& r) {
  r.add<ScatterNd>("ScatterNd", {.host = {"shape"}, .constraints = {{"T", all}, {"Tindices", indices}}});
  r.add<ScatterNd>("ScatterNd", {.host = {"indices", "updates", "shape", "output"},
                                 .constraints = {{"T", int32}, {"Tindices", indices}}});
  add_tensor_scatter<Update::assign>(r, "TensorScatterUpdate", all);
  add_tensor_scatter<Update::add>(r, "TensorScatterAdd", numbers);
  add_tensor_scatter<Update::subtract>(r, "TensorScatterSub", numbers);
  add_tensor_scatter<Update::minimum>(r, "TensorScatterMin", numbers);
  add_tensor_scatter<Update::maximum>(r, "TensorScatterMax", numbers);
  r.add<TensorScatter<Update::add>>("ScatterNdNonAliasingAdd",
                                    {.constraints = {{"T", numbers}, {"Tindices", indices}}});
}

}  // namespace

void register_index(const Registrar& r) {
  r.add<Gather<false>>("Gather", {.constraints = {{"Tparams", all}, {"Tindices", indices}}});
  r.add<Gather<true>>("GatherV2", {.host = {"axis"}, .constraints = {{"Tparams", all}, {"Tindices", indices}}});
  r.add<Gather<true>>("GatherV2", {.host = {"params", "indices", "axis", "output"},
                                   .constraints = {{"Tparams", int32}, {"Tindices", indices}}});
  r.add<GatherNd>("GatherNd", {.constraints = {{"Tparams", every}, {"Tindices", indices}}});
  register_scatters(r);

  static constexpr Type numbers_and_i32[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8,  Type::i16,
                                          Type::i32, Type::i64, Type::u8,   Type::u16, Type::u32, Type::u64};
  const Types segmented(numbers_and_i32);
  r.add<UnsortedSegment<Update::add>>(
      "UnsortedSegmentSum", {.host = {"num_segments"}, .constraints = {{"T", segmented}, {"Tindices", indices}}});
  r.add<UnsortedSegment<Update::multiply>>(
      "UnsortedSegmentProd", {.host = {"num_segments"}, .constraints = {{"T", segmented}, {"Tindices", indices}}});
  r.add<UnsortedSegment<Update::maximum>>(
      "UnsortedSegmentMax", {.host = {"num_segments"}, .constraints = {{"T", segmented}, {"Tindices", indices}}});
  r.add<UnsortedSegment<Update::minimum>>(
      "UnsortedSegmentMin", {.host = {"num_segments"}, .constraints = {{"T", segmented}, {"Tindices", indices}}});

  static constexpr Type hot[]{Type::u8, Type::i8, Type::i32, Type::i64};
  r.add<OneHot>("OneHot", {.host = {"depth"}, .constraints = {{"T", every}, {"TI", Types(hot)}}});
  static constexpr Type i64[]{Type::i64};
  r.add<InvertPermutation>("InvertPermutation", {.types = Types(i64)});
  r.add<WhereNonzero>("Where", {.types = all});
  r.add<DynamicStitch>("DynamicStitch", {.types = all, .host = {"indices"}});
  r.add<DynamicStitch>("DynamicStitch", {.types = int32, .host = {"indices", "data", "merged"}});
}

}  // namespace ocldnn::tf
