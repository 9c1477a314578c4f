#pragma once

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <span>

#include "runtime/launch.hpp"

namespace ocldnn {

/// How kernels are laid out on a device. On CPUs (and accelerators, where a work-item is dear) a work-group is one item
/// that walks explicit vectors; on GPUs it is many items, each an element at a time.
struct Form {
  bool solo;          // a work-group is one item
  int width;          // elements a vector: WIDTH of cl/vector.cl
  int units;          // compute units
  int64_t max_group;  // work-items a group may have
};

/// `elements` is how long the vectorised dimension is: short ones get narrower vectors.
inline Form form_of(Queue& queue, Type type, int64_t elements) {
  const auto& info = queue.device().info();
  const bool solo = !wants_wide_groups(queue.device());
  int width = 1;
  if (solo) {
    // At least 4: every driver for CPUs splits or pads what the machine lacks.
    const int native = std::clamp(info.float_width, 4, 16);
    width = size_of(compute_type(type)) == 8 ? native / 2 : native;
    if (elements < width) width = elements < 4 ? 1 : 4;  // few classes: each is compiled for itself
  }
  return {solo, width, std::max(info.compute_units, 1), info.max_group};
}

/// What kernels on vectors compute in: int for the narrow integers.
inline Type arithmetic_of(Type type) { return is_integer(type) && size_of(type) < 4 ? Type::i32 : compute_type(type); }

/// What cl/vector.cl wants to know: how elements of `type` are stored, and what they are computed in, in vectors of the
/// form's width.
inline void define_storage(KernelId& id, Type type, const Form& form, Type arithmetic) {
  constexpr std::string_view kinds[type_count]{"f32", "f64", "f16", "bf16", "i8",  "i16",    "i32",
                                               "i64", "u8",  "u16", "u32",  "u64", "boolean"};
  constexpr std::string_view bits[type_count]{"float", "double", "ushort", "ushort", "char",  "short", "int",
                                              "long",  "uchar",  "ushort", "uint",   "ulong", "uchar"};
  const auto i = static_cast<size_t>(type);
  id.define("S", bits[i]).define("S_KIND", kinds[i]).type("T", arithmetic);
  id.define("WIDTH", int64_t{form.width}).define("CPU_FORM", int64_t{form.solo});
}

inline void define_storage(KernelId& id, Type type, const Form& form) {
  define_storage(id, type, form, arithmetic_of(type));
}

/// Elements from the first to the last that the view touches, and so the largest index a kernel forms.
inline int64_t extent(const View& view) {
  int64_t last = 0;
  for (int i = 0; i < view.rank(); ++i) last += std::max<int64_t>(view.shape[i] - 1, 0) * view.strides[i];
  return last + 1;
}

/// 32-bit indexing where every view allows it, else -DINDEX_64 (cl/types.cl).
inline void define_index(KernelId& id, std::span<const View> views) {
  int64_t largest = 0;
  for (const auto& view : views) largest = std::max({largest, extent(view), view.elements()});
  if (wants_long_indices(largest)) id.define("INDEX_64", int64_t{1});
}

inline void define_index(KernelId& id, std::initializer_list<View> views) {
  define_index(id, std::span(views.begin(), views.size()));
}

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace ocldnn
