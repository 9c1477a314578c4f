#include <algorithm>

#include "api/pointwise.hpp"
#include "api/registrar.hpp"
#include "ocldnn/index.hpp"
#include "ocldnn/layout.hpp"
#include "ops/register.hpp"

// Rows of a tensor folded by segment. The ids of the ops that do not say how many segments there are grow, so the last
// one tells: it is read from the device, and the kernel waits for it.

namespace ocldnn::tf {
namespace {

Shape with_rows(int64_t rows, const Shape& x) {
  Shape shape = x;
  shape[0] = rows;
  return shape;
}

int64_t segments_in(Context& context, const View& ids) {
  if (ids.elements() == 0) return 0;
  const View last = ids.sliced(0, ids.shape[0] - 1, 1);
  int64_t wide = 0;
  int32_t narrow_id = 0;
  if (ids.type == Type::i64) context.queue().read(&wide, last.data, sizeof wide);
  else context.queue().read(&narrow_id, last.data, sizeof narrow_id);
  const int64_t id = ids.type == Type::i64 ? wide : narrow_id;
  require(id >= 0, "segment ids must be >= 0, got {}", id);
  return id + 1;
}

/// The number of segments: input `i`, or if there is none, what the ids say.
int64_t segments(Context& context, const View& ids, int i) {
  const int64_t count = i < context.inputs() ? context.integer(i) : segments_in(context, ids);
  require(count >= 0, "Input num_segments == {} must not be negative.", count);
  return count;
}

/// How many rows each segment has, as int32 [segments, 1, ...] of the rank of `y`.
View counts(const Exec& exec, const View& ids, const View& y) {
  Shape shape = Shape::filled(y.rank(), 1);
  shape[0] = y.shape[0];
  const View count = exec.temporary(Type::i32, shape), one = exec.temporary(Type::i32, {});
  fill(exec.queue, count, 0);
  fill(exec.queue, one, 1);
  scatter(exec, Update::add, View(count.data, count.type, {shape[0]}), ids, one);
  return count;
}

/// What a fold makes of a segment's total `y` and its number of rows `n`.
enum class Finish { none, zero_if_empty, mean, square_root };

constexpr std::string_view formula(Finish finish) {
  switch (finish) {
    case Finish::mean: return "n > 0 ? y / n : 0";
    case Finish::square_root: return "n > 0 ? y / sqrt(n) : 0";
    default: return "n > 0 ? y : 0";
  }
}

void fold(const Exec& exec, Update update, Finish finish, const View& x, const View& ids, const View& y) {
  segment(exec, update, x, ids, y);
  if (finish == Finish::none || y.elements() == 0) return;
  pointwise(exec.queue, "SegmentReduction", compute_type(y.type), {{"y", y}, {"n", counts(exec, ids, y)}},
            {{y, formula(finish)}});
}

void check_ids(const View& rows, const View& ids, const char* what) {
  require(ids.rank() == 1, "segment_ids should be a vector, got shape {}", ids.shape.text());
  require(rows.rank() >= 1 && rows.shape[0] == ids.shape[0],
          "segment_ids should be the same size as dimension 0 of {}: {} and {}", what, ids.shape.text(),
          rows.shape.text());
}

template <Update update, Finish finish>
struct Segment : Kernel {
  explicit Segment(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), ids = context.input(1);
    check_ids(x, ids, "input");
    auto y = context.output(0, with_rows(segments(context, ids, 2), x.shape));
    fold(context.exec(), update, finish, x, ids, y);
  }
};

/// Segments of the rows that `indices` choose.
template <Finish finish>
struct SparseSegment : Kernel {
  explicit SparseSegment(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), indices = context.input(1), ids = context.input(2);
    require(x.rank() >= 1, "input must be at least rank 1, got {}", x.shape.text());
    check_ids(indices, ids, "indices");
    auto y = context.output(0, with_rows(segments(context, ids, 3), x.shape));
    const auto exec = context.exec();
    const View chosen = exec.temporary(x.type, with_rows(indices.shape[0], x.shape));
    gather(exec.queue, x, indices, 0, 0, chosen);
    fold(exec, Update::add, finish, chosen, ids, y);
  }
};

/// dx[indices[i]] += dy[ids[i]], divided as the forward op divides.
template <Finish finish>
struct SparseSegmentGrad : Kernel {
  explicit SparseSegmentGrad(const Attrs&) {}
  void run(Context& context) const override {
    auto dy = context.input(0), indices = context.input(1), ids = context.input(2);
    require(dy.rank() >= 1, "grad must be at least rank 1, got {}", dy.shape.text());
    check_ids(indices, ids, "indices");
    const auto rows = context.integer(3);
    require(rows >= 0, "output_dim0 must be non-negative, got {}", rows);
    auto dx = context.output(0, with_rows(rows, dy.shape));
    const auto exec = context.exec();
    View each = dy;
    if (finish != Finish::none && dy.elements() > 0) {
      each = exec.temporary(dy.type, dy.shape);
      pointwise(exec.queue, "SparseSegmentGrad", compute_type(dy.type), {{"y", dy}, {"n", counts(exec, ids, dy)}},
                {{each, formula(finish)}});
    }
    const View chosen = exec.temporary(dy.type, with_rows(ids.shape[0], dy.shape));
    gather(exec.queue, each, ids, 0, 0, chosen);
    segment(exec, Update::add, chosen, indices, dx);
  }
};

/// Rows dealt to the outputs by number; each count is read from the device.
struct DynamicPartition : Kernel {
  explicit DynamicPartition(const Attrs&) {}
  void run(Context& context) const override {
    auto data = context.input(0), partitions = context.input(1);
    require(partitions.rank() <= data.rank() &&
                std::equal(partitions.shape.begin(), partitions.shape.end(), data.shape.begin()),
            "data.shape must start with partitions.shape, got data.shape = {}, partitions.shape = {}",
            data.shape.text(), partitions.shape.text());
    const auto exec = context.exec();
    const int64_t n = partitions.elements();
    Shape rows{n};
    for (int d = partitions.rank(); d < data.rank(); ++d) rows.push_back(data.shape[d]);
    const View flat = data.reshaped(rows), numbers_of = partitions.reshaped({n});
    for (int p = 0; p < context.outputs(); ++p) {
      const View mask = exec.temporary(Type::boolean, {n});
      if (n > 0)
        pointwise(exec.queue, "DynamicPartition", Type::i32, {{"x", numbers_of}}, {{mask, "x == p ? 1 : 0"}},
                  {{"p", int64_t{p}}});
      const Nonzero found(exec, mask);
      auto y = context.output(p, with_rows(found.count(), rows));
      if (y.elements() == 0) continue;
      const View places = exec.temporary(Type::i64, {found.count(), 1});
      found.coordinates(exec.queue, places);
      gather(exec.queue, flat, places.reshaped({found.count()}), 0, 0, y);
    }
  }
};

template <Update update, Finish old_finish, Finish finish>
void add_segment(const Registrar& r, const char* op, const char* second, Types types) {
  r.add<Segment<update, old_finish>>(op, {.constraints = {{"T", types}, {"Tindices", indices}}});
  r.add<Segment<update, finish>>(second,
                                 {.host = {"num_segments"}, .constraints = {{"T", types}, {"Tindices", indices}}});
}

template <Finish finish>
void add_sparse_segment(const Registrar& r, const std::array<const char*, 3>& ops) {
  const std::vector<Constraint> constraints{{"T", floats}, {"Tidx", indices}, {"Tsegmentids", indices}};
  r.add<SparseSegment<finish>>(ops[0], {.constraints = constraints});
  r.add<SparseSegment<finish>>(ops[1], {.host = {"num_segments"}, .constraints = constraints});
  r.add<SparseSegmentGrad<finish>>(ops[2], {.host = {"output_dim0"}, .constraints = constraints});
}

}  // namespace

void register_segments(const Registrar& r) {
  static constexpr Type list[]{Type::f32, Type::f16, Type::bf16, Type::f64, Type::i8,  Type::i16,
                               Type::i32, Type::i64, Type::u8,   Type::u16, Type::u32, Type::u64};
  const Types summed(list);
  add_segment<Update::add, Finish::none, Finish::none>(r, "SegmentSum", "SegmentSumV2", summed);
  add_segment<Update::multiply, Finish::none, Finish::none>(r, "SegmentProd", "SegmentProdV2", summed);
  add_segment<Update::maximum, Finish::zero_if_empty, Finish::none>(r, "SegmentMax", "SegmentMaxV2", summed);
  add_segment<Update::minimum, Finish::zero_if_empty, Finish::none>(r, "SegmentMin", "SegmentMinV2", summed);
  r.add<Segment<Update::add, Finish::mean>>("SegmentMean", {.constraints = {{"T", floats}, {"Tindices", indices}}});
  add_sparse_segment<Finish::none>(r, {"SparseSegmentSum", "SparseSegmentSumWithNumSegments", "SparseSegmentSumGrad"});
  add_sparse_segment<Finish::mean>(r,
                                   {"SparseSegmentMean", "SparseSegmentMeanWithNumSegments", "SparseSegmentMeanGrad"});
  add_sparse_segment<Finish::square_root>(
      r, {"SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments", "SparseSegmentSqrtNGrad"});
  r.add<DynamicPartition>("DynamicPartition", {.types = every});
}

}  // namespace ocldnn::tf
