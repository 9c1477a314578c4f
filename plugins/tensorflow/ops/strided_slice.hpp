#pragma once

#include "api/kernel.hpp"

namespace ocldnn::tf {

/// What begin, end, strides and the five masks of TensorFlow's strided slices choose of a tensor.
class StridedSlicing {
 public:
  /// Reads the masks of a node.
  explicit StridedSlicing(const Attrs& attrs);

  /// The chosen elements of x in the op's result shape; strides may be negative, which copy() allows. The three lists
  /// are inputs begin_input, begin_input + 1 and begin_input + 2 of the running kernel.
  View of(const View& x, const Context& context, int begin_input) const;
  View of(const View& x, std::span<const int64_t> begin, std::span<const int64_t> end,
          std::span<const int64_t> strides) const;

 private:
  int64_t begin_mask_, end_mask_, ellipsis_mask_, new_axis_mask_, shrink_axis_mask_;
};

}  // namespace ocldnn::tf
