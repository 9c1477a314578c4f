#include "ocldnn/layout.hpp"
#include "ops/form.hpp"

namespace ocldnn {
namespace {

std::string text(int rank) {
  std::string parameters, before, size, padded;
  for (int d = 0; d < rank; ++d) {
    parameters += fmt::format(", index_t before{0}, index_t size{0}, index_t padded{0}", d);
    before += fmt::format("before{}, ", d);
    size += fmt::format("size{}, ", d);
    padded += fmt::format("padded{}, ", d);
  }
  return fmt::format(
      "#define RANK {}\n#define PARAMETERS {}\n"
      "#define ARRAYS const index_t before[] = {{{}}}, size[] = {{{}}}, padded[] = {{{}}};\n",
      rank, parameters, before, size, padded);
}

}  // namespace

void mirror_pad_gradient(Queue& queue, Mirror mirror, const View& dy, const Dims& before, const View& dx) {
  if (dx.elements() == 0) return;
  const int rank = dx.rank();
  if (rank == 0) return copy(queue, dy, dx);
  KernelId id("ops/layout/mirror.cl", "layout_mirror_gradient");
  define_storage(id, dx.type, form_of(queue, dx.type, 1));
  id.define("EDGE", mirror == Mirror::symmetric ? 1 : 0);
  id.code(fmt::format("rank{}", rank), [rank] { return text(rank); });
  const bool fits = narrow(dy, dx);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t total = dx.elements();
  const auto work = spread(queue, id, total, 1024);
  Arguments arguments(fits);
  arguments.add(dy).add(dx).index(total).index(work.chunk);
  for (int d = 0; d < rank; ++d) arguments.index(before[d]).index(dx.shape[d]).index(dy.shape[d]);
  launch(queue, id, work.grid, arguments.list());
}

}  // namespace ocldnn
