#include "engine/contract/blocks.hpp"
#include "engine/contract/family.hpp"
#include "engine/contract/frame.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn::contract {
namespace {

constexpr int rows_most = 256, taps_most = 64, pack_chunk = 64, panels_most = 8;  // what they bound: vector.cl, pack.cl

enum class Form { rows = 1, packed = 2 };

/// How a product is cut into groups and blocks.
struct Plan {
  Form form = Form::packed;
  Tile tile;
  bool window = false, direct = false;  // direct: b is read in place
  bool spread = false;  // rows of a that fall into one set of L1, from which they drive one another, are copied apart
  int64_t panels = 0, block_rows = 0, block_panels = 0, block_taps = 1, block_depth = 0;
  int64_t row_groups = 0, panel_groups = 0;
};

bool element_is_arithmetic(const Contraction& p) { return compute_type(p.type) == p.type; }

/// Depths below this are read faster through contract_vector_packed: new row pointers for each tap cost more than a
/// copy of the rows.
constexpr int64_t short_depth = 8;

Plan plan(const Contraction& p, Device& device) {
  Plan plan;
  plan.tile = tile_of(device, compute_type(p.type));
  auto values = tuned(device, "contract");
  plan.window = !(p.tap_count() == 1 && !p.padded());
  const int64_t rows = p.row_count(), groups = p.group_count();
  const bool rows_form = element_is_arithmetic(p) && p.a_depth == 1 && p.tap_count() <= taps_most &&
                         (p.depth >= short_depth || !plan.window) && (p.c_strides.col == 1 || p.cols == 1);
  plan.form = rows_form ? Form::rows : Form::packed;
  // With few rows each element of b is used a few times only: copying it would cost as much as using it.
  plan.direct =
      rows_form && !plan.window && p.b_col == 1 && rows <= values.get("vector_direct_rows", 8 * plan.tile.rows);
  while (plan.tile.rows / 2 >= rows) plan.tile.rows /= 2;  // few heights, so that few programs are built
  plan.panels = ceil_div(p.cols, plan.tile.columns());
  // Rows are read once for every panel: with few panels, or few rows, a copy would cost more.
  plan.spread = rows_form && p.flat_rows() &&
                p.a_image * static_cast<int64_t>(size_of(p.type)) % values.get("vector_set_stride", 4096) == 0 &&
                plan.panels >= values.get("vector_spread_panels", 12) &&
                p.rows[0] >= values.get("vector_spread_rows", 48);

  // Enough groups for every core to have several, so that none waits long for the last one.
  const int64_t wanted = std::max(1, device.info().compute_units) * values.get("vector_groups", 8);
  const int64_t row_tiles = ceil_div(rows, plan.tile.rows);
  const int64_t most_tiles = std::max<int64_t>(1, values.get("vector_block_rows", 144) / plan.tile.rows);
  int64_t tiles = std::clamp<int64_t>(row_tiles * groups / wanted, 1, most_tiles);
  plan.block_rows = std::min<int64_t>(ceil_div(row_tiles, ceil_div(row_tiles, tiles)) * plan.tile.rows, rows_most);
  plan.row_groups = ceil_div(rows, plan.block_rows);
  int64_t panel_groups = std::clamp<int64_t>(ceil_div(wanted, plan.row_groups * groups), 1, plan.panels);
  if (plan.form == Form::packed) panel_groups = std::max(panel_groups, ceil_div(plan.panels, panels_most));
  plan.block_panels = ceil_div(plan.panels, panel_groups);
  plan.panel_groups = ceil_div(plan.panels, plan.block_panels);

  // A block of a panel stays in L2 beside the rows of a.
  const int64_t block_terms = std::max<int64_t>(1, values.get("vector_panel_elements", 16384) / plan.tile.columns());
  plan.block_depth = std::min(p.depth, block_terms);
  if (p.depth > block_terms) plan.block_depth = ceil_div(p.depth, ceil_div(p.depth, block_terms));
  plan.block_taps = plan.block_depth < p.depth ? 1 : std::clamp<int64_t>(block_terms / p.depth, 1, p.tap_count());
  return plan;
}

/// b in panels, and `zeros` zeros behind them.
View pack(const Exec& exec, const Contraction& p, const Plan& plan, int64_t zeros) {
  const int64_t terms = p.terms(), columns = plan.tile.columns();
  const auto packed = exec.temporary(compute_type(p.type), {p.group_count() * plan.panels * terms * columns + zeros});
  KernelId id("engine/contract/pack.cl", "contract_pack");
  id.define("NR", columns).define("PACK_CHUNK", pack_chunk);
  Contraction source = p;  // without its epilogue, which is none of the copy's business
  source.epilogue = {};
  source.operand_strides.clear();
  define_frame(id, source, {.width = 1});
  auto arguments = problem_arguments(source);
  arguments.insert(arguments.end(), {packed, index_argument(p, zeros)});
  launch_groups(exec.queue, id, p, {plan.panels, ceil_div(terms, pack_chunk), p.group_count()}, 1,
                std::move(arguments));
  return packed;
}

/// The same product of a copy of a, whose rows are a line of L1 further apart.
Contraction with_rows_spread(const Exec& exec, const Contraction& p) {
  const int64_t pitch = p.depth + 64 / static_cast<int64_t>(size_of(p.type));
  Shape all{1, 1, 1, p.rows[0], pitch};  // a that repeats along a group dimension is copied once
  for (int i = 0; i < 3; ++i) all[i] = p.a_group[i] == 0 ? 1 : p.groups[i];
  const View spread = exec.temporary(p.type, all), to = spread.sliced(4, 0, p.depth);
  copy(exec.queue, {p.a, p.type, to.shape, {p.a_group[0], p.a_group[1], p.a_group[2], p.a_image, 1}}, to);
  Contraction result = p;
  result.a = spread.data, result.a_image = pitch;
  for (int i = 0; i < 3; ++i) result.a_group[i] = p.a_group[i] == 0 ? 0 : spread.strides[i];
  return result;
}

Refusal refuses(const Contraction& p, Device& device) {
  if (p.direction != Direction::product) return "computes products only";
  if (!is_floating(p.type)) return fmt::format("{} is not a floating-point type", name(p.type));
  if (p.terms() == 0) return "the sum is empty";
  if (ForceFamily::forced() != vector.name && wants_wide_groups(device)) return "the device is a GPU";
  if (p.cols < 2 && p.depth < 2) return "there is nothing to vectorise";
  return {};
}

void multiply(const Exec& exec, const Contraction& p, const Plan& plan) {
  const int64_t zeros = plan.form == Form::rows && plan.window ? p.depth : 0;
  const View packed = plan.direct ? View(nullptr, compute_type(p.type), {0}) : pack(exec, p, plan, zeros);
  KernelId id("engine/contract/vector.cl", plan.form == Form::rows ? "contract_vector_rows" : "contract_vector_packed");
  id.define("FORM", static_cast<int64_t>(plan.form)).define("MR", plan.tile.rows).define("NV", plan.tile.vectors);
  id.define("ROWS_MOST", rows_most).define("TAPS_MOST", taps_most).define("PANELS_MOST", panels_most);
  if (plan.form == Form::rows && plan.window) id.define("WINDOW", 1);
  if (plan.form == Form::packed && p.tap_count() <= taps_most) id.define("FEW_TAPS", 1);
  if (plan.direct) id.define("B_DIRECT", 1);
  define_frame(id, p, {.width = plan.tile.width});
  auto arguments = problem_arguments(p);
  auto add = [&](int64_t value) { arguments.emplace_back(static_cast<int32_t>(value)); };
  arguments.emplace_back(packed);
  if (plan.form == Form::rows) arguments.emplace_back(packed.elements() - zeros);
  add(plan.block_rows), add(plan.block_panels);
  if (plan.form == Form::rows) add(plan.block_taps), add(plan.block_depth);
  add_epilogue_arguments(arguments, p);
  launch_groups(exec.queue, id, p, {plan.row_groups, plan.panel_groups, p.group_count()}, 1, std::move(arguments));
}

void run(const Exec& exec, const Contraction& p) {
  const auto plan = contract::plan(p, exec.queue.device());
  if (plan.spread) multiply(exec, with_rows_spread(exec, p), plan);
  else multiply(exec, p, plan);
}

}  // namespace

const Family vector{"vector", refuses, run};

}  // namespace ocldnn::contract
