#include "ops/sort/radix.hpp"

#include <utility>

#include "ops/form.hpp"

namespace ocldnn {
namespace {

constexpr int64_t items = 8;           // neighbours an item of a wide group has
constexpr int64_t least_block = 4096;  // elements that make a group of one worth its start
constexpr int64_t most_elements = int64_t{1} << 30;

KernelId kernel(Queue& queue, std::string_view entry, Type key) {
  KernelId id("ops/sort/radix.cl", entry);
  const int64_t group = sort_group(queue);
  id.type("KEY", key).define("GROUP", group).define("ITEMS", items).define("BITS", group > 1 ? 4 : 8);
  return id;
}

Grid groups_of(Queue& queue, int64_t count) {
  Grid grid;
  grid.groups[0] = static_cast<size_t>(count);
  grid.local[0] = static_cast<size_t>(sort_group(queue));
  return grid;
}

}  // namespace

int64_t sort_group(Queue& queue) { return wide_groups(queue) ? group_items(queue) : 1; }

void exclusive_prefix(Queue& queue, const View& counts, int64_t n) {
  launch(queue, kernel(queue, "sort_prefix", Type::u32), groups_of(queue, 1), counts, static_cast<int32_t>(n));
}

KeyedValues radix_sort(const Exec& exec, const KeyedValues& unsorted, int bits) {
  const int64_t n = unsorted.keys.elements();
  if (n >= most_elements) fail(Code::unimplemented, "sort: {} elements, at most {} are supported", n, most_elements);
  if (n <= 1) return unsorted;
  const int64_t group = sort_group(exec.queue);
  const int digit_bits = group > 1 ? 4 : 8;
  const auto block = group > 1
                         ? group * items
                         : std::max(least_block, ceil_div(n, int64_t{2} * exec.queue.device().info().compute_units));
  const int64_t blocks = ceil_div(n, block), count = blocks << digit_bits;
  const View counts = exec.temporary(Type::u32, Shape{count + 1});
  const Type key = unsorted.keys.type;
  KeyedValues from = unsorted, to{exec.temporary(key, Shape{n}), exec.temporary(Type::u32, Shape{n})};
  const auto n32 = static_cast<int32_t>(n), block32 = static_cast<int32_t>(block),
             blocks32 = static_cast<int32_t>(blocks);
  for (int shift = 0; shift < bits; shift += digit_bits) {
    const auto by = static_cast<uint32_t>(shift);
    const auto grid = groups_of(exec.queue, blocks);
    launch(exec.queue, kernel(exec.queue, "sort_count", key), grid, from.keys, counts, n32, block32, blocks32, by);
    exclusive_prefix(exec.queue, counts, count);
    launch(exec.queue, kernel(exec.queue, "sort_place", key), grid, from.keys, from.values, to.keys, to.values, counts,
           n32, block32, blocks32, by);
    std::swap(from, to);
  }
  return from;
}

}  // namespace ocldnn
