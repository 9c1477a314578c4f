#pragma once

#include <algorithm>
#include <vector>

#include "runtime/launch.hpp"

namespace ocldnn {

/// Whether kernels should use work-groups of many items (GPUs). Elsewhere a group of one item that loops over a chunk is
/// several times faster than work-items turned into loops by the driver.
inline bool wide_groups(Queue& queue) { return wants_wide_groups(queue.device()); }

/// Work-items of a wide group: a power of two.
inline int64_t group_items(Queue& queue) {
  int64_t items = 256;
  while (items > queue.device().info().max_group) items /= 2;
  return items;
}

constexpr int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

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
  const auto fits = [](const View& view) {
    int64_t reach = 1;
    for (int d = 0; d < view.rank(); ++d) reach += std::max<int64_t>(view.shape[d] - 1, 0) * view.strides[d];
    return std::max(reach, view.elements()) < int64_t{1} << 30;
  };
  return (fits(views) && ...);
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

/// The unsigned type of a size, for kernels that move elements without looking at them.
constexpr Type bits_type(Type type) {
  constexpr Type types[]{Type::u8, Type::u8, Type::u16, Type::u16, Type::u32, Type::u32, Type::u32, Type::u32, Type::u64};
  return types[size_of(type)];
}

/// The same memory as unsigned integers of the same size.
inline View as_bits(const View& view) {
  View result = view;
  result.type = bits_type(view.type);
  return result;
}

}  // namespace ocldnn
