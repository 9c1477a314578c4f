#include "ocldnn/pool.hpp"

#include "engine/lines.hpp"

namespace ocldnn {
namespace {

enum class Mode : int64_t { max, mean, where, index, pick };  // MODE_* of windows.cl

/// A tensor as the kernels see it: [N, depth, height, width, C].
View with_three(const View& view) {
  View result = view;
  while (result.rank() < 5) result = result.unsqueezed(1);
  return result;
}

/// A window's numbers in three dimensions, missing ones leading.
std::array<int32_t, 3> with_three(const Dims& values, int64_t missing) {
  std::array<int32_t, 3> result;
  result.fill(static_cast<int32_t>(missing));
  for (int i = 0; i < values.rank(); ++i)
    result[static_cast<size_t>(3 - values.rank() + i)] = static_cast<int32_t>(values[i]);
  return result;
}

/// Refuses what the kernels could not run: wrong ranks and types, and an output of another size than the windows give.
void check(std::string_view op, const Pooling& g, const View& x, const View& y) {
  const int spatial = x.rank() - 2;
  require(spatial >= 1 && spatial <= 3, "{}: expected an input [N, 1 to 3 spatial dimensions, C], got {}", op,
          x.shape.text());
  for (const auto* dims : {&g.window, &g.stride, &g.pad_before, &g.pad_after})
    require(dims->rank() == spatial, "{}: expected window, stride and padding of {} numbers, got {}", op, spatial,
            dims->text());
  for (int i = 0; i < spatial; ++i) {
    require(g.window[i] > 0 && g.stride[i] > 0, "{}: expected a positive window and stride, got {} and {}", op,
            g.window.text(), g.stride.text());
    require(
        g.pad_before[i] >= 0 && g.pad_before[i] < g.window[i] && g.pad_after[i] >= 0 && g.pad_after[i] < g.window[i],
        "{}: expected padding smaller than the window {}, got {} and {}", op, g.window.text(), g.pad_before.text(),
        g.pad_after.text());
  }
  Dims input;
  for (int i = 1; i <= spatial; ++i) input.push_back(x.shape[i]);
  const Dims size = pooled_size(g, input);
  Shape expected{x.shape[0]};
  for (auto s : size) expected.push_back(std::max<int64_t>(s, 0));
  expected.push_back(x.shape[x.rank() - 1]);
  require(y.shape == expected, "{}: expected an output {} for input {} and window {}, got {}", op, expected.text(),
          x.shape.text(), g.window.text(), y.shape.text());
  for (auto v : x.shape) require(v < int64_t{1} << 31, "{}: input {} is too large", op, x.shape.text());
  require(input.elements() < int64_t{1} << 31, "{}: input {} is too large", op, x.shape.text());
}

void same_type(std::string_view op, const View& a, const View& b) {
  require(a.type == b.type, "{}: expected {} throughout, got {}", op, name(a.type), name(b.type));
}
void same_shape(std::string_view op, const View& a, const View& b) {
  require(a.shape == b.shape, "{}: expected {}, got {}", op, a.shape.text(), b.shape.text());
}
void floating(std::string_view op, const View& x) {
  require(is_floating(x.type), "{}: expected a floating type, got {}", op, name(x.type));
}
void place_type(std::string_view op, const View& index) {
  require(index.type == Type::i32 || index.type == Type::i64, "{}: expected places int32 or int64, got {}", op,
          name(index.type));
}

/// Launches pool_forward or pool_backward. `tensors` in the kernel's order, each followed by its strides; `in` is
/// what the kernel calls [N, D, H, W, C], `out` [N, OD, OH, OW, C], `visited` the one whose elements items go over.
void run(const Exec& exec, std::string_view entry, Mode mode, const Pooling& g, Type type,
         std::initializer_list<View> tensors, const View& in, const View& out, const View& visited,
         bool with_batch = false) {
  if (visited.elements() == 0) return;
  const auto x = with_three(in), y = with_three(out), v = with_three(visited);
  const int64_t channels = x.shape[4];
  bool c_inner = true;
  for (const auto& t : tensors) c_inner = c_inner && t.strides[t.rank() - 1] == 1;
  auto form = form_of(exec.queue, type, channels);
  const Lines lines(form, c_inner, v);

  const bool backward = entry == "pool_backward";
  KernelId id(backward ? "ops/pool/pool_backward.cl" : "ops/pool/pool_forward.cl", entry);
  define_storage(id, type, form);
  id.define("MODE", static_cast<int64_t>(mode));
  lines.define(id);
  if (mode == Mode::index) id.define("WITH_BATCH", int64_t{with_batch}).type("I", tensors.begin()[1].type);

  std::vector<Argument> arguments;
  std::vector<View> views;
  for (const auto& tensor : tensors) {
    const auto t = with_three(tensor);
    views.push_back(t);
    arguments.emplace_back(t);
    for (auto stride : t.strides) arguments.emplace_back(stride);
  }
  define_index(id, views);
  arguments.emplace_back(static_cast<int32_t>(x.shape[0]));
  arguments.emplace_back(static_cast<int32_t>(channels));
  for (int i = 1; i <= 3; ++i) arguments.emplace_back(static_cast<int32_t>(x.shape[i]));
  for (int i = 1; i <= 3; ++i) arguments.emplace_back(static_cast<int32_t>(y.shape[i]));
  for (auto value : with_three(g.window, 1)) arguments.emplace_back(value);
  for (auto value : with_three(g.stride, 1)) arguments.emplace_back(value);
  for (auto value : with_three(g.pad_before, 0)) arguments.emplace_back(value);
  arguments.emplace_back(lines.per_group());
  launch(exec.queue, id, lines.grid(), std::span<const Argument>(arguments));
}

}  // namespace

Dims pooled_size(const Pooling& g, const Dims& spatial) {
  Dims size;
  for (int i = 0; i < spatial.rank(); ++i) {
    const int64_t room = spatial[i] + g.pad_before[i] + g.pad_after[i] - g.window[i];
    size.push_back(room < 0 ? 0 : room / g.stride[i] + 1);
  }
  return size;
}

void max_pool(const Exec& exec, const Pooling& g, const View& x, const View& y) {
  check("max_pool", g, x, y);
  same_type("max_pool", x, y);
  run(exec, "pool_forward", Mode::max, g, x.type, {y, x}, x, y, y);
}

void max_pool_with_argmax(const Exec& exec, const Pooling& g, const View& x, const View& y, const View& index,
                          bool with_batch) {
  constexpr std::string_view op = "max_pool_with_argmax";
  check(op, g, x, y);
  same_type(op, x, y);
  same_shape(op, y, index);
  place_type(op, index);
  run(exec, "pool_forward", Mode::index, g, x.type, {y, index, x}, x, y, y, with_batch);
}

void max_pool_gradient(const Exec& exec, const Pooling& g, const View& x, const View& dy, const View& dx) {
  constexpr std::string_view op = "max_pool_gradient";
  check(op, g, x, dy);
  same_type(op, x, dy);
  same_type(op, x, dx);
  same_shape(op, x, dx);
  // In dy's order in memory, so that both lie alike.
  View where(nullptr, Type::i32, dy.shape);
  if (dy.elements() > 0 && dx.elements() > 0) {
    where = exec.temporary(Type::i32, dy.shape);
    if (dy.strides[dy.rank() - 1] != 1 && dy.rank() > 2) {
      Dims order{0, dy.rank() - 1};
      for (int i = 1; i < dy.rank() - 1; ++i) order.push_back(i);
      where = View(where.data, Type::i32, dy.permuted(order).shape);
      Dims back{0};
      for (int i = 2; i < dy.rank(); ++i) back.push_back(i);
      back.push_back(1);
      where = where.permuted(back);
    }
    run(exec, "pool_forward", Mode::where, g, x.type, {where, x}, x, dy, dy);
  }
  run(exec, "pool_backward", Mode::where, g, x.type, {dy, where, dx}, dx, dy, dx);
}

void max_pool_argmax_gradient(const Exec& exec, const Pooling& g, const View& index, bool with_batch, const View& dy,
                              const View& dx) {
  constexpr std::string_view op = "max_pool_argmax_gradient";
  check(op, g, dx, dy);
  same_type(op, dx, dy);
  same_shape(op, dy, index);
  place_type(op, index);
  run(exec, "pool_backward", Mode::index, g, dx.type, {dy, index, dx}, dx, dy, dx, with_batch);
}

void max_pool_second_gradient(const Exec& exec, const Pooling& g, const View& x, const View& ddx, const View& ddy) {
  constexpr std::string_view op = "max_pool_second_gradient";
  check(op, g, x, ddy);
  same_type(op, x, ddx);
  same_type(op, x, ddy);
  same_shape(op, x, ddx);
  run(exec, "pool_forward", Mode::pick, g, x.type, {ddx, ddy, x}, x, ddy, ddy);
}

void avg_pool(const Exec& exec, const Pooling& g, const View& x, const View& y) {
  floating("avg_pool", x);
  check("avg_pool", g, x, y);
  same_type("avg_pool", x, y);
  run(exec, "pool_forward", Mode::mean, g, x.type, {y, x}, x, y, y);
}

void avg_pool_gradient(const Exec& exec, const Pooling& g, const View& dy, const View& dx) {
  floating("avg_pool_gradient", dx);
  check("avg_pool_gradient", g, dx, dy);
  same_type("avg_pool_gradient", dx, dy);
  run(exec, "pool_backward", Mode::mean, g, dx.type, {dy, dx}, dx, dy, dx);
}

}  // namespace ocldnn
