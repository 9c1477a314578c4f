#include "ocldnn/index.hpp"
#include "ops/form.hpp"
#include "ops/index/flatten.hpp"

namespace ocldnn {
namespace {

constexpr int64_t bytes_per_group = 16 << 10;

// x [batch, outer, places, inner], indices [batch, count].
struct Rows {
  int64_t batch = 1, outer = 1, places = 1, count = 1, inner = 1;
};

void gather_rows(Queue& queue, const Rows& rows, const View& x, const View& indices, const View& y) {
  if (y.elements() == 0) return;
  if (x.elements() == 0) return queue.fill(y.data, "\0\0\0\0\0\0\0", size_of(y.type), y.bytes());
  const auto row_bytes = static_cast<size_t>(rows.inner) * size_of(x.type);
  const size_t width = common_width(16, row_bytes, {x.data, y.data});
  const auto inner = static_cast<int64_t>(row_bytes / width);
  KernelId id("ops/index/gather.cl", "index_gather");
  id.type("WORD", word_of(width)).define("T", moved_type(width)).type("IX", indices.type);
  const bool fits = narrow(x, indices, y);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t all_rows = rows.batch * rows.outer * rows.count;
  const int64_t total = wide_groups(queue) ? all_rows * inner : all_rows;
  const auto work = spread(queue, id, total, ceil_div(bytes_per_group, static_cast<int64_t>(row_bytes)));
  Arguments arguments(fits);
  arguments.add(words(x.data, width)).add(indices).add(words(y.data, width)).index(total).index(work.chunk);
  arguments.index(rows.outer).index(rows.places).index(rows.count).index(inner);
  launch(queue, id, work.grid, arguments.list());
}

void check_indices(std::string_view op, const View& indices) {
  require(indices.type == Type::i32 || indices.type == Type::i64, "{}: indices must be int32 or int64, got {}", op,
          name(indices.type));
}

}  // namespace

void gather(Queue& queue, const View& x, const View& indices, int axis, int batch_dims, const View& y) {
  check_indices("gather", indices);
  Rows rows;
  rows.batch = head(x.shape, batch_dims).elements();
  rows.outer = tail(head(x.shape, axis), batch_dims).elements();
  rows.places = x.shape[axis];
  rows.inner = tail(x.shape, axis + 1).elements();
  rows.count = tail(indices.shape, batch_dims).elements();
  gather_rows(queue, rows, x, indices, y);
}

std::string size_text(int64_t depth) {
  std::string parameters, list;
  for (int64_t d = 0; d < depth; ++d) {
    parameters += fmt::format(", long size{}", d);
    list += fmt::format("{}size{}", d ? ", " : "", d);
  }
  return fmt::format("#define DEPTH {}\n#define SIZE_PARAMETERS {}\n#define SIZE_ARRAY {{{}}}\n", depth, parameters,
                     list);
}

View flattened(const Exec& exec, const View& indices, const Shape& sizes) {
  const auto depth = static_cast<int64_t>(sizes.rank());
  const int64_t rows = head(indices.shape, indices.rank() - 1).elements();
  if (depth == 1) return View(indices.data, indices.type, Shape{rows});
  View flat = exec.temporary(Type::i64, Shape{rows});
  if (rows == 0) return flat;
  if (depth == 0) {
    constexpr uint64_t first = 0;
    exec.queue.fill(flat.data, &first, sizeof first, flat.bytes());
    return flat;
  }
  KernelId id("ops/index/gather.cl", "index_flatten");
  id.type("IX", indices.type).define("WORD", "uint").define("T", "uint");
  id.code(fmt::format("depth{}", depth), [depth] { return size_text(depth); });
  const bool fits = narrow(indices, flat);
  if (!fits) id.define("INDEX_64", 1);
  const auto work = spread(exec.queue, id, rows, 1024);
  Arguments arguments(fits);
  arguments.add(indices).add(flat).index(rows).index(work.chunk);
  for (auto size : sizes) arguments.add(size);
  launch(exec.queue, id, work.grid, arguments.list());
  return flat;
}

void gather_nd(const Exec& exec, const View& x, const View& indices, int batch_dims, const View& y) {
  check_indices("gather_nd", indices);
  if (y.elements() == 0) return;
  const auto depth = static_cast<int>(indices.shape[indices.rank() - 1]);
  const Shape sizes = tail(head(x.shape, batch_dims + depth), batch_dims);
  const View flat = flattened(exec, indices, sizes);
  Rows rows;
  rows.batch = head(x.shape, batch_dims).elements();
  rows.places = sizes.elements();
  rows.inner = tail(x.shape, batch_dims + depth).elements();
  rows.count = flat.elements() / std::max<int64_t>(rows.batch, 1);
  gather_rows(exec.queue, rows, x, flat, y);
}

}  // namespace ocldnn
