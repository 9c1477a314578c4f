#include "api/registrar.hpp"
#include "ocldnn/layout.hpp"
#include "ops/register.hpp"
#include "ops/window.hpp"

// Blocks of the image exchanged with channels or with the batch.

namespace ocldnn::tf {
namespace {

class Blocks : public Kernel {
 public:
  Blocks(const char* op, const Attrs& attrs) : block_(attrs.integer("block_size")), layout_(op, attrs) {
    require(block_ > 1, "{}: Block size should be > 1, but was: {}", op, block_);
  }

 protected:
  /// [N, H, W, C] of an image tensor.
  View logical(const View& x) const {
    require(x.rank() == 4, "Input rank should be: 4 instead of: {}", x.rank());
    return layout_.channels_last(x);
  }
  /// Output 0 of logical shape n, h, w, c.
  View output(Context& context, Tensor& holder, const Shape& nhwc) const {
    holder = context.output(0, layout_.of_node(nhwc));
    return layout_.channels_last(holder);
  }
  int64_t block_;

 private:
  SpatialLayout<2> layout_;
};

struct SpaceToDepth : Blocks {
  explicit SpaceToDepth(const Attrs& attrs) : Blocks("SpaceToDepth", attrs) {}
  void run(Context& context) const override {
    auto input = context.input(0);
    const View x = logical(input);
    const auto& s = x.shape;
    require(s[1] % block_ == 0 && s[2] % block_ == 0,
            "Image width {} and height {} should be divisible by block_size: {}", s[2], s[1], block_);
    Tensor holder;
    const View y = output(context, holder, {s[0], s[1] / block_, s[2] / block_, s[3] * block_ * block_});
    space_to_depth(context.queue(), x, block_, y);
  }
};

struct DepthToSpace : Blocks {
  explicit DepthToSpace(const Attrs& attrs) : Blocks("DepthToSpace", attrs) {}
  void run(Context& context) const override {
    auto input = context.input(0);
    const View x = logical(input);
    const auto& s = x.shape;
    require(s[3] % (block_ * block_) == 0, "Input depth dimension {} should be divisible by: {}", s[3],
            block_ * block_);
    Tensor holder;
    const View y = output(context, holder, {s[0], s[1] * block_, s[2] * block_, s[3] / (block_ * block_)});
    depth_to_space(context.queue(), x, block_, y);
  }
};

// What is added to or taken from each blocked dimension: pairs in host memory.
struct Borders {
  Dims before, after;
};

Borders borders(const Context& context, int input, int count) {
  const auto values = context.integers(input);
  require(values.size() == 2 * static_cast<size_t>(count), "paddings or crops should have shape [{}, 2], got {}", count,
          context.input(input).shape.text());
  Borders result;
  for (size_t d = 0; d < static_cast<size_t>(count); ++d) {
    require(values[2 * d] >= 0 && values[2 * d + 1] >= 0, "Paddings and crops must be non-negative, got {} and {}",
            values[2 * d], values[2 * d + 1]);
    result.before.push_back(values[2 * d]);
    result.after.push_back(values[2 * d + 1]);
  }
  return result;
}

Dims checked_block(const Dims& block, int rank) {
  require(block.rank() + 1 <= rank, "input rank should be >= {} instead of {}", block.rank() + 1, rank);
  for (auto size : block) require(size >= 1, "All values in block_shape must be positive, got {}", size);
  return block;
}

void to_batch(Context& context, const Dims& block, int borders_input) {
  auto x = context.input(0);
  checked_block(block, x.rank());
  const auto by = borders(context, borders_input, block.rank());
  Shape shape = x.shape;
  shape[0] *= block.elements();
  for (int d = 0; d < block.rank(); ++d) {
    const int64_t padded = x.shape[1 + d] + by.before[d] + by.after[d];
    require(padded % block[d] == 0, "padded_shape[{}]={} is not divisible by block_shape[{}]={}", d, padded, d,
            block[d]);
    shape[1 + d] = padded / block[d];
  }
  space_to_batch(context.exec(), x, block, by.before, context.output(0, shape));
}

void to_space(Context& context, const Dims& block, int borders_input) {
  auto x = context.input(0);
  checked_block(block, x.rank());
  const auto by = borders(context, borders_input, block.rank());
  require(x.shape[0] % block.elements() == 0,
          "Input batch dimension ({}) is not divisible by product of block sizes ({})", x.shape[0], block.elements());
  Shape shape = x.shape;
  shape[0] /= block.elements();
  for (int d = 0; d < block.rank(); ++d) {
    shape[1 + d] = x.shape[1 + d] * block[d] - by.before[d] - by.after[d];
    require(shape[1 + d] >= 0, "cropped_shape[{}]={} must be non-negative", d, shape[1 + d]);
  }
  batch_to_space(context.exec(), x, block, by.before, context.output(0, shape));
}

template <void (*move)(Context&, const Dims&, int)>
struct BatchNd : Kernel {
  explicit BatchNd(const Attrs&) {}
  void run(Context& context) const override { move(context, Dims(context.integers(1)), 2); }
};

template <void (*move)(Context&, const Dims&, int)>
class BatchImage : public Kernel {
 public:
  explicit BatchImage(const Attrs& attrs) : block_(attrs.integer("block_size")) {
    require(block_ > 1, "Block size should be > 1: {}", block_);
  }
  void run(Context& context) const override { move(context, {block_, block_}, 1); }

 private:
  int64_t block_;
};

}  // namespace

void register_space(const Registrar& r) {
  r.add<SpaceToDepth>("SpaceToDepth", {.types = all});
  r.add<DepthToSpace>("DepthToSpace", {.types = all});
  r.add<BatchNd<to_batch>>("SpaceToBatchND", {.types = all, .host = {"block_shape", "paddings"}});
  r.add<BatchNd<to_space>>("BatchToSpaceND", {.types = all, .host = {"block_shape", "crops"}});
  r.add<BatchImage<to_batch>>("SpaceToBatch", {.types = all, .host = {"paddings"}});
  r.add<BatchImage<to_space>>("BatchToSpace", {.types = all, .host = {"crops"}});
}

}  // namespace ocldnn::tf
