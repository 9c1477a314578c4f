#include "ocldnn/layout.hpp"

#include <algorithm>
#include <cstring>

#include "api/registrar.hpp"
#include "ops/register.hpp"

// Slices, concatenations, transposes, paddings: each works on the device, or in host memory for int32.

namespace ocldnn::tf {
namespace {

struct Transpose : Kernel {
  explicit Transpose(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const auto perm = context.integers(1);
    require(static_cast<int>(perm.size()) == x.rank(), "Transpose: perm has {} values for an input of rank {}",
            perm.size(), x.rank());
    Dims axes;
    bool identity = true;
    for (int d = 0; d < x.rank(); ++d) {
      axes.push_back(axis_of("Transpose", perm[static_cast<size_t>(d)], x.rank()));
      require(std::count(axes.begin(), axes.end(), axes[d]) == 1, "Transpose: perm {} names dimension {} twice",
              axes.text(), axes[d]);
      identity &= axes[d] == d;
    }
    if (identity) return context.set_output(0, x);
    const View permuted = x.permuted(axes);
    copy(context.place(), permuted, context.output(0, permuted.shape));
  }
};

struct Slice : Kernel {
  explicit Slice(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const auto begin = context.integers(1), size = context.integers(2);
    const auto rank = static_cast<size_t>(x.rank());
    require(begin.size() == rank && size.size() == rank,
            "Expected begin and size arguments to be 1-D tensors of size {}, but got {} and {} instead.", rank,
            begin.size(), size.size());
    View part = x;
    for (int d = 0; d < x.rank(); ++d) {
      const auto b = begin[static_cast<size_t>(d)];
      const auto n = size[static_cast<size_t>(d)] == -1 ? x.shape[d] - b : size[static_cast<size_t>(d)];
      require(b >= 0 && b <= x.shape[d], "Expected begin[{}] in [0, {}], but got {}", d, x.shape[d], b);
      require(n >= 0 && b + n <= x.shape[d], "Expected size[{}] in [0, {}], but got {}", d, x.shape[d] - b, n);
      part = part.sliced(d, b, n);
    }
    if (part.shape == x.shape) return context.set_output(0, x);
    copy(context.place(), part, context.output(0, part.shape));
  }
};

template <int axis_input>  // 0 for Concat; ConcatV2 has it behind the values
struct Concat : Kernel {
  explicit Concat(const Attrs&) {}
  void run(Context& context) const override {
    const auto values = context.input_list("values");
    const auto& first = values.front();
    const int input = axis_input == 0 ? 0 : context.inputs() - 1;
    require(first.rank() > 0, "ConcatOp : Expected at least rank 1, got scalars");
    const int axis = axis_of("ConcatOp", context.integer(input), first.rank());
    Shape shape = first.shape;
    for (size_t i = 1; i < values.size(); ++i) {
      const auto& next = values[i].shape;
      require(next.rank() == first.rank(),
              "ConcatOp : Ranks of all input tensors should match: shape[0] = {} vs. shape[{}] = {}",
              first.shape.text(), i, next.text());
      for (int d = 0; d < first.rank(); ++d)
        require(d == axis || next[d] == first.shape[d],
                "ConcatOp : Dimension {} in both shapes must be equal: shape[0] = {} vs. shape[{}] = {}", d,
                first.shape.text(), i, next.text());
      shape[axis] += next[axis];
    }
    if (values.size() == 1) return context.set_output(0, first);
    const std::vector<View> parts(values.begin(), values.end());
    concat(context.place(), parts, axis, context.output(0, shape));
  }
};

void split_into(Context& context, const Tensor& x, int axis, std::span<const int64_t> sizes) {
  if (sizes.size() == 1) return context.set_output(0, x);
  std::vector<Tensor> outputs;
  for (size_t i = 0; i < sizes.size(); ++i) {
    Shape shape = x.shape;
    shape[axis] = sizes[i];
    outputs.push_back(context.output(static_cast<int>(i), shape));
  }
  const std::vector<View> parts(outputs.begin(), outputs.end());
  split(context.place(), x, axis, parts);
}

struct Split : Kernel {
  explicit Split(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(1);
    const int axis = axis_of("Split", context.integer(0), x.rank());
    const int64_t parts = context.outputs();
    require(x.shape[axis] % parts == 0,
            "Number of ways to split should evenly divide the split dimension, but got split_dim {} (size = {}) and "
            "num_split {}",
            axis, x.shape[axis], parts);
    split_into(context, x, axis, std::vector<int64_t>(static_cast<size_t>(parts), x.shape[axis] / parts));
  }
};

struct SplitV : Kernel {
  explicit SplitV(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto sizes = context.integers(1);
    const int axis = axis_of("SplitV", context.integer(2), x.rank());
    require(static_cast<int>(sizes.size()) == context.outputs(), "SplitV: expected {} sizes, got {}", context.outputs(),
            sizes.size());
    int64_t known = 0, unknown = 0;
    for (auto size : sizes) {
      require(size >= -1, "Split size at index must be >= 0. Got: {}", size);
      (size < 0 ? unknown : known) += size < 0 ? 1 : size;
    }
    require(unknown <= 1 && (unknown ? known <= x.shape[axis] : known == x.shape[axis]),
            "Determined shape must either match input shape along split_dim exactly if fully specified, or be less "
            "than the "
            "size of the input along split_dim if not fully specified.  Got: {}",
            known);
    for (auto& size : sizes)
      if (size < 0) size = x.shape[axis] - known;
    split_into(context, x, axis, sizes);
  }
};

class Pack : public Kernel {
 public:
  explicit Pack(const Attrs& attrs) : axis_(attrs.integer("axis")) {}
  void run(Context& context) const override {
    const auto values = context.input_list("values");
    const auto& first = values.front();
    const int axis = axis_of("Pack", axis_, first.rank() + 1);
    std::vector<View> parts;
    for (size_t i = 0; i < values.size(); ++i) {
      require(values[i].shape == first.shape,
              "Shapes of all inputs must match: values[0].shape = {} != values[{}].shape = {}", first.shape.text(), i,
              values[i].shape.text());
      parts.push_back(values[i].unsqueezed(axis));
    }
    Shape shape = parts.front().shape;
    shape[axis] = static_cast<int64_t>(values.size());
    concat(context.place(), parts, axis, context.output(0, shape));
  }

 private:
  int64_t axis_;
};

class Unpack : public Kernel {
 public:
  explicit Unpack(const Attrs& attrs) : axis_(attrs.integer("axis")) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const int axis = axis_of("Unpack", axis_, x.rank());
    require(x.shape[axis] == context.outputs(), "Input shape axis {} must equal {}, got shape {}", axis,
            context.outputs(), x.shape.text());
    Shape shape;
    for (int d = 0; d < x.rank(); ++d)
      if (d != axis) shape.push_back(x.shape[d]);
    std::vector<View> parts;
    std::vector<Tensor> outputs;
    for (int i = 0; i < context.outputs(); ++i) {
      outputs.push_back(context.output(i, shape));
      parts.push_back(outputs.back().unsqueezed(axis));
    }
    split(context.place(), x, axis, parts);
  }

 private:
  int64_t axis_;
};

// Paddings of every dimension, from a matrix [rank, 2] in host memory.
struct Paddings {
  Dims before, after;
};

Paddings paddings(const char* op, const Context& context, int input, int rank) {
  const auto values = context.integers(input);
  const auto matrix = context.input(input).shape;
  require(matrix.rank() == 2 && matrix[1] == 2, "paddings must be a matrix with 2 columns: {}", matrix.text());
  require(matrix[0] == rank, "The first dimension of paddings must be the rank of inputs {} {}", matrix.text(), rank);
  Paddings result;
  for (size_t d = 0; d < static_cast<size_t>(rank); ++d) {
    require(values[2 * d] >= 0 && values[2 * d + 1] >= 0, "{}: Paddings must be non-negative: {} {}", op, values[2 * d],
            values[2 * d + 1]);
    result.before.push_back(values[2 * d]);
    result.after.push_back(values[2 * d + 1]);
  }
  return result;
}

Shape grown(const Shape& shape, const Paddings& by) {
  Shape result = shape;
  for (int d = 0; d < shape.rank(); ++d) result[d] += by.before[d] + by.after[d];
  return result;
}

template <bool has_value>  // PadV2 has one, in host memory
struct Pad : Kernel {
  explicit Pad(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    uint64_t bits = 0;
    if constexpr (has_value) {
      auto value = context.input(2);
      require(value.rank() == 0, "constant_values must be a scalar. Found: {}", value.shape.text());
      std::memcpy(&bits, value.data, size_of(value.type));
    }
    const auto by = paddings("Pad", context, 1, x.rank());
    const auto shape = grown(x.shape, by);
    if (shape == x.shape) return context.set_output(0, x);
    pad(context.place(), x, by.before, context.output(0, shape), bits);
  }
};

Mirror mirror_of(const Attrs& attrs) {
  const auto mode = attrs.text("mode");
  require(mode == "REFLECT" || mode == "SYMMETRIC", "mode must be either REFLECT or SYMMETRIC, got {}", mode);
  return mode == "REFLECT" ? Mirror::reflect : Mirror::symmetric;
}

void check_mirror(Mirror mirror, const Shape& inner, const Paddings& by) {
  for (int d = 0; d < inner.rank(); ++d) {
    const int64_t most = mirror == Mirror::reflect ? inner[d] - 1 : inner[d];
    require(by.before[d] <= most && by.after[d] <= most, "paddings must be {} the dimension size: {}, {} {} {}",
            mirror == Mirror::reflect ? "less than" : "no greater than", by.before[d], by.after[d],
            mirror == Mirror::reflect ? "greater than or equal to" : "greater than", inner[d]);
  }
}

class MirrorPad : public Kernel {
 public:
  explicit MirrorPad(const Attrs& attrs) : mirror_(mirror_of(attrs)) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const auto by = paddings("MirrorPad", context, 1, x.rank());
    check_mirror(mirror_, x.shape, by);
    const auto shape = grown(x.shape, by);
    if (shape == x.shape) return context.set_output(0, x);
    mirror_pad(context.place(), mirror_, x, by.before, context.output(0, shape));
  }

 private:
  Mirror mirror_;
};

class MirrorPadGrad : public Kernel {
 public:
  explicit MirrorPadGrad(const Attrs& attrs) : mirror_(mirror_of(attrs)) {}
  void run(Context& context) const override {
    auto dy = context.input(0);
    const auto by = paddings("MirrorPadGrad", context, 1, dy.rank());
    Shape shape = dy.shape;
    for (int d = 0; d < dy.rank(); ++d) {
      shape[d] -= by.before[d] + by.after[d];
      require(shape[d] >= 0, "MirrorPadGrad: paddings of dimension {} exceed its size {}", d, dy.shape[d]);
    }
    check_mirror(mirror_, shape, by);
    mirror_pad_gradient(context.queue(), mirror_, dy, by.before, context.output(0, shape));
  }

 private:
  Mirror mirror_;
};

struct Tile : Kernel {
  explicit Tile(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const auto multiples = context.integers(1);
    require(static_cast<int>(multiples.size()) == x.rank(),
            "Expected multiples argument to be a vector of length {} but got length {}", x.rank(), multiples.size());
    Shape shape = x.shape;
    for (int d = 0; d < x.rank(); ++d) {
      const auto times = multiples[static_cast<size_t>(d)];
      require(times >= 0, "Expected multiples[{}] >= 0, but got {}", d, times);
      shape[d] *= times;
    }
    if (shape == x.shape) return context.set_output(0, x);
    tile(context.place(), x, context.output(0, shape));
  }
};

struct ReverseV2 : Kernel {
  explicit ReverseV2(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    View from = x;
    Dims seen;
    for (auto value : context.integers(1)) {
      const int axis = axis_of("ReverseV2", value, x.rank());
      require(std::find(seen.begin(), seen.end(), axis) == seen.end(), "axis {} specified more than once.", axis);
      seen.push_back(axis);
      from = flipped(from, axis);
    }
    if (seen.empty()) return context.set_output(0, x);
    copy(context.place(), from, context.output(0, x.shape));
  }
};

struct Reverse : Kernel {
  explicit Reverse(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0), dims = context.input(1);
    require(dims.elements() == x.rank(), "dims must have length {}, got {}", x.rank(), dims.elements());
    View from = x;
    for (int d = 0; d < x.rank(); ++d)
      if (dims.host<const bool>()[static_cast<size_t>(d)]) from = flipped(from, d);
    copy(context.place(), from, context.output(0, x.shape));
  }
};

struct Roll : Kernel {
  explicit Roll(const Attrs&) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    const auto shifts = context.integers(1), axes = context.integers(2);
    require(x.rank() >= 1, "input must be 1-D or higher");
    require(shifts.size() == axes.size(), "shift and axis must have the same size, got {} and {}", shifts.size(),
            axes.size());
    Dims total = Dims::filled(x.rank(), 0), all_axes;
    for (size_t i = 0; i < axes.size(); ++i) {
      const int axis = axis_of("Roll", axes[i], x.rank());
      const int64_t n = std::max<int64_t>(x.shape[axis], 1);
      total[axis] = (total[axis] + shifts[i] % n) % n;
    }
    for (int d = 0; d < x.rank(); ++d) all_axes.push_back(d);
    roll(context.place(), x, total, all_axes, context.output(0, x.shape));
  }
};

class ReverseSequence : public Kernel {
 public:
  explicit ReverseSequence(const Attrs& attrs)
      : axis_(static_cast<int>(attrs.integer("seq_dim"))), batch_(static_cast<int>(attrs.integer("batch_dim"))) {}
  void run(Context& context) const override {
    auto x = context.input(0);
    reverse_sequence(context.queue(), x, context.input(1), axis_, batch_, context.output(0, x.shape));
  }

 private:
  int axis_, batch_;
};

}  // namespace

void register_layout(const Registrar& r) {
  r.add<Transpose>("Transpose", {.types = all, .host = {"perm"}});
  r.add<Transpose>("Transpose", {.types = int32, .host = {"x", "perm", "y"}});
  r.add<Slice>("Slice", {.types = all, .host = {"begin", "size"}});  // TensorFlow has int32 for Slice, Concat, Unpack
  r.add<Concat<0>>("Concat", {.types = all, .host = {"concat_dim"}});
  r.add<Concat<1>>("ConcatV2", {.types = all, .host = {"axis"}});
  r.add<Split>("Split", {.types = all, .host = {"split_dim"}});
  r.add<Split>("Split", {.types = int32, .host = {"split_dim", "value", "output"}});
  r.add<SplitV>("SplitV", {.types = all, .host = {"size_splits", "split_dim"}});
  r.add<SplitV>("SplitV", {.types = int32, .host = {"value", "size_splits", "split_dim", "output"}});
  r.add<Pack>("Pack", {.types = all});
  r.add<Pack>("Pack", {.types = int32, .host = {"values", "output"}});
  r.add<Unpack>("Unpack", {.types = all});
  r.add<Pad<false>>("Pad", {.types = all, .host = {"paddings"}});
  r.add<Pad<false>>("Pad", {.types = int32, .host = {"input", "paddings", "output"}});
  r.add<Pad<true>>("PadV2", {.types = all, .host = {"paddings", "constant_values"}});
  r.add<Pad<true>>("PadV2", {.types = int32, .host = {"input", "paddings", "constant_values", "output"}});
  r.add<MirrorPad>("MirrorPad", {.types = all, .host = {"paddings"}});
  r.add<MirrorPad>("MirrorPad", {.types = int32, .host = {"input", "paddings", "output"}});
  r.add<MirrorPadGrad>("MirrorPadGrad", {.types = floats, .host = {"paddings"}});
  r.add<Tile>("Tile", {.types = all, .host = {"multiples"}});
  r.add<Tile>("Tile", {.types = int32, .host = {"input", "multiples", "output"}});
  r.add<ReverseV2>("ReverseV2", {.types = all, .host = {"axis"}});
  r.add<ReverseV2>("ReverseV2", {.types = int32, .host = {"tensor", "axis", "output"}});
  r.add<Reverse>("Reverse", {.types = all, .host = {"dims"}});
  r.add<Reverse>("Reverse", {.types = int32, .host = {"tensor", "dims", "output"}});
  r.add<Roll>("Roll", {.types = all, .host = {"shift", "axis"}});
  r.add<Roll>("Roll", {.types = int32, .host = {"input", "shift", "axis", "output"}});
  r.add<ReverseSequence>("ReverseSequence", {.types = all});
}

}  // namespace ocldnn::tf
