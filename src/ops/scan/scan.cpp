#include "ocldnn/scan.hpp"

#include "ops/form.hpp"
#include "ops/index/flatten.hpp"

namespace ocldnn {
namespace {

constexpr int64_t elements_per_group = 4096;  // the least a group of one is started for
constexpr int64_t enough_columns = 4096;      // columns from which on a wide device needs no items along the line

}  // namespace

void scan(const Exec& exec, Scan operation, const View& x, int axis, bool exclusive, bool reverse, const View& y) {
  require(operation != Scan::log_sum_exp || is_floating(x.type), "scan: log_sum_exp of {}", name(x.type));
  if (x.elements() == 0) return;
  auto& queue = exec.queue;
  const int64_t n = x.shape[axis], inner = tail(x.shape, axis + 1).elements(), outer = head(x.shape, axis).elements();
  const bool wide = wide_groups(queue), along = wide && inner * outer < enough_columns;
  auto form = form_of(queue, x.type, inner);
  if (wide) form.width = 1;
  const int width = form.width;
  KernelId id("ops/scan/scan.cl", along ? "scan_rows" : "scan_columns");
  define_storage(id, x.type, form);
  id.define("OPERATION", static_cast<int64_t>(operation));
  id.define("EXCLUSIVE", exclusive).define("REVERSE", reverse).define("GROUP", along ? group_items(queue) : 1);
  const bool fits = narrow(x, y);
  if (!fits) id.define("INDEX_64", 1);
  Arguments arguments(fits);
  arguments.add(x).add(y).index(n).index(inner);
  Grid grid;
  if (along) {
    grid.groups[0] = static_cast<size_t>(outer * inner);
    grid.local[0] = static_cast<size_t>(group_items(queue));
    return launch(queue, id, grid, arguments.list());
  }
  const int64_t blocks = ceil_div(inner, width), total = blocks * outer;
  int64_t each = 1;
  if (wide) {
    grid.local[0] = 64;
    grid.groups[0] = static_cast<size_t>(ceil_div(total, 64));
  } else {
    const int64_t most = 4 * queue.device().info().compute_units;
    each = std::max(ceil_div(total, most), ceil_div(elements_per_group, n * width));
    grid.groups[0] = static_cast<size_t>(ceil_div(total, each));
  }
  launch(queue, id, grid, arguments.index(blocks).index(total).index(each).list());
}

}  // namespace ocldnn
