#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "ocldnn/error.hpp"
#include "ocldnn/types.hpp"

namespace ocldnn {

inline constexpr int max_rank = 12;

/// A short list of integers kept in place: dimensions, strides, axes. Longer ones throw `unimplemented`.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> values) : Dims(std::span(values.begin(), values.size())) {}
  explicit Dims(std::span<const int64_t> values);
  /// `rank` copies of `value`.
  static Dims filled(int rank, int64_t value);

  int rank() const { return rank_; }
  bool empty() const { return rank_ == 0; }
  int64_t operator[](int i) const { return values_[i]; }
  int64_t& operator[](int i) { return values_[i]; }
  const int64_t* begin() const { return values_.data(); }
  const int64_t* end() const { return values_.data() + rank_; }
  int64_t* begin() { return values_.data(); }
  int64_t* end() { return values_.data() + rank_; }
  void push_back(int64_t value);
  /// Product of all values; 1 for rank 0.
  int64_t elements() const;
  /// "[2,3]".
  std::string text() const;
  friend bool operator==(const Dims& a, const Dims& b);

 private:
  std::array<int64_t, max_rank> values_{};
  int rank_ = 0;
};

using Shape = Dims;    // dimensions, outermost first
using Strides = Dims;  // distances between neighbours along each dimension, in elements; 0 repeats, never negative

/// Strides of a dense row-major tensor of this shape.
Strides dense_strides(const Shape& shape);

/// The shape NumPy's rules give for these together; throws `invalid_argument` naming `op` and the shapes.
Shape broadcast_shapes(std::string_view op, std::span<const Shape> shapes);

/// A typed, strided look at device memory that somebody else owns. `data` is a device address (device.hpp): it may
/// point anywhere inside an allocation, at any element. A view with no elements may hold any address.
struct View {
  void* data = nullptr;
  Type type = Type::f32;
  Shape shape;
  Strides strides;

  View() = default;
  /// Dense, row major.
  View(void* data, Type type, const Shape& shape)
      : data(data), type(type), shape(shape), strides(dense_strides(shape)) {}
  View(void* data, Type type, const Shape& shape, const Strides& strides)
      : data(data), type(type), shape(shape), strides(strides) {}

  int rank() const { return shape.rank(); }
  int64_t elements() const { return shape.elements(); }
  size_t bytes() const { return static_cast<size_t>(elements()) * size_of(type); }
  bool is_dense() const;

  /// The same memory seen otherwise. None of these touches the device.
  View permuted(const Dims& axes) const;                             // dimension i of the result is axes[i] of this
  View transposed() const;                                           // last two dimensions exchanged
  View reshaped(const Shape& shape) const;                           // requires is_dense()
  View broadcast_to(std::string_view op, const Shape& shape) const;  // stride 0 where a dimension repeats
  View sliced(int axis, int64_t begin, int64_t size, int64_t step = 1) const;  // step >= 1
  View unsqueezed(int axis) const;  // a dimension of 1 inserted before `axis`
};

}  // namespace ocldnn
