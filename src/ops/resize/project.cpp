#include "engine/lines.hpp"
#include "ocldnn/resize.hpp"
#include "ops/resize/images.hpp"

namespace ocldnn {
namespace {

void check(const View& x, const View& transforms, const View& y) {
  constexpr std::string_view op = "project";
  check_images(op, x, y);
  require(transforms.type == Type::f32, "{}: expected transforms in f32, got {}", op, name(transforms.type));
  require(transforms.rank() == 2 && (transforms.shape[0] == x.shape[0] || transforms.shape[0] == 1) &&
              transforms.shape[1] == 8,
          "{}: expected transforms [{}, 8] or [1, 8], got {}", op, x.shape[0], transforms.shape.text());
}

/// `fill` as an argument of type T. A real number becomes an integer as in cl/access.cl.
Argument fill_of(Type arithmetic, float fill) {
  if (is_floating(arithmetic)) return scalar(arithmetic, double{fill});
  const float limit = arithmetic == Type::i32 ? 0x1p31F : 0x1p63F;
  return scalar(arithmetic, static_cast<int64_t>(fill >= -limit && fill < limit ? fill : -limit));
}

}  // namespace

void project(const Exec& exec, Sampling sampling, Border border, float fill, const View& x, const View& transforms,
             const View& y) {
  check(x, transforms, y);
  if (y.elements() == 0) return;
  const View& from = x.elements() > 0 ? x : y;  // no element of an empty image is read, but its address may be none
  const bool c_inner = from.strides[3] == 1 && y.strides[3] == 1, nearest = sampling == Sampling::nearest;
  const Type arithmetic = nearest ? arithmetic_of(y.type) : Type::f32;
  auto form = form_of(exec.queue, arithmetic, y.shape[3]);
  const Lines lines(form, c_inner, y);

  KernelId id("ops/resize/project.cl", "project");
  define_storage(id, y.type, form, arithmetic);
  lines.define(id);
  id.define("NEAREST", int64_t{nearest});
  id.define("REFLECT", int64_t{border == Border::reflect})
      .define("WRAP", int64_t{border == Border::wrap})
      .define("EDGE", int64_t{border == Border::nearest});
  define_index(id, {from, transforms, y});
  launch(exec.queue, id, lines.grid(), from, from.strides[0], from.strides[1], from.strides[2], from.strides[3],
         transforms, transforms.shape[0] == 1 ? int64_t{0} : transforms.strides[0], transforms.strides[1], y,
         y.strides[0], y.strides[1], y.strides[2], y.strides[3], static_cast<int32_t>(y.shape[0]),
         static_cast<int32_t>(y.shape[3]), static_cast<int32_t>(x.shape[1]), static_cast<int32_t>(x.shape[2]),
         static_cast<int32_t>(y.shape[1]), static_cast<int32_t>(y.shape[2]), fill_of(arithmetic, fill),
         lines.per_group());
}

}  // namespace ocldnn
