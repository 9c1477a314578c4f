#include <bit>

#include "ocldnn/sort.hpp"
#include "ops/form.hpp"
#include "ops/index/flatten.hpp"
#include "ops/sort/radix.hpp"

namespace ocldnn {
namespace {

// OpenCL C that turns an element's bits into a number of type KEY, unsigned, that grows with the element.
std::string order_text(Type type) {
  const auto sign = uint64_t{1} << (8 * size_of(type) - 1), all = 2 * sign - 1;
  if (is_floating(type)) {
    // -0 equals 0, and every NaN comes above infinity.
    const uint64_t infinity = type == Type::f64   ? 0x7ff0000000000000
                              : type == Type::f32 ? 0x7f800000
                              : type == Type::f16 ? 0x7c00
                                                  : 0x7f80;
    return fmt::format(
        "(((KEY)(b) & 0x{2:x}ul) > 0x{3:x}ul ? 0x{1:x}ul : (KEY)(b) > 0x{0:x}ul ? (KEY)~(b) & 0x{1:x}ul : (KEY)(b) | "
        "0x{0:x}ul)",
        sign, all, sign - 1, infinity);
  }
  if (type != Type::boolean && is_signed(type)) return fmt::format("((KEY)(b) ^ 0x{:x}ul)", sign);
  return "(KEY)(b)";
}

KernelId kernel(std::string_view entry, Type element, Type index, bool fits) {
  KernelId id("ops/sort/top_k.cl", entry);
  id.type("T", word_of(size_of(element))).type("IX", index).type("KEY", size_of(element) == 8 ? Type::u64 : Type::u32);
  const auto text = order_text(element);
  id.code(text, [text] { return fmt::format("#define ORDER(b) ((KEY){})\n", text); });
  if (!fits) id.define("INDEX_64", 1);
  return id;
}

// One item a row.
void by_heaps(Queue& queue, const View& x, const View& values, const View& indices, int64_t rows, int64_t n,
              int64_t k) {
  const bool fits = narrow(x, values);
  const int64_t rows_each =
      std::max(ceil_div(rows, int64_t{4} * queue.device().info().compute_units), ceil_div(1024, n));
  Grid grid;
  grid.groups[0] = static_cast<size_t>(ceil_div(rows, rows_each));
  Arguments arguments(fits);
  arguments.add(as_bits(x)).add(as_bits(values)).add(indices).index(rows).index(n).index(k).index(rows_each);
  launch(queue, kernel("sort_top_heap", x.type, indices.type, fits), grid, arguments.list());
}

// Everything sorted by element, then stably by row.
void by_sort(const Exec& exec, const View& x, const View& values, const View& indices, int64_t rows, int64_t n,
             int64_t k) {
  const int64_t total = rows * n, items = group_items(exec.queue);
  if (total >= int64_t{1} << 30) fail(Code::unimplemented, "top_k: {} elements are too many", total);
  const auto run = [&](std::string_view entry, int64_t count, Arguments& arguments) {
    Grid grid;
    grid.groups[0] = static_cast<size_t>(ceil_div(count, items));
    grid.local[0] = static_cast<size_t>(items);
    launch(exec.queue, kernel(entry, x.type, indices.type, true), grid, arguments.list());
  };
  const Type key = size_of(x.type) == 8 ? Type::u64 : Type::u32;
  KeyedValues elements{exec.temporary(key, Shape{total}), exec.temporary(Type::u32, Shape{total})};
  Arguments keys(true), row_keys(true), take(true);
  run("sort_top_keys", total, keys.add(as_bits(x)).add(elements.keys).add(elements.values).index(total));
  // A narrow element's key has ones above its bits, the same ones everywhere.
  elements = radix_sort(exec, elements, static_cast<int>(8 * size_of(x.type)));
  if (rows > 1) {
    KeyedValues by_row{exec.temporary(Type::u32, Shape{total}), elements.values};
    run("sort_top_rows", total, row_keys.add(by_row.values).add(by_row.keys).index(total).index(n));
    elements = radix_sort(exec, by_row, std::bit_width(static_cast<uint64_t>(rows - 1)));
  }
  take.add(as_bits(x)).add(elements.values).add(as_bits(values)).add(indices).index(rows).index(n).index(k);
  run("sort_top_take", rows * k, take);
}

}  // namespace

void top_k(const Exec& exec, const View& x, const View& values, const View& indices) {
  const int last = x.rank() - 1;
  require(last >= 0, "top_k: input must have at least one dimension");
  const int64_t n = x.shape[last], k = values.shape[last], rows = head(x.shape, last).elements();
  require(k <= n, "top_k: input must have at least k columns. Had {}, needed {}", n, k);
  if (rows * k == 0) return;
  if (wide_groups(exec.queue)) by_sort(exec, x, values, indices, rows, n, k);
  else by_heaps(exec.queue, x, values, indices, rows, n, k);
}

}  // namespace ocldnn
