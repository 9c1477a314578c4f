#include <algorithm>
#include <memory>

#include "engine/pointwise/arguments.hpp"
#include "engine/pointwise/kernel_store.hpp"
#include "engine/reduce/nest.hpp"

namespace ocldnn {
namespace {

// The frame of x and y: x also runs over the axis.
FrameCode make_frame(const Nest& nest, const View& x, const View& y, bool cpu_form, int width) {
  const Loop& loop = nest.loop;
  FrameCode frame{compute_type(x.type), width,       cpu_form, false, loop.needs_index_64(),
                  loop.outer(),         loop.folded, {},       {}};
  frame.views = {{x.type, loop.step(0), false}, {y.type, nest.along ? Step::unit : loop.step(1), true}};
  return frame;
}

std::string kernel_code(const FrameCode& frame, bool along, Extreme extreme) {
  const auto& y = frame.views[1];
  const auto place = along ? "" : y.step == Step::strided ? " + (i) * s1" : " + (i)";
  FrameCode first = frame;
  first.views[0].step = Step::repeat;
  return frame.prelude() + kernel_text("cl/fold.cl") + frame.macros() +
         fmt::format(
             "#define ALONG {}\n#define MORE {}\n#define LOAD(i) {}\n#define LOAD_PART(i, n) {}\n#define LOAD_FIRST "
             "{}\n",
             int{along}, extreme == Extreme::max ? ">" : "<", frame.load(0, "i", ""), frame.load(0, "i", "n"),
             first.load(0, "0", "")) +
         fmt::format("#define STORE(i, index) {{ p1[o1{}] = ({})(index); }}\n", place, storage_c_type(y.type));
}

}  // namespace

void arg_reduce(const Exec& exec, Extreme extreme, const View& x, int axis, const View& y) {
  constexpr std::string_view op = "arg_reduce";
  require(axis >= 0 && axis < x.rank(), "{}: axis {} of a tensor of shape {}", op, axis, x.shape.text());
  require(is_integer(y.type), "{}: indices of type {}", op, name(y.type));
  require(y.rank() == x.rank() - 1, "{}: result of shape {} for axis {} of {}", op, y.shape.text(), axis,
          x.shape.text());
  const int64_t length = x.shape[axis];
  const View kept = y.unsqueezed(axis);
  for (int d = 0; d < x.rank(); ++d)
    require(d == axis || kept.shape[d] == x.shape[d], "{}: result of shape {} for axis {} of {}", op, y.shape.text(),
            axis, x.shape.text());
  if (y.elements() == 0) return;
  require(length > 0, "{}: axis {} of shape {} is empty", op, axis, x.shape.text());
  require(length < int64_t{1} << 31, "{}: axis {} of shape {} is too long", op, axis, x.shape.text());

  const Operand operand{"x", x};
  const Reduced result{kept, Fold::max};
  const Nest nest = make_nest(op, x.shape, std::span(&operand, 1), std::span(&result, 1));
  const Loop& loop = nest.loop;
  const auto& info = exec.queue.device().info();
  require_arithmetic(exec.queue.device(), op, compute_type(x.type), std::span(&operand, 1), std::span(&result, 1));
  const bool cpu_form = !wants_wide_groups(exec.queue.device());
  int width = cpu_form ? std::clamp(info.float_width, 4, 16) : 1;
  if (loop.inner() < width) width = 1;
  const auto key = fmt::format("{} {} {} {} {} {} {} {} {} {} {}", name(x.type), name(y.type),
                               static_cast<int>(extreme), width, cpu_form, loop.needs_index_64(), loop.rank,
                               loop.folded, nest.along, static_cast<int>(loop.step(0)), static_cast<int>(loop.step(1)));
  static auto& store = *new KernelStore;  // never destroyed: kernels may run while the process ends
  const KernelId& id = store.get(key, [&] {
    const auto frame = make_frame(nest, x, y, cpu_form, width);
    const char* entry =
        nest.along ? (cpu_form ? "arg_along" : "arg_along_items") : (cpu_form ? "arg_across" : "arg_across_items");
    KernelId made("engine/reduce/arg.cl", entry);
    made.code(key, [frame, along = nest.along, extreme] { return kernel_code(frame, along, extreme); });
    return made;
  });

  FrameArguments arguments(loop.needs_index_64());
  arguments.add(x);
  arguments.add(y);
  arguments.add(loop, 1);
  const int64_t inner = loop.inner(), rows = nest.rows();
  auto groups = [](int64_t count) { return std::array<size_t, 3>{static_cast<size_t>(count), 1, 1}; };
  Grid grid;
  arguments.add(inner);
  if (nest.along && cpu_form) {
    const int64_t share = std::clamp<int64_t>(std::min(rows / (info.compute_units * 4), 16384 / inner), 1, rows);
    arguments.add(rows);
    arguments.add(share);
    grid.groups = groups((rows + share - 1) / share);
  } else if (nest.along) {
    grid = {groups(rows), {256, 1, 1}};
  } else if (cpu_form) {
    const int64_t columns =
        std::clamp<int64_t>(16384 / length / width * width, width, (inner + width - 1) / width * width);
    const int64_t blocks = (inner + columns - 1) / columns;
    for (auto value : {columns, blocks, length}) arguments.add(value);
    grid.groups = groups(rows * blocks);
  } else {
    const int64_t total = rows * inner;
    arguments.add(total);
    arguments.add(length);
    grid = {groups((total + 255) / 256), {256, 1, 1}};
  }
  launch(exec.queue, id, grid, arguments.list());
}

}  // namespace ocldnn
