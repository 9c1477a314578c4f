#include "ocldnn/softmax.hpp"

#include "engine/form.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn {
namespace {

constexpr std::string_view file = "ops/softmax/softmax.cl";
constexpr int64_t group_elements = 4096;  // what a group of one item takes at least: launching one costs some 0.1 us
constexpr int64_t groups_a_unit = 8;      // and how many groups each compute unit may share fairly

/// A tensor as softmax.cl sees it: strides of the dimensions left of the axis, right of it, and of the axis.
struct Line {
  int64_t outer, inner, axis;
};

/// Several tensors of one shape as [outer, inner, axis].
struct Lines {
  int64_t outer = 1, inner = 1, axis = 1;
  std::array<Line, 3> strides{};
};

void check(std::string_view op, std::span<const View> views, int axis) {
  const auto& first = views[0];
  require(is_floating(first.type), "{}: expected a floating type, got {}", op, name(first.type));
  require(axis >= 0 && axis < first.rank(), "{}: axis {} of a tensor of rank {}", op, axis, first.rank());
  for (const auto& view : views)
    require(view.type == first.type && view.shape == first.shape, "{}: expected {} {} throughout, got {} {}", op,
            name(first.type), first.shape.text(), name(view.type), view.shape.text());
}

/// Merges the dimensions beside the axis while their neighbours are adjacent in every tensor. False if more than two
/// remain.
bool collapse(std::span<const View> views, int axis, Lines& lines) {
  lines.axis = views[0].shape[axis];
  int64_t sizes[2] = {1, 1};
  int used = 0;
  for (int d = views[0].rank() - 1; d >= 0; --d) {
    const auto size = views[0].shape[d];
    if (d == axis || size == 1) continue;
    auto& last = used ? sizes[used - 1] : sizes[0];
    bool adjacent = used > 0;
    for (size_t i = 0; i < views.size(); ++i) {
      const auto& s = lines.strides[i];
      adjacent = adjacent && views[i].strides[d] == (used == 1 ? s.inner : s.outer) * last;
    }
    if (adjacent) {
      last *= size;
      continue;
    }
    if (used == 2) return false;
    sizes[used++] = size;
    for (size_t i = 0; i < views.size(); ++i)
      (used == 1 ? lines.strides[i].inner : lines.strides[i].outer) = views[i].strides[d];
  }
  lines.inner = sizes[0];
  lines.outer = sizes[1];
  for (size_t i = 0; i < views.size(); ++i) lines.strides[i].axis = views[i].strides[axis];
  return true;
}

template <class F>
bool all(const Lines& lines, size_t count, F f) {
  return std::all_of(lines.strides.begin(), lines.strides.begin() + static_cast<long>(count), f);
}

/// The last view is the result.
void run(const Exec& exec, std::string_view op, std::string_view entry, bool is_log, std::span<const View> views,
         int axis) {
  check(op, views, axis);
  if (views[0].elements() == 0) return;
  const auto type = views[0].type;
  Lines lines;
  if (!collapse(views, axis, lines)) {
    // Too scattered for the kernel: through dense copies.
    std::vector<View> copies;
    for (const auto& view : views) copies.push_back(exec.temporary(type, view.shape));
    for (size_t i = 0; i + 1 < views.size(); ++i) copy(exec.queue, views[i], copies[i]);
    run(exec, op, entry, is_log, copies, axis);
    return copy(exec.queue, copies.back(), views.back());
  }

  const size_t count = views.size();
  const bool unit_axis = lines.axis == 1 || all(lines, count, [](const Line& s) { return s.axis == 1; });
  const bool unit_inner = lines.inner > 1 && all(lines, count, [](const Line& s) { return s.inner == 1; });
  const bool along_axis = unit_axis || !unit_inner;
  auto form = form_of(exec.queue, type, unit_axis ? lines.axis : lines.inner);
  if (!unit_axis && !unit_inner) form.width = 1;

  const int64_t local = form.solo ? 1 : std::min<int64_t>(256, std::bit_floor(static_cast<uint64_t>(form.max_group)));
  const int64_t lanes =
      along_axis ? std::min<int64_t>(local, std::bit_ceil(static_cast<uint64_t>(ceil_div(lines.axis, 4)))) : 1;
  const int64_t strips = lines.outer * (along_axis ? lines.inner : ceil_div(lines.inner, form.width));
  const int64_t strip = lines.axis * (along_axis ? 1 : form.width);
  const int64_t each = form.solo
                           ? std::max(ceil_div(strips, groups_a_unit * form.units), ceil_div(group_elements, strip))
                           : local / lanes;

  KernelId id(file, entry);
  define_storage(id, type, form);
  id.define("LOCAL", local).define("LANES", lanes);
  id.define("ALONG_AXIS", int64_t{along_axis}).define("IS_LOG", int64_t{is_log});
  id.define("BACKWARD", int64_t{count == 3});
  id.define("STAGED", int64_t{size_of(type) >= 4 && !is_log});
  define_index(id, views);

  std::vector<Argument> arguments(views.begin(), views.end());
  for (auto value : {lines.outer, lines.inner, lines.axis}) arguments.emplace_back(value);
  for (size_t i = 0; i < count; ++i)
    for (auto value : {lines.strides[i].outer, lines.strides[i].inner, lines.strides[i].axis})
      arguments.emplace_back(value);
  arguments.emplace_back(static_cast<int32_t>(std::min<int64_t>(each, strips)));
  const auto groups = static_cast<size_t>(ceil_div(strips, std::min(each, strips)));
  launch(exec.queue, id, {{groups, 1, 1}, {static_cast<size_t>(local), 1, 1}}, std::span<const Argument>(arguments));
}

}  // namespace

void softmax(const Exec& exec, const View& x, int axis, const View& y) {
  run(exec, "softmax", "softmax_forward", false, std::array{x, y}, axis);
}
void log_softmax(const Exec& exec, const View& x, int axis, const View& y) {
  run(exec, "log_softmax", "softmax_forward", true, std::array{x, y}, axis);
}
void softmax_gradient(const Exec& exec, const View& y, const View& dy, int axis, const View& dx) {
  run(exec, "softmax_gradient", "softmax_backward", false, std::array{y, dy, dx}, axis);
}
void log_softmax_gradient(const Exec& exec, const View& y, const View& dy, int axis, const View& dx) {
  run(exec, "log_softmax_gradient", "softmax_backward", true, std::array{y, dy, dx}, axis);
}

}  // namespace ocldnn
