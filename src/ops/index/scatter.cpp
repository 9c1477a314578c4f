#include <bit>
#include <limits>

#include "engine/form.hpp"
#include "ocldnn/index.hpp"
#include "ocldnn/layout.hpp"
#include "ops/form.hpp"
#include "ops/index/flatten.hpp"
#include "ops/sort/radix.hpp"

namespace ocldnn {
namespace {

constexpr int64_t updates_per_group = 4096;  // the least a group of one is started for
constexpr int64_t columns_per_group = 64;    // the least columns worth a group of their own

// x [places, inner], indices [rows], updates [rows, inner] or one number.
struct Scatter {
  View x, indices, updates;
  int64_t rows, places, inner;
  int64_t row_step() const { return updates.rank() == 0 ? 0 : inner; }
  int64_t column_step() const { return updates.rank() == 0 ? 0 : 1; }
};

std::string_view formula(Update update, Type type) {
  switch (update) {
    case Update::assign: return "u";
    case Update::add: return "(v) + (u)";
    case Update::subtract: return "(v) - (u)";
    case Update::multiply: return "(v) * (u)";
    case Update::minimum: return "(u) < (v) ? (u) : (v)";
    case Update::maximum: return "(u) > (v) ? (u) : (v)";
    case Update::divide: break;
  }
  // Processors stop at an integer division by zero and at that of the lowest number by -1.
  if (is_floating(type)) return "(v) / (u)";
  return is_signed(type) ? "(u) == 0 ? 0 : (u) == -1 ? 0 - (v) : (v) / (u)" : "(u) == 0 ? 0 : (v) / (u)";
}

KernelId kernel(Queue& queue, Update update, std::string_view entry, Type type, Type index, bool vectors,
                int64_t inner) {
  KernelId id("ops/index/scatter.cl", entry);
  auto form = form_of(queue, type, inner);
  if (!vectors) form.width = 1;
  define_storage(id, type, form);
  id.type("IX", index);
  if (update == Update::assign) id.define("ASSIGN", 1);
  const auto text = formula(update, type);
  id.code(text, [text] { return fmt::format("#define APPLY(v, u) ({})\n", text); });
  return id;
}

void scatter_owned(Queue& queue, Update update, const Scatter& s) {
  const bool scalar_only = update == Update::divide && !is_floating(s.x.type);
  auto id = kernel(queue, update, "index_scatter_owned", s.x.type, s.indices.type, !scalar_only, s.inner);
  const bool fits = narrow(s.x, s.indices, s.updates);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t wanted =
      std::clamp<int64_t>(s.rows * s.inner / updates_per_group, 1, 2 * queue.device().info().compute_units);
  // Columns first, as a group then reads only the updates it applies; places where there are too few.
  const int64_t columns_each = std::max(ceil_div(s.inner, wanted), std::min(columns_per_group, s.inner));
  const int64_t column_parts = ceil_div(s.inner, columns_each);
  const int64_t places_each = ceil_div(s.places, std::max<int64_t>(1, wanted / column_parts));
  Grid grid;
  grid.groups[0] = static_cast<size_t>(column_parts * ceil_div(s.places, places_each));
  Arguments arguments(fits);
  arguments.add(s.x).add(s.indices).add(s.updates).index(s.rows).index(s.places).index(s.inner);
  arguments.index(places_each).index(columns_each).index(s.row_step()).index(s.column_step());
  launch(queue, id, grid, arguments.list());
}

void scatter_sorted(const Exec& exec, Update update, const Scatter& s) {
  if (s.places >= std::numeric_limits<uint32_t>::max() || s.rows >= std::numeric_limits<int32_t>::max())
    fail(Code::unimplemented, "scatter: {} updates of {} places are too many", s.rows, s.places);
  const int64_t items = group_items(exec.queue);
  // Items count updates even where all of them are one number.
  const bool fits = narrow(s.x, s.indices) && !wants_long_indices(s.rows * s.inner);
  const auto grid = [&](int64_t total) {
    Grid result;
    result.groups[0] = static_cast<size_t>(ceil_div(total, items));
    result.local[0] = static_cast<size_t>(items);
    return result;
  };
  const auto wide_kernel = [&](std::string_view entry) {
    auto id = kernel(exec.queue, update, entry, s.x.type, s.indices.type, false, 1);
    id.define("WIDE", 1);
    if (!fits) id.define("INDEX_64", 1);
    return id;
  };
  const KeyedValues unsorted{exec.temporary(Type::u32, Shape{s.rows}), exec.temporary(Type::u32, Shape{s.rows})};
  Arguments keys(fits);
  keys.add(s.indices).add(unsorted.keys).add(unsorted.values).index(s.rows).index(s.places);
  launch(exec.queue, wide_kernel("index_scatter_keys"), grid(s.rows), keys.list());
  const auto sorted = radix_sort(exec, unsorted, std::bit_width(static_cast<uint64_t>(s.places)));
  Arguments arguments(fits);
  arguments.add(s.x).add(sorted.keys).add(sorted.values).add(s.updates).index(s.rows).index(s.places).index(s.inner);
  arguments.index(s.row_step()).index(s.column_step());
  launch(exec.queue, wide_kernel("index_scatter_sorted"), grid(s.rows * s.inner), arguments.list());
}

void apply(const Exec& exec, Update update, Scatter s) {
  if (s.rows == 0 || s.x.elements() == 0) return;
  if (update == Update::assign) {
    s.x = as_bits(s.x);
    s.updates = as_bits(s.updates);
  }
  if (wide_groups(exec.queue)) scatter_sorted(exec, update, s);
  else scatter_owned(exec.queue, update, s);
}

void check(std::string_view op, const View& x, const View& indices, const View& updates, const Shape& expected) {
  require(indices.type == Type::i32 || indices.type == Type::i64, "{}: indices must be int32 or int64, got {}", op,
          name(indices.type));
  require(updates.type == x.type, "{}: updates are {}, the tensor {}", op, name(updates.type), name(x.type));
  require(updates.rank() == 0 || updates.shape == expected, "{}: Must have updates of shape {}, got {}", op,
          expected.text(), updates.shape.text());
}

Shape joined(const Shape& a, const Shape& b) {
  Shape result = a;
  for (auto size : b) result.push_back(size);
  return result;
}

}  // namespace

void scatter(const Exec& exec, Update update, const View& x, const View& indices, const View& updates) {
  require(x.rank() > 0, "scatter: the tensor must have at least one dimension");
  check("scatter", x, indices, updates, joined(indices.shape, tail(x.shape, 1)));
  const int64_t rows = indices.elements(), inner = tail(x.shape, 1).elements();
  apply(exec, update, {x, View(indices.data, indices.type, Shape{rows}), updates, rows, x.shape[0], inner});
}

void scatter_nd(const Exec& exec, Update update, const View& x, const View& indices, const View& updates) {
  require(indices.rank() > 0, "scatter_nd: indices must have at least one dimension");
  const int last = indices.rank() - 1, depth = static_cast<int>(indices.shape[last]);
  require(depth <= x.rank(), "scatter_nd: indices of {} coordinates for a tensor of {} dimensions", depth, x.rank());
  check("scatter_nd", x, indices, updates, joined(head(indices.shape, last), tail(x.shape, depth)));
  const int64_t rows = head(indices.shape, last).elements(), inner = tail(x.shape, depth).elements();
  if (rows == 0 || x.elements() == 0) return;
  const Shape sizes = head(x.shape, depth);
  apply(exec, update, {x, flattened(exec, indices, sizes), updates, rows, sizes.elements(), inner});
}

}  // namespace ocldnn
