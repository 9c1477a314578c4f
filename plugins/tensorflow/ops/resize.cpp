#include "ocldnn/resize.hpp"

#include <algorithm>

#include "api/registrar.hpp"
#include "ocldnn/pointwise.hpp"
#include "ops/register.hpp"

namespace ocldnn::tf {
namespace {

/// What the four resizing ops share: TensorFlow's two flags for where elements lie.
class Resize : public Kernel {
 public:
  Resize(const Attrs& attrs, const char* op) : op_(op) {
    const bool align = attrs.flag("align_corners"), half = attrs.flag("half_pixel_centers");
    require(!align || !half, "{}: If half_pixel_centers is True, align_corners must be False.", op);
    corners_ = align ? Corners::align : half ? Corners::half_pixel : Corners::legacy;
  }

 protected:
  /// [N, height, width, C] from an image and the two numbers of input `i`, in host memory.
  Shape resized(const Context& context, const Shape& image, int i) const {
    require(image.rank() == 4, "{}: input must be 4-dimensional, got {}", op_, image.text());
    auto sizes = context.integers(i);
    require(sizes.size() == 2, "{}: size must have two elements, got {}", op_, sizes.size());
    require(sizes[0] > 0 && sizes[1] > 0, "{}: output dimensions must be positive, got {} and {}", op_, sizes[0],
            sizes[1]);
    require(image[1] > 0 && image[2] > 0, "{}: input image must be of non-zero size, got {}", op_, image.text());
    return {image[0], sizes[0], sizes[1], image[3]};
  }

  const char* op_;
  Corners corners_ = Corners::legacy;
};

/// ResizeNearestNeighbor, and its gradient, which is told the image's size in the same way.
template <void (*resize)(const Exec&, Corners, const View&, const View&)>
struct ResizeNearest : Resize {
  explicit ResizeNearest(const Attrs& attrs) : Resize(attrs, "ResizeNearestNeighbor") {}
  void run(Context& context) const override {
    auto from = context.input(0);
    auto to = context.output(0, resized(context, from.shape, 1));
    resize(context.exec(), corners_, from, to);
  }
};

/// The result is float32 whatever the image's type, and so is the arithmetic.
struct ResizeBilinear : Resize {
  explicit ResizeBilinear(const Attrs& attrs) : Resize(attrs, "ResizeBilinear") {}
  void run(Context& context) const override {
    auto x = context.input(0);
    auto y = context.output(0, resized(context, x.shape, 1));
    View image = x;
    if (x.type != Type::f32) {
      image = context.exec().temporary(Type::f32, x.shape);
      pointwise(context.queue(), op_, Type::f32, {{"x", x}}, {{image, "x"}});
    }
    resize_bilinear(context.exec(), corners_, image, y);
  }
};

/// Inputs: dy in float32, and the image, for its shape and type; float64 is summed as such.
struct ResizeBilinearGrad : Resize {
  explicit ResizeBilinearGrad(const Attrs& attrs) : Resize(attrs, "ResizeBilinearGrad") {}
  void run(Context& context) const override {
    auto dy = context.input(0), x = context.input(1);
    require(dy.rank() == 4 && x.rank() == 4, "{}: gradient and image must be 4-dimensional, got {} and {}", op_,
            dy.shape.text(), x.shape.text());
    auto dx = context.output(0, x.shape);
    if (dx.type == dy.type) return resize_bilinear_gradient(context.exec(), corners_, dy, dx);
    const Type compute = compute_type(dx.type);
    auto gradient = context.exec().temporary(compute, dy.shape), result = context.exec().temporary(compute, x.shape);
    pointwise(context.queue(), op_, compute, {{"x", dy}}, {{gradient, "x"}});
    resize_bilinear_gradient(context.exec(), corners_, gradient, result);
    pointwise(context.queue(), op_, compute, {{"x", result}}, {{dx, "x"}});
  }
};

/// ImageProjectiveTransformV2 and V3, which is told as well what lies outside of the images.
class Project : public Kernel {
 public:
  explicit Project(const Attrs& attrs)
      : sampling_(choice<Sampling>(attrs, "interpolation", {"NEAREST", "BILINEAR"})),
        border_(choice<Border>(attrs, "fill_mode", {"CONSTANT", "REFLECT", "WRAP", "NEAREST"})) {}

  void run(Context& context) const override {
    auto x = context.input(0), transforms = context.input(1);
    require(x.rank() == 4, "{}: Input images must have rank 4, got {}", op, x.shape.text());
    require(transforms.rank() == 2 && (transforms.shape[0] == x.shape[0] || transforms.shape[0] == 1) &&
                transforms.shape[1] == 8,
            "{}: Input transform should be num_images x 8 or 1 x 8, got {}", op, transforms.shape.text());
    const Shape given = context.input(2).shape;
    require(given.rank() == 1, "{}: output shape must be 1-dimensional, got {}", op, given.text());
    require(given[0] == 2, "{}: output shape must have two elements, got {}", op, given.text());
    auto size = context.integers(2);
    require(size[0] > 0 && size[1] > 0, "{}: output dimensions must be positive, got {} and {}", op, size[0], size[1]);
    float fill = 0;
    if (context.inputs() > 3) {
      auto value = context.input(3);
      require(value.rank() == 0, "{}: fill_value must be a scalar, got {}", op, value.shape.text());
      fill = value.host<const float>()[0];
    }
    auto y = context.output(0, {x.shape[0], size[0], size[1], x.shape[3]});
    project(context.exec(), sampling_, border_, fill, x, transforms, y);
  }

 private:
  static constexpr std::string_view op = "ImageProjectiveTransform";

  /// The value of E whose place the attribute's text has among `texts`.
  template <class E>
  static E choice(const Attrs& attrs, const char* name, std::initializer_list<std::string_view> texts) {
    const auto text = attrs.text(name);
    const auto* found = std::find(texts.begin(), texts.end(), text);
    require(found != texts.end(), "{}: Invalid {} {}", op, name, text);
    return static_cast<E>(found - texts.begin());
  }

  Sampling sampling_;
  Border border_;
};

using enum Type;
constexpr Type projected[]{f32, f16, bf16, f64, i32, i64, u8};
constexpr Type images[]{f32, f16, bf16, f64, i8, i16, i64, u8, u16};
constexpr Type nearest_gradients[]{f32, f16, bf16, f64, i8, u8};

}  // namespace

void register_resize(const Registrar& registrar) {
  registrar.add<ResizeNearest<resize_nearest>>("ResizeNearestNeighbor", {.types = images, .host = {"size"}});
  registrar.add<ResizeNearest<resize_nearest_gradient>>("ResizeNearestNeighborGrad",
                                                        {.types = nearest_gradients, .host = {"size"}});
  registrar.add<ResizeBilinear>("ResizeBilinear", {.types = images, .host = {"size"}});
  registrar.add<ResizeBilinearGrad>("ResizeBilinearGrad");
  registrar.add<Project>("ImageProjectiveTransformV2",
                         {.host = {"output_shape"}, .constraints = {{"dtype", projected}}});
  registrar.add<Project>("ImageProjectiveTransformV3",
                         {.host = {"output_shape", "fill_value"}, .constraints = {{"dtype", projected}}});
}

}  // namespace ocldnn::tf
