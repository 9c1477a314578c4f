#include "ocldnn/resize.hpp"

#include "engine/lines.hpp"
#include "ops/resize/images.hpp"

namespace ocldnn {
namespace {

/// Distance of two outputs, counted in inputs.
float scale_of(Corners corners, int64_t in, int64_t out) {
  if (corners == Corners::align && out > 1) return static_cast<float>(in - 1) / static_cast<float>(out - 1);
  return static_cast<float>(in) / static_cast<float>(out);
}

/// x or dx, and y or dy.
void check(std::string_view op, const View& x, const View& y, bool floating) {
  check_images(op, x, y);
  require(!floating || is_floating(x.type), "{}: expected a floating type, got {}", op, name(x.type));
  require(y.elements() == 0 || x.elements() > 0, "{}: input image must be of non-zero size, got {}", op,
          x.shape.text());
}

/// x is [N, H, W, C], y [N, OH, OW, C]; from and to are them or their gradients.
void run(const Exec& exec, bool nearest, bool backward, Corners corners, const View& x, const View& y) {
  const View &from = backward ? y : x, &to = backward ? x : y;
  if (to.elements() == 0) return;
  const bool c_inner = from.strides[3] == 1 && to.strides[3] == 1;
  auto form = form_of(exec.queue, to.type, to.shape[3]);
  const Lines lines(form, c_inner, to);

  KernelId id("ops/resize/resize.cl", "resize");
  define_storage(id, to.type, form);
  lines.define(id);
  id.define("NEAREST", int64_t{nearest}).define("BACKWARD", int64_t{backward});
  id.define("HALF_PIXEL", int64_t{corners == Corners::half_pixel})
      .define("ALIGN_CORNERS", int64_t{corners == Corners::align});
  define_index(id, {from, to});
  launch(exec.queue, id, lines.grid(), from, from.strides[0], from.strides[1], from.strides[2], from.strides[3], to,
         to.strides[0], to.strides[1], to.strides[2], to.strides[3], static_cast<int32_t>(x.shape[0]),
         static_cast<int32_t>(x.shape[3]), static_cast<int32_t>(x.shape[1]), static_cast<int32_t>(x.shape[2]),
         static_cast<int32_t>(y.shape[1]), static_cast<int32_t>(y.shape[2]), scale_of(corners, x.shape[1], y.shape[1]),
         scale_of(corners, x.shape[2], y.shape[2]), lines.per_group());
}

}  // namespace

void resize_nearest(const Exec& exec, Corners corners, const View& x, const View& y) {
  check("resize_nearest", x, y, false);
  run(exec, true, false, corners, x, y);
}

void resize_bilinear(const Exec& exec, Corners corners, const View& x, const View& y) {
  check("resize_bilinear", x, y, true);
  run(exec, false, false, corners, x, y);
}

void resize_nearest_gradient(const Exec& exec, Corners corners, const View& dy, const View& dx) {
  check("resize_nearest_gradient", dx, dy, false);
  run(exec, true, true, corners, dx, dy);
}

void resize_bilinear_gradient(const Exec& exec, Corners corners, const View& dy, const View& dx) {
  check("resize_bilinear_gradient", dx, dy, true);
  run(exec, false, true, corners, dx, dy);
}

}  // namespace ocldnn
