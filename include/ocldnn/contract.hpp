#pragma once

#include <span>
#include <string_view>

#include "ocldnn/pointwise.hpp"

namespace ocldnn {

/// What happens to a finished sum before it is stored: an expression over `c`, the sum, and operands that broadcast to
/// the output's shape. {"c + b < 0 ? 0 : c + b", {{"b", bias}}} is bias and ReLU.
struct Epilogue {
  std::string_view expression = "c";
  std::span<const Operand> operands = {};
  std::span<const Scalar> scalars = {};
};

/// c[..., i, j] = sum over k of a[..., i, k] * b[..., k, j] (TF: MatMul, BatchMatMulV2/V3). Any strides: a transposed
/// matrix is a transposed() view. Leading dimensions broadcast to c's. f32, f64, f16, bf16 (summed in f32), integers.
void matmul(const Exec& exec, const View& a, const View& b, const View& c, const Epilogue& epilogue = {});

/// Geometry of a convolution over 1 to 3 spatial dimensions, beyond what the views' shapes say.
/// out = (in + pad_before + pad_after - (kernel - 1) * dilation - 1) / stride + 1.
struct Convolution {
  Dims stride, dilation, pad_before, pad_after;  // one value a spatial dimension
  int64_t groups = 1;
};

/// y[n, o..., q] = sum over taps t and channels c of x[n, o * stride + t * dilation - pad_before, g * C/groups + c] *
/// w[t..., c, q], q in group g (TF: Conv2D, Conv3D, DepthwiseConv2dNative).
/// Views are in this logical order whatever the layout in memory: x [N, spatial..., C], w [taps..., C/groups, OC],
/// y [N, spatial..., OC]. NHWC or NCHW, HWIO or OIHW are seen from the strides: permute, never copy.
/// Depthwise with multiplier m: groups = C, w [taps..., 1, C * m].
void convolution_forward(const Exec& exec, const Convolution& geometry, const View& x, const View& w, const View& y,
                         const Epilogue& epilogue = {});
/// dx, the gradient with respect to x, from dy and w: also the transposed convolution (TF: Conv2DBackpropInput).
void convolution_backward_data(const Exec& exec, const Convolution& geometry, const View& dy, const View& w,
                               const View& dx, const Epilogue& epilogue = {});
/// dw, the gradient with respect to w, from x and dy (TF: Conv2DBackpropFilter).
void convolution_backward_filter(const Exec& exec, const Convolution& geometry, const View& x, const View& dy,
                                 const View& dw);

}  // namespace ocldnn
