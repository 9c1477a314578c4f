#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "api/kernel.hpp"

namespace ocldnn::tf {

/// Whether a node's attribute data_format puts the channels second (NCHW), not last; nodes without it have them last.
inline bool channels_first(const char* op, const Attrs& attrs) {
  if (!attrs.has("data_format")) return false;
  auto layout = attrs.text("data_format");
  const bool first = layout == "NCHW" || layout == "NCDHW";
  require(first || layout == "NHWC" || layout == "NDHWC", "{}: data format {} is not supported", op, layout);
  return first;
}

/// x as [N, spatial..., C], by its strides, from a tensor whose channels are second.
inline View channels_moved_last(const View& x) {
  Dims axes{0};
  for (int i = 2; i < x.rank(); ++i) axes.push_back(i);
  axes.push_back(1);
  return x.permuted(axes);
}

/// Where the dimensions of an image, row or volume lie in the tensors of a node: its attribute data_format. Views are
/// brought into the library's logical order [N, spatial..., C] by their strides; nothing is moved.
template <int spatial>
class SpatialLayout {
 public:
  SpatialLayout(const char* op, const Attrs& attrs) : channels_first_(channels_first(op, attrs)) {}

  View channels_last(const View& x) const { return channels_first_ ? channels_moved_last(x) : x; }
  Shape channels_last(const Shape& shape) const { return channels_last(View(nullptr, Type::f32, shape)).shape; }

  /// The shape of a node's tensor from one in the library's order.
  Shape of_node(const Shape& shape) const {
    Dims axes{0, spatial + 1};
    for (int i = 1; i <= spatial; ++i) axes.push_back(i);
    return channels_first_ ? View(nullptr, Type::f32, shape).permuted(axes).shape : shape;
  }

  /// The axis of spatial dimension i, and of the channels, in a node's tensors and lists.
  size_t axis(int i) const { return static_cast<size_t>(channels_first_ ? i + 2 : i + 1); }
  size_t channel_axis() const { return channels_first_ ? 1 : spatial + 1; }

 private:
  bool channels_first_;
};

/// A node's attributes padding and explicit_paddings.
class Padding {
 public:
  /// `rank` is that of the node's tensors.
  Padding(const char* op, const Attrs& attrs, size_t rank) : op_(op), kind_(attrs.text("padding")) {
    if (attrs.has("explicit_paddings")) explicit_ = attrs.integers("explicit_paddings");
    require(explicit_.size() == 2 * rank || (explicit_.empty() && kind_ != "EXPLICIT"),
            "{}: explicit_paddings must have {} values, got {}", op, 2 * rank, explicit_.size());
    for (auto value : explicit_) require(value >= 0, "{}: explicit_paddings must not be negative: {}", op, value);
  }

  /// Rows added before and after, and the size of the output.
  struct Sides {
    int64_t before = 0, after = 0, output = 0;
  };

  /// For windows that reach over `reach` of the `size` elements along `axis` of the node's layout.
  Sides sides(size_t axis, int64_t size, int64_t reach, int64_t stride) const {
    Sides found;
    if (kind_ == "SAME") {
      auto total = std::max<int64_t>(((size + stride - 1) / stride - 1) * stride + reach - size, 0);
      found.before = total / 2;
      found.after = total - found.before;
    } else if (kind_ == "EXPLICIT") {
      found.before = explicit_[2 * axis];
      found.after = explicit_[2 * axis + 1];
    }
    auto padded = size + found.before + found.after;
    require(padded + stride >= reach,
            "{}: Computed output size would be negative: {} [input_size: {}, effective_filter_size: {}, stride: {}]",
            op_, (padded - reach + stride) / stride, padded, reach, stride);
    found.output = std::max<int64_t>((padded - reach + stride) / stride, 0);
    return found;
  }

 private:
  const char* op_;
  std::string kind_;
  std::vector<int64_t> explicit_;
};

}  // namespace ocldnn::tf
