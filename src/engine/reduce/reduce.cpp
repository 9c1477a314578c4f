// Reductions: finds the loop nest, says which dimensions are folded and how the work is cut into parts, and launches
// the kernels made for the formulas and classes of the views. Few results are folded in two stages: parts into scratch,
// then the parts.

#include "ocldnn/reduce.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "engine/pointwise/arguments.hpp"
#include "engine/pointwise/kernel_store.hpp"
#include "engine/reduce/nest.hpp"
#include "engine/reduce/reduce_code.hpp"
#include "ocldnn/formula.hpp"

namespace ocldnn {
namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// How the work is cut: parts of the folded dimensions, and the form of the kernel.
struct Cut {
  bool cpu_form;
  int width = 1, lanes = 0;
  int64_t parts = 1;
};

constexpr int64_t chunk_elements = 4096;  // along, CPU form: elements folded before they join the total

// What a fold over nothing gives, as the scalar r.
Scalar neutral(Fold fold, Type compute) {
  const bool is_signed = ocldnn::is_signed(compute);
  const int bits = static_cast<int>(8 * size_of(compute));
  const int64_t greatest = is_signed ? std::numeric_limits<int64_t>::max() >> (64 - bits) : -1;
  const int64_t least = is_signed ? -greatest - 1 : 0;
  constexpr double inf = std::numeric_limits<double>::infinity();
  Scalar r("r", fold == Fold::max ? -inf : fold == Fold::min ? inf : 0.0);
  r.integer = fold == Fold::max ? least : fold == Fold::min ? greatest : 0;
  if (fold == Fold::prod || fold == Fold::all) r = Scalar("r", int64_t{1});
  return r;
}

Cut make_cut(const Nest& nest, Type compute, Device& device) {
  const Loop& loop = nest.loop;
  const auto& info = device.info();
  Cut cut{!wants_wide_groups(device)};
  int64_t groups, least;  // of one part; elements that a part is worth
  if (cut.cpu_form) {
    cut.width = std::clamp(info.float_width, 4, 16);
    if (size_of(compute) <= 2) cut.width = 16;
    if (loop.inner() < cut.width && loop.inner() * 2 <= cut.width) cut.width = 1;
    groups = nest.along ? nest.rows() : nest.rows() * ceil_div(loop.inner(), 4 * cut.width);
    least = 16384;
  } else {
    const int64_t folded = nest.along ? nest.folded_rows() * loop.inner() : 0;
    if (nest.along) cut.lanes = folded >= 512 ? 256 : folded >= 24 ? 32 : folded >= 8 ? 8 : 1;
    groups = nest.along ? ceil_div(nest.rows() * cut.lanes, 256) : nest.rows() * ceil_div(loop.inner(), 32);
    least = 4096;
  }
  const int64_t wanted = static_cast<int64_t>(std::max(info.compute_units, 1)) * (cut.cpu_form ? 4 : 8);
  const int64_t worth = std::max<int64_t>(1, loop.elements() / least);
  if (groups < wanted) cut.parts = std::clamp<int64_t>(ceil_div(wanted, groups), 1, worth);
  // Long rows across: groups walk neighbouring columns of few rows, so that memory is read nearly in order.
  constexpr int64_t long_row = 512, few_rows = 64, most_parts = 4096;
  if (cut.cpu_form && !nest.along && loop.inner() >= long_row)
    cut.parts = std::max(cut.parts, std::min({nest.folded_rows() / few_rows, worth, most_parts}));
  return cut;
}

const KernelId& kernel_id(Type compute, const Nest& nest, const Cut& cut, std::span<const Scalar> scalars) {
  const Loop& loop = nest.loop;
  const auto operands = static_cast<int>(nest.operands.size());
  thread_local std::string key;
  key.clear();
  auto letter = [&](int value) { key.push_back(static_cast<char>('a' + value)); };
  letter(static_cast<int>(compute));
  letter(cut.width);
  letter(cut.cpu_form);
  key.append(std::to_string(cut.lanes));
  letter(loop.needs_index_64());
  letter(loop.rank);
  letter(loop.folded);
  letter(nest.along);
  for (int v = 0; v < loop.views; ++v) {
    const auto i = static_cast<size_t>(v);
    const bool written = v >= operands;
    const auto& result = nest.results[written ? i - nest.operands.size() : 0];
    letter(static_cast<int>(written ? result.view.type : nest.operands[i].view.type));
    letter(static_cast<int>(loop.step(v)));
    if (written)
      key.append(fold_name(result.fold)).append(result.element).append(";").append(result.finish).append(";");
    else key.append(nest.operands[i].name).append(";");
  }
  for (const auto& scalar : scalars) key.append(scalar.name).append(",");

  static auto& store = *new KernelStore;  // never destroyed: kernels may run while the process ends
  return store.get(key, [&] {
    auto code = std::make_shared<ReduceCode>();
    code->frame = {compute, cut.width, cut.cpu_form, false, loop.needs_index_64(), loop.outer(), loop.folded, {}, {}};
    code->along = nest.along;
    code->lanes = cut.lanes;
    std::string names;
    for (const auto& scalar : scalars) names.append(code->frame.scalars.emplace_back(scalar.name)).append(" ");
    const std::string finish_names = names + "r";
    for (const auto& operand : nest.operands) names.append(code->operands.emplace_back(operand.name)).append(" ");
    for (int v = 0; v < loop.views; ++v) {
      const auto i = static_cast<size_t>(v);
      const bool written = v >= operands;
      const Type type = written ? nest.results[i - nest.operands.size()].view.type : nest.operands[i].view.type;
      code->frame.views.push_back({type, written && nest.along ? Step::unit : loop.step(v), written});
    }
    for (const auto& result : nest.results) {
      check_formula(result.element, {names});
      check_formula(result.finish, {finish_names});
      code->folds.push_back({result.fold, std::string(result.element), std::string(result.finish)});
    }
    const char* entry = nest.along ? (cut.cpu_form ? "reduce_along" : "reduce_along_items")
                                   : (cut.cpu_form ? "reduce_across" : "reduce_across_items");
    KernelId made("engine/reduce/reduce.cl", entry);
    made.code(key, [code] { return code->text(); });
    return made;
  });
}

Grid sizes(const Nest& nest, const Cut& cut, int64_t compute_units, FrameArguments& arguments) {
  const Loop& loop = nest.loop;
  const int64_t inner = loop.inner(), rows = nest.rows(), folded_rows = nest.folded_rows();
  auto groups = [&](int64_t x) {
    return std::array<size_t, 3>{static_cast<size_t>(x), static_cast<size_t>(cut.parts), 1};
  };
  arguments.add(nest.kept());
  arguments.add(inner);
  if (cut.cpu_form && nest.along) {
    const int64_t chunks = ceil_div(inner, chunk_elements), chunk = std::min(inner, chunk_elements);
    const int64_t units = folded_rows * chunks;
    const int64_t per_row = folded_rows * inner;
    const int64_t rows_share = std::clamp<int64_t>(std::min(rows / (compute_units * 4), 16384 / per_row), 1, rows);
    for (auto value : {chunk, chunks, units, ceil_div(units, cut.parts), rows, rows_share}) arguments.add(value);
    return {groups(ceil_div(rows, rows_share)), {1, 1, 1}};
  }
  if (cut.cpu_form) {
    const int64_t columns = std::min<int64_t>(inner, 4 * cut.width), blocks = ceil_div(inner, columns);
    const int64_t share = ceil_div(folded_rows, cut.parts);
    int64_t run = 8;  // near the root of the share: then the sums and the sum of sums round alike
    while (run < 64 && run * run < share) run *= 2;
    for (auto value : {columns, blocks, folded_rows, share, run}) arguments.add(value);
    return {groups(rows * blocks), {1, 1, 1}};
  }
  if (nest.along) {
    const int64_t total = folded_rows * inner;
    for (auto value : {total, ceil_div(total, cut.parts), rows}) arguments.add(value);
    return {groups(ceil_div(rows, 256 / cut.lanes)), {256, 1, 1}};
  }
  const int64_t blocks = ceil_div(inner, 32);
  for (auto value : {blocks, folded_rows, ceil_div(folded_rows, cut.parts)}) arguments.add(value);
  return {groups(rows * blocks), {32, 8, 1}};
}

void run(Queue& queue, Type compute, const Nest& nest, const Cut& cut, std::span<const Scalar> scalars) {
  const KernelId& id = kernel_id(compute, nest, cut, scalars);
  FrameArguments arguments(nest.loop.needs_index_64());
  for (const auto& operand : nest.operands) arguments.add(operand.view);
  for (const auto& result : nest.results) arguments.add(result.view);
  for (const auto& scalar : scalars) arguments.add(compute, scalar);
  arguments.add(nest.loop, static_cast<int>(nest.operands.size()));
  const Grid grid = sizes(nest, cut, queue.device().info().compute_units, arguments);
  launch(queue, id, grid, arguments.list());
}

// The neutral element finished, where there is nothing to fold.
void fill_empty(Queue& queue, std::string_view op, Type compute, std::span<const Reduced> results,
                std::span<const Scalar> scalars) {
  for (const auto& result : results) {
    std::vector<Scalar> all(scalars.begin(), scalars.end());
    all.push_back(neutral(result.fold, compute));
    const Result stored{result.view, result.finish};
    pointwise(queue, op, compute, {}, std::span(&stored, 1), all);
  }
}

}  // namespace

void reduce(const Exec& exec, std::string_view op, Type compute, const Shape& shape, std::span<const Operand> operands,
            std::span<const Reduced> results, std::span<const Scalar> scalars) {
  Nest nest = make_nest(op, shape, operands, results);
  const int64_t kept = results[0].view.elements();
  if (kept == 0) return;
  const int64_t count = shape.elements() / kept;
  std::vector<Scalar> all(scalars.begin(), scalars.end());
  all.emplace_back("count", count);
  if (count == 0) return fill_empty(exec.queue, op, compute, results, all);

  Device& device = exec.queue.device();
  require_arithmetic(device, op, compute, operands, results);
  const bool wide = wants_wide_groups(device);
  const int width = std::clamp(device.info().float_width, 4, 16);
  if (!wide) fold_short_rows_across(nest, 2 * width);
  const int64_t worth_two_stages = wide ? 65536 : 4096;
  const int64_t m = shape.elements() < worth_two_stages ? 1 : widening(nest, wide ? 32 : 4 * width);
  const Nest widened = first_stage(nest, m, {});
  const Cut cut = make_cut(widened, compute, device);
  if (m == 1 && cut.parts == 1) return run(exec.queue, compute, nest, cut, all);
  std::vector<View> partial;
  for (size_t r = 0; r < results.size(); ++r) partial.push_back(exec.temporary(compute, {cut.parts, widened.kept()}));
  run(exec.queue, compute, first_stage(nest, m, partial), cut, all);
  std::vector<std::string> names;
  const Nest second = second_stage(nest, m, cut.parts, partial, names);
  Cut whole = make_cut(second, compute, device);
  whole.parts = 1;
  run(exec.queue, compute, second, whole, all);
}

}  // namespace ocldnn
