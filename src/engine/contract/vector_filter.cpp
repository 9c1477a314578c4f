#include "engine/contract/blocks.hpp"
#include "engine/contract/family.hpp"
#include "engine/contract/frame.hpp"

namespace ocldnn::contract {
namespace {

constexpr int64_t pieces_most = 64, piece_most = 256, sum_chunk = 1024;  // what they bound: vector_filter.cl
constexpr int64_t zeros_most = 16384;

/// a or c in arithmetic's type with columns contiguous: copied where it is not so.
struct Dense {
  bool a = false, c = false;  // what has to be copied
};

Dense lacks(const Contraction& p) {
  const bool converts = compute_type(p.type) != p.type;
  return {converts, converts || (p.c_strides.col != 1 && p.cols > 1)};
}

/// The window of a, or c, as a view: [group..., image, space..., channel].
View view_of_a(const Contraction& p) {
  return {p.a,
          p.type,
          {p.groups[0], p.groups[1], p.groups[2], p.rows[0], p.extent[0], p.extent[1], p.extent[2], p.depth},
          {p.a_group[0], p.a_group[1], p.a_group[2], p.a_image, p.a_space[0], p.a_space[1], p.a_space[2], p.a_depth}};
}

View view_of_c(const Contraction& p) {
  const auto& s = p.c_strides;
  return {p.c,
          p.type,
          {p.groups[0], p.groups[1], p.groups[2], p.rows[0], p.rows[1], p.rows[2], p.rows[3], p.cols},
          {s.group[0], s.group[1], s.group[2], s.row[0], s.row[1], s.row[2], s.row[3], s.col}};
}

View copy_of(const Exec& exec, const View& from, Type type) {
  auto to = exec.temporary(type, from.shape);
  pointwise(exec.queue, "contract", type, {{"x", from}}, {{to, "x"}});
  return to;
}

/// What the kernel needs of the strides, and where the sum runs. `b_type` is what b is stored as.
Contraction prepared(const Exec& exec, Contraction p) {
  const auto copies = lacks(p);
  const auto arithmetic = compute_type(p.type);
  if (copies.a) {
    auto a = copy_of(exec, view_of_a(p), arithmetic);
    p.a = a.data;
    p.a_group = {a.strides[0], a.strides[1], a.strides[2]};
    p.a_image = a.strides[3];
    p.a_space = {a.strides[4], a.strides[5], a.strides[6]};
    p.a_depth = a.strides[7];
  }
  if (copies.c) {
    auto c = copy_of(exec, view_of_c(p), arithmetic);
    p.c = c.data;
    p.c_strides.group = {c.strides[0], c.strides[1], c.strides[2]};
    p.c_strides.row = {c.strides[3], c.strides[4], c.strides[5], c.strides[6]};
    p.c_strides.col = c.strides[7];
  }
  p.type = arithmetic;
  p.b = p.a;            // the sums go to `partial`; b, of another type perhaps, is written by the last kernel alone
  if (p.flat_rows()) {  // the sum runs along r[3]
    p.rows = {1, 1, 1, p.rows[0]};
    p.extent[2] = p.rows[3];
    std::swap(p.a_space[2], p.a_image);
    std::swap(p.c_strides.row[3], p.c_strides.row[0]);
  }
  return p;
}

struct Plan {
  Tile tile;
  bool one_tap = false;
  int64_t piece = 1, pieces = 1, slice_pieces = 1, slices = 1, block_pieces = 1, group_tiles = 1, tile_groups = 1;
  int64_t zeros = 0;
};

/// The height of a tile that wastes the fewest rows; the higher one of equals.
int height(const Tile& tile, int64_t rows) {
  int best = tile.rows;
  double least = 1e30;
  for (int rows_of_tile : {12, 8, 6, 4}) {
    if (rows_of_tile > tile.rows || (rows_of_tile > rows && rows_of_tile != 4)) continue;
    // A low tile loads more vectors for each product.
    const double cost = static_cast<double>(ceil_div(rows, rows_of_tile)) * (rows_of_tile + 1.0);
    if (cost < least) least = cost, best = rows_of_tile;
  }
  return best;
}

Plan plan(const Contraction& p, Device& device) {
  Plan plan;
  plan.tile = tile_of(device, p.type);
  while (plan.tile.width > 4 && plan.tile.width > p.cols) plan.tile.width /= 2;
  plan.tile.vectors = p.cols > plan.tile.width ? 2 : 1;
  const int64_t rows = p.tap_count() * p.depth;
  plan.one_tap = p.tap_count() == 1 || p.depth >= 4;
  plan.tile.rows = height(plan.tile, plan.one_tap ? p.depth : rows);
  const int64_t step = std::max<int64_t>(1, p.step[2] * p.a_space[2]);
  plan.piece = std::clamp<int64_t>(plan.one_tap ? piece_most : zeros_most / step, 1, piece_most);
  plan.piece = std::min(plan.piece, p.rows[3]);
  plan.zeros = plan.one_tap ? 0 : plan.piece * step;
  const int64_t lines = p.rows[0] * p.rows[1] * p.rows[2], line_pieces = ceil_div(p.rows[3], plan.piece);
  plan.pieces = lines * line_pieces;

  // First slices of r, each of its own a and c; then tiles. A slice of fewer than `least` positions would be more
  // work to sum than it saves.
  auto values = tuned(device, "contract");
  const int64_t wanted =
      ceil_div(std::max(1, device.info().compute_units) * values.get("vector_groups", 8), p.group_count());
  const int64_t least = values.get("filter_slice_positions", 512);
  const int64_t piece_positions = std::max<int64_t>(1, p.rows[3] / line_pieces);
  int64_t slices = std::clamp<int64_t>(lines * p.rows[3] / least, 1, wanted);
  plan.slice_pieces = ceil_div(plan.pieces, slices);
  plan.slices = ceil_div(plan.pieces, plan.slice_pieces);
  plan.block_pieces = std::clamp<int64_t>(values.get("filter_block_positions", 256) / piece_positions, 1, pieces_most);
  const int64_t blocks =
      plan.one_tap ? p.tap_count() * ceil_div(p.depth, plan.tile.rows) : ceil_div(rows, plan.tile.rows);
  const int64_t tiles = blocks * ceil_div(p.cols, plan.tile.columns());
  plan.group_tiles = ceil_div(tiles, std::clamp<int64_t>(ceil_div(wanted, plan.slices), 1, tiles));
  plan.tile_groups = ceil_div(tiles, plan.group_tiles);
  return plan;
}

Refusal refuses(const Contraction& p, Device& device) {
  if (p.direction != Direction::filter) return "computes weight gradients only";
  if (!is_floating(p.type)) return fmt::format("{} is not a floating-point type", name(p.type));
  if (p.terms() == 0) return "the sum is empty";
  if (ForceFamily::forced() != vector_filter.name && wants_wide_groups(device)) return "the device is a GPU";
  return {};
}

void run(const Exec& exec, const Contraction& original) {
  const auto p = prepared(exec, original);
  const auto plan = contract::plan(p, exec.queue.device());
  const int64_t elements = p.group_count() * p.tap_count() * p.depth * p.cols;
  const auto partial = exec.temporary(p.type, {plan.slices * elements});
  const auto zeros = exec.temporary(p.type, {plan.zeros});
  if (plan.zeros > 0) {
    const uint8_t zero = 0;
    exec.queue.fill(zeros.data, &zero, 1, zeros.bytes());
  }
  auto make = [&](std::string_view entry, const Contraction& problem) {
    KernelId id("engine/contract/vector_filter.cl", entry);
    id.define("MR", plan.tile.rows)
        .define("NV", plan.tile.vectors)
        .define("PIECES", pieces_most)
        .define("SUM_CHUNK", sum_chunk);
    if (plan.one_tap) id.define("ONE_TAP", 1);
    define_frame(id, problem, {.width = plan.tile.width});
    return id;
  };
  auto arguments = problem_arguments(p);
  auto add = [&](int64_t value) { arguments.emplace_back(static_cast<int32_t>(value)); };
  arguments.insert(arguments.end(), {partial, zeros});
  add(plan.piece), add(plan.slice_pieces), add(plan.block_pieces), add(plan.group_tiles);
  launch_groups(exec.queue, make("contract_vector_filter", p), p, {plan.slices, plan.tile_groups, p.group_count()}, 1,
                std::move(arguments));

  auto sum_arguments = problem_arguments(original);
  sum_arguments.insert(sum_arguments.end(), {partial, static_cast<int32_t>(plan.slices)});
  launch_groups(exec.queue, make("contract_vector_filter_sum", original), original,
                {ceil_div(elements, sum_chunk), 1, 1}, 1, std::move(sum_arguments));
}

}  // namespace

const Family vector_filter{"vector_filter", refuses, run};

}  // namespace ocldnn::contract
