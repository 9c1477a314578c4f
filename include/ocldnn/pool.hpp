#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Windows over 1 to 3 spatial dimensions, one value a dimension.
/// out = (in + pad_before + pad_after - window) / stride + 1. What a window finds in the padding does not count.
///
/// Tensors are [N, spatial..., C] in this logical order whatever the layout in memory: NCHW is a permuted() view.
struct Pooling {
  Dims window, stride, pad_before, pad_after;
};

/// The output's spatial size for an input's; 0 where no window fits.
Dims pooled_size(const Pooling& geometry, const Dims& spatial);

/// y = the largest element of each window (TF: MaxPool, MaxPool3D). Floating types and integers. A NaN loses against
/// any number, as TensorFlow does on a CPU; a window of NaNs alone gives NaN.
void max_pool(const Exec& exec, const Pooling& geometry, const View& x, const View& y);

/// In the following, the largest element is the first in the window's row-major order that no other exceeds: a NaN
/// is it only where it stands first.

/// Also where that element is: its place in x as a dense [N, spatial..., C], or in one [spatial..., C] without
/// `with_batch`. `index` is i32 or i64, of y's shape (TF: MaxPoolWithArgmax).
void max_pool_with_argmax(const Exec& exec, const Pooling& geometry, const View& x, const View& y, const View& index,
                          bool with_batch);

/// dx = dy of every window, at that window's largest element of x; 0 elsewhere (TF: MaxPoolGrad). Windows may overlap.
void max_pool_gradient(const Exec& exec, const Pooling& geometry, const View& x, const View& dy, const View& dx);
/// The same from the places that max_pool_with_argmax gave (TF: MaxPoolGradWithArgmax). A place outside its window
/// counts for nothing.
void max_pool_argmax_gradient(const Exec& exec, const Pooling& geometry, const View& index, bool with_batch,
                              const View& dy, const View& dx);
/// The gradient's own gradient: ddy = ddx at the largest element of x in each window (TF: MaxPoolGradGrad).
void max_pool_second_gradient(const Exec& exec, const Pooling& geometry, const View& x, const View& ddx,
                              const View& ddy);

/// y = the mean of each window (TF: AvgPool, AvgPool3D). Floating types.
void avg_pool(const Exec& exec, const Pooling& geometry, const View& x, const View& y);
void avg_pool_gradient(const Exec& exec, const Pooling& geometry, const View& dy, const View& dx);

}  // namespace ocldnn
