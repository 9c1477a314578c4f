// Elementwise formulas: finds the loop nest, picks the form of the kernel for the device, and launches the kernel made
// for the formulas and the classes of the views (types, steps, alignment, index width), never for sizes.

#include "ocldnn/pointwise.hpp"

#include <algorithm>
#include <memory>

#include "engine/pointwise/arguments.hpp"
#include "engine/pointwise/kernel_store.hpp"
#include "ocldnn/formula.hpp"

namespace ocldnn {
namespace {

/// What one kernel is made for.
struct Form {
  FrameCode frame;
  std::vector<std::string> operands, formulas;  // one operand or formula a view, operands first
};

Shape shape_of(std::string_view op, std::span<const Result> results) {
  require(!results.empty(), "{}: an expression without a result", op);
  for (const auto& result : results)
    require(result.view.shape == results[0].view.shape, "{}: results of shapes {} and {}", op,
            results[0].view.shape.text(), result.view.shape.text());
  return results[0].view.shape;
}

bool starts_at_multiple(const View& view, int width) {
  return reinterpret_cast<uintptr_t>(view.data) % (size_of(view.type) * static_cast<size_t>(width)) == 0;
}

// GPUs: 4 lanes where every vector of every view is aligned, else one.
int item_width(const Loop& loop, std::span<const Operand> operands, std::span<const Result> results) {
  constexpr int width = 4;
  if (loop.inner() < width || (loop.rank > 1 && loop.inner() % width != 0)) return 1;
  for (int v = 0; v < loop.views; ++v) {
    const auto index = static_cast<size_t>(v);
    const View& view = index < operands.size() ? operands[index].view : results[index - operands.size()].view;
    if (loop.step(v) == Step::repeat) continue;
    if (loop.step(v) == Step::strided || !starts_at_multiple(view, width)) return 1;
    for (int d = 0; d + 1 < loop.rank; ++d)
      if (loop.stride[v][d] % width != 0) return 1;
  }
  return width;
}

// CPUs: as many lanes as the device has for floats; more for small types; one where rows are shorter than a vector.
int row_width(const Loop& loop, Type compute, int float_width) {
  int width = std::clamp(float_width, 4, 16);
  if (size_of(compute) <= 2) width = 16;
  return loop.inner() < width && loop.rank > 1 ? 1 : width;
}

Form make_form(Type compute, const Loop& loop, std::span<const Operand> operands, std::span<const Result> results,
               std::span<const Scalar> scalars, bool cpu_form, int width) {
  Form form;
  form.frame = {compute, width, cpu_form, !cpu_form && width > 1, loop.needs_index_64(), loop.rank - 1, 0, {}, {}};
  for (int v = 0; v < loop.views; ++v) {
    const auto i = static_cast<size_t>(v);
    const bool written = i >= operands.size();
    const View& view = written ? results[i - operands.size()].view : operands[i].view;
    form.frame.views.push_back({view.type, loop.step(v), written});
  }
  std::string names;
  for (const auto& operand : operands) names.append(form.operands.emplace_back(operand.name)).append(" ");
  for (const auto& scalar : scalars) names.append(form.frame.scalars.emplace_back(scalar.name)).append(" ");
  for (const auto& result : results) {
    check_formula(result.expression, {names});
    form.formulas.emplace_back(result.expression);
  }
  return form;
}

std::string body(const Form& form, std::string_view count) {
  std::string text;
  const auto operands = form.operands.size();
  for (size_t i = 0; i < operands; ++i) {
    const bool used = std::any_of(form.formulas.begin(), form.formulas.end(),
                                  [&](const auto& formula) { return formula_uses(formula, form.operands[i]); });
    if (used)
      text += fmt::format(" const TV v_{} = {};", form.operands[i], form.frame.load(static_cast<int>(i), "i", count));
  }
  for (size_t r = 0; r < form.formulas.size(); ++r)
    text += fmt::format(" const TV w{} = {};", r, formula_code(form.formulas[r], form.frame.compute));
  for (size_t r = 0; r < form.formulas.size(); ++r)
    text += fmt::format(" {};", form.frame.store(static_cast<int>(operands + r), "i", fmt::format("w{}", r), count));
  return text;
}

std::string kernel_code(const Form& form) {
  return form.frame.prelude() + form.frame.macros() +
         fmt::format("#define WHOLE(i){}\n#define PART(i, n){}\n", body(form, ""), body(form, "n"));
}

// Everything that kernel_code() depends on, on one line.
void append_key(std::string& key, Type compute, const Loop& loop, std::span<const Operand> operands,
                std::span<const Result> results, std::span<const Scalar> scalars, bool cpu_form, int width) {
  auto letter = [&](int value) { key.push_back(static_cast<char>('a' + value)); };
  letter(static_cast<int>(compute));
  letter(width);
  letter(cpu_form);
  letter(loop.needs_index_64());
  letter(loop.rank);
  auto view = [&](int v, Type type, std::string_view text) {
    letter(static_cast<int>(type));
    letter(static_cast<int>(loop.step(v)));
    key.append(text).push_back(';');
  };
  int v = 0;
  for (const auto& operand : operands) view(v++, operand.view.type, operand.name);
  key.push_back('>');
  for (const auto& result : results) view(v++, result.view.type, result.expression);
  for (const auto& scalar : scalars) key.append(scalar.name).push_back(',');
}

// Adds the sizes of pointwise_rows and says how many groups run: a few a compute unit, none for less than a few
// thousand elements.
Grid row_grid(const Loop& loop, int compute_units, FrameArguments& arguments) {
  constexpr int64_t least = 4096, most = 32768, rounding = 64;
  const int64_t inner = loop.inner(), rows = loop.elements() / inner;
  int64_t target = std::clamp(loop.elements() / (compute_units * 4), least, most);
  target = (target + rounding - 1) / rounding * rounding;
  const int64_t chunk = std::min(target, inner), chunks = (inner + chunk - 1) / chunk;
  const int64_t units = rows * chunks, share = chunks > 1 ? 1 : std::max<int64_t>(1, target / inner);
  for (auto value : {inner, chunk, chunks, units, share}) arguments.add(value);
  return {{static_cast<size_t>((units + share - 1) / share), 1, 1}, {1, 1, 1}};
}

Grid item_grid(const Loop& loop, int width, int64_t max_group, FrameArguments& arguments) {
  const int64_t inner = loop.inner(), vectors = (inner + width - 1) / width;
  const int64_t total = loop.elements() / inner * vectors, local = std::min<int64_t>(256, max_group);
  for (auto value : {inner, vectors, total}) arguments.add(value);
  return {{static_cast<size_t>((total + local - 1) / local), 1, 1}, {static_cast<size_t>(local), 1, 1}};
}

}  // namespace

void pointwise(Queue& queue, std::string_view op, Type compute, std::span<const Operand> operands,
               std::span<const Result> results, std::span<const Scalar> scalars) {
  const Shape shape = shape_of(op, results);
  Loop loop;
  // The first view added gives the rank, so results that are the full shape come in as such.
  for (const auto& operand : operands) loop.add(op, operand.view, shape);
  for (const auto& result : results) loop.add(op, result.view, shape);
  if (loop.elements() == 0) return;
  loop.collapse(static_cast<int>(operands.size()));

  Device& device = queue.device();
  require_arithmetic(device, op, compute, operands, results);
  const auto& info = device.info();
  const bool cpu_form = !wants_wide_groups(device);
  const int width = cpu_form ? row_width(loop, compute, info.float_width) : item_width(loop, operands, results);
  thread_local std::string key;
  key.clear();
  append_key(key, compute, loop, operands, results, scalars, cpu_form, width);
  static auto& store = *new KernelStore;  // never destroyed: kernels may run while the process ends
  const KernelId& id = store.get(key, [&] {
    auto form = std::make_shared<Form>(make_form(compute, loop, operands, results, scalars, cpu_form, width));
    KernelId made("engine/pointwise/pointwise.cl", cpu_form ? "pointwise_rows" : "pointwise_items");
    made.code(key, [form] { return kernel_code(*form); });
    return made;
  });

  FrameArguments arguments(loop.needs_index_64());
  for (const auto& operand : operands) arguments.add(operand.view);
  for (const auto& result : results) arguments.add(result.view);
  for (const auto& scalar : scalars) arguments.add(compute, scalar);
  arguments.add(loop, static_cast<int>(operands.size()));
  const Grid grid =
      cpu_form ? row_grid(loop, info.compute_units, arguments) : item_grid(loop, width, info.max_group, arguments);
  launch(queue, id, grid, arguments.list());
}

}  // namespace ocldnn
