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

}  // namespace ocldnn
