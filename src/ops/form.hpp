#pragma once

#include <algorithm>
#include <vector>

#include "engine/form.hpp"
#include "runtime/launch.hpp"

namespace ocldnn {

/// Whether kernels should use work-groups of many items (GPUs). Elsewhere a group of one item that loops over a chunk
/// is several times faster than work-items turned into loops by the driver.
inline bool wide_groups(Queue& queue) { return wants_wide_groups(queue.device()); }

/// Work-items of a wide group: a power of two.
inline int64_t group_items(Queue& queue) {
  int64_t items = 256;
  while (items > queue.device().info().max_group) items /= 2;
  return items;
}

/// Arguments of a kernel whose indices are 32 or 64 bits wide (cl/types.cl: index_t).
class Arguments {
 public:
  explicit Arguments(bool narrow) : narrow_(narrow) {}
  Arguments& add(const Argument& argument) {
    list_.push_back(argument);
    return *this;
  }
  Arguments& index(int64_t value) { return narrow_ ? add(static_cast<int32_t>(value)) : add(value); }
  std::span<const Argument> list() const { return list_; }

 private:
  std::vector<Argument> list_;
  bool narrow_;
};

/// Whether every offset inside these views, and rounding up to whole groups, fits an int.
template <class... V>
bool narrow(const V&... views) {
  return !wants_long_indices(std::max({extent(views)..., views.elements()...}));
}

/// How `total` independent pieces of work are dealt to groups: see cl/spread.cl.
struct Spread {
  Grid grid;
  int64_t chunk = 1;
};

/// `least` is the number of pieces that makes a group of one item worth its start.
inline Spread spread(Queue& queue, KernelId& id, int64_t total, int64_t least) {
  Spread result;
  const int64_t items = wide_groups(queue) ? group_items(queue) : 1;
  if (items == 1) result.chunk = std::max(least, ceil_div(total, int64_t{4} * queue.device().info().compute_units));
  id.define("GROUP", items);
  result.grid.local[0] = static_cast<size_t>(items);
  result.grid.groups[0] = static_cast<size_t>(ceil_div(total, items * result.chunk));
  return result;
}

// Elements that are only moved are seen as unsigned integers of their size; neighbours that may be moved together, as
// vectors of `width` bytes, are still counted in words.

constexpr Type word_of(size_t width) {
  return width == 1 ? Type::u8 : width == 2 ? Type::u16 : width == 4 ? Type::u32 : Type::u64;
}

constexpr std::string_view moved_type(size_t width) {
  constexpr std::string_view names[]{"uchar", "ushort", "uint", "ulong", "ulong2", "ulong4"};
  int log2 = 0;
  while (size_t{1} << log2 < width) ++log2;
  return names[log2];
}

inline View words(const void* address, size_t width) { return {const_cast<void*>(address), word_of(width), Shape{1}}; }

/// The same memory as unsigned integers of the same size.
inline View as_bits(const View& view) {
  View result = view;
  result.type = word_of(size_of(view.type));
  return result;
}

/// The widest power of two up to `widest` that divides `bytes` and all the addresses.
inline size_t common_width(size_t widest, size_t bytes, std::initializer_list<const void*> addresses) {
  size_t width = widest;
  const auto divides = [&](const void* address) { return reinterpret_cast<uintptr_t>(address) % width == 0; };
  while (bytes % width || !std::all_of(addresses.begin(), addresses.end(), divides)) width /= 2;
  return width;
}

}  // namespace ocldnn
