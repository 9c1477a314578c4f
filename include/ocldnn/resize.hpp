#pragma once

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Where the elements of an image lie when it is resized to another size, in TensorFlow's three conventions.
enum class Corners {
  legacy,      // output i at i * in / out
  align,       // the outermost elements of both lie on each other
  half_pixel,  // at the middles of pixels: (i + 0.5) * in / out - 0.5
};

/// Views are [N, H, W, C] in this logical order whatever the layout in memory, both of one type.
/// Each output is the nearest input; any type (TF: ResizeNearestNeighbor).
void resize_nearest(const Exec& exec, Corners corners, const View& x, const View& y);
/// Each output is interpolated between four inputs; floating types (TF: ResizeBilinear).
void resize_bilinear(const Exec& exec, Corners corners, const View& x, const View& y);

/// dx from dy, the gradients of the two (TF: ResizeNearestNeighborGrad, ResizeBilinearGrad). Nearest: integers too.
void resize_nearest_gradient(const Exec& exec, Corners corners, const View& dy, const View& dx);
void resize_bilinear_gradient(const Exec& exec, Corners corners, const View& dy, const View& dx);

/// How a place between elements is read: the nearest element, or four of them in proportion.
enum class Sampling { nearest, bilinear };

/// What lies beside an image.
enum class Border {
  constant,  // one number
  reflect,   // the image mirrored, its outermost elements twice
  wrap,      // the image again
  nearest,   // its outermost elements
};

/// Images seen through projective transforms: output (column w, row h) is read from x at column (a0 w + a1 h + a2) / k
/// and row (b0 w + b1 h + b2) / k, where k = c0 w + c1 h + 1. Where k is 0, and beside the image for Border::constant,
/// there is `fill` (TF: ImageProjectiveTransformV3). Places, and what is interpolated, are computed in f32.
/// x [N, H, W, C] and y [N, OH, OW, C] of one type but boolean, in any layout; transforms [N, 8] or, for all images,
/// [1, 8] in f32: a0 a1 a2 b0 b1 b2 c0 c1. Anything else throws `invalid_argument`. An image without elements is all
/// fill.
void project(const Exec& exec, Sampling sampling, Border border, float fill, const View& x, const View& transforms,
             const View& y);

}  // namespace ocldnn
