#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

// Indices are i32 or i64 tensors in device memory. One outside its range reads zeros and writes nothing, as on TF-GPU:
// a device cannot raise an exception from inside a kernel.

/// y[b..., o..., i..., k...] = x[b..., o..., indices[b..., i...], k...]: `axis` counts in x, the first `batch_dims`
/// dimensions are common to x and indices (TF: GatherV2, ResourceGather). Any type; dense views.
void gather(Queue& queue, const View& x, const View& indices, int axis, int batch_dims, const View& y);

/// y[b..., i..., k...] = x[b..., indices[b..., i..., 0], indices[b..., i..., 1], ..., k...] (TF: GatherNd).
void gather_nd(const Exec& exec, const View& x, const View& indices, int batch_dims, const View& y);

enum class Update { assign, add, subtract, multiply, divide, minimum, maximum };

/// x[indices[i...], k...] (update)= updates[i..., k...], in place, in the order of i: where an index occurs twice the
/// result is the same every time (TF: ResourceScatterAdd and its like). `updates` may also be a scalar.
void scatter(const Exec& exec, Update update, const View& x, const View& indices, const View& updates);

/// x[indices[i..., 0], indices[i..., 1], ..., k...] (update)= updates[i..., k...], in place, in the order of i
/// (TF: ResourceScatterNdAdd; ScatterNd after a fill, TensorScatterAdd after a copy).
void scatter_nd(const Exec& exec, Update update, const View& x, const View& indices, const View& updates);

/// y[s, k...] = sum, product, maximum or minimum of the rows x[i..., k...] with ids[i...] = s, in the order of i; the
/// neutral element where there is none (TF: UnsortedSegmentSum, ...Prod, ...Max, ...Min).
void segment(const Exec& exec, Update update, const View& x, const View& ids, const View& y);

/// y = on where the index along `axis` of y equals indices[...], else off; both are scalars in device memory
/// (TF: OneHot). `axis` counts in y.
void one_hot(Queue& queue, const View& indices, const View& on, const View& off, int axis, const View& y);

/// y[x[i]] = i (TF: InvertPermutation).
void invert_permutation(Queue& queue, const View& x, const View& y);

/// The coordinates of x's elements that are not zero, in row-major order, as i64 [count, rank] (TF: Where). The count
/// is only known on the device: count_nonzero() waits for it and returns it; coordinates() then fills y.
class Nonzero {
 public:
  Nonzero(const Exec& exec, const View& x);
  int64_t count() const { return count_; }
  void coordinates(Queue& queue, const View& y) const;

 private:
  View x_, positions_;
  int64_t count_ = 0;
};

}  // namespace ocldnn
