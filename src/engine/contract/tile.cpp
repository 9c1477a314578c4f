#include "engine/contract/blocks.hpp"
#include "engine/contract/family.hpp"
#include "engine/contract/frame.hpp"

namespace ocldnn::contract {
namespace {

/// A tile of tile.cl: BM x BN x BK by warps of WM x WN. `speed` is what a full one reaches beside the largest.
struct TileShape {
  int64_t bm, bn, bk, wm, wn;
  double speed;
  int64_t items() const { return bm / wm * (bn / wn) * 32; }
  int64_t local_bytes(Type type) const {
    return 2 * bk * (bm + 4 + bn) * static_cast<int64_t>(size_of(type)) + 10 * bk * 8;
  }
};

/// Measured on an H200 (fp32): 128 x 128 x 8 for large problems, 64 x 64 x 16 where that gives too few groups.
constexpr TileShape shapes[]{
    {128, 128, 8, 64, 64, 1.0}, {128, 64, 8, 64, 32, 0.9}, {64, 64, 16, 32, 32, 0.85}, {32, 32, 16, 16, 32, 0.5}};

/// The problem as the kernel sees it: a matrix product.
struct Matrix {
  int64_t m, n, k;
};

Matrix matrix_of(const Contraction& p) {
  const int64_t filter_rows = p.tap_count() * p.depth;
  return p.direction == Direction::filter ? Matrix{filter_rows, p.cols, p.row_count()}
                                          : Matrix{p.row_count(), p.cols, filter_rows};
}

struct Plan {
  TileShape shape{};
  int64_t tiles = 0, slices = 1, slice_terms = 0;
};

/// Groups run in waves of `units`; a tile's cost is its area over its speed.
double cost(const TileShape& shape, const Matrix& matrix, int64_t groups, int64_t units) {
  const int64_t tiles = ceil_div(matrix.m, shape.bm) * ceil_div(matrix.n, shape.bn) * groups;
  const auto waves = static_cast<double>(std::max<int64_t>(ceil_div(tiles, units), 1));
  return waves * static_cast<double>(shape.bm * shape.bn) / shape.speed;
}

Plan plan(const Contraction& p, Device& device) {
  const auto matrix = matrix_of(p);
  const auto& info = device.info();
  const auto type = compute_type(p.type);
  const int64_t groups = p.group_count(), units = std::max(1, info.compute_units);
  auto values = tuned(device, "contract");
  // Sums over many terms are cut into slices until the device is full, so for them a large tile costs no parallelism.
  const int64_t least_terms = values.get("tile_slice_terms", 256), wanted = units * values.get("tile_groups", 4);
  Plan plan;
  double least = 1e300;
  const int64_t forced = values.get("tile_shape", -1);
  for (size_t i = 0; i < std::size(shapes); ++i) {
    const auto& shape = shapes[i];
    if (shape.items() > info.max_group || shape.local_bytes(type) > info.local_bytes) continue;
    if (forced >= 0 && static_cast<int64_t>(i) != forced) continue;
    const int64_t slices = std::max<int64_t>(1, matrix.k / (2 * least_terms));
    const double here = cost(shape, matrix, groups * slices, units) / static_cast<double>(slices);
    if (here < least) least = here, plan.shape = shape;
  }
  if (plan.shape.bm == 0) return plan;
  plan.tiles = ceil_div(matrix.m, plan.shape.bm) * ceil_div(matrix.n, plan.shape.bn);
  const int64_t slices =
      std::clamp<int64_t>(wanted / (plan.tiles * groups), 1, std::max<int64_t>(1, matrix.k / least_terms));
  plan.slice_terms = round_up(ceil_div(matrix.k, slices), plan.shape.bk);
  plan.slices = ceil_div(matrix.k, plan.slice_terms);
  return plan;
}

bool multiples_of_4(std::initializer_list<int64_t> values) {
  return std::all_of(values.begin(), values.end(), [](int64_t value) { return value % 4 == 0; });
}

bool aligned(const void* address, Type type) { return reinterpret_cast<uintptr_t>(address) % (4 * size_of(type)) == 0; }

/// Whether a's other strides and address let 4 neighbours be loaded at once, wherever the first of them lies.
bool a_in_fours(const Contraction& p) {
  return aligned(p.a, p.type) && multiples_of_4({p.a_group[0], p.a_group[1], p.a_group[2], p.a_image, p.a_space[0],
                                                 p.a_space[1], p.a_space[2]});
}

void define_loads(KernelId& id, const Contraction& p) {
  const bool filter = p.direction == Direction::filter, plain = compute_type(p.type) == p.type;
  const auto& s = p.c_strides;
  const bool window = !(p.tap_count() == 1 && !p.padded());
  if (window) id.define("WINDOW", 1);
  // a: along k where the terms are neighbours. In a weight gradient the channels are rows, along which one walks then.
  const bool channels = p.a_depth == 1 && p.depth > 1;
  if (!filter && channels) id.define("A_ALONG_K", 1);
  const bool rows_in_fours = !filter && !window && p.flat_rows() && p.a_image == 1 && p.row_count() % 4 == 0 &&
                             multiples_of_4({p.a_depth, p.a_group[0], p.a_group[1], p.a_group[2]}) &&
                             aligned(p.a, p.type);
  if (plain && ((channels && p.depth % 4 == 0 && a_in_fours(p)) || (!channels && rows_in_fours))) id.define("VA", 4);
  // B: b, or c in a weight gradient.
  const int64_t column = filter ? s.col : p.b_col;
  const bool along_k = !filter && column != 1 && p.b_depth == 1;
  if (along_k) id.define("B_ALONG_K", 1);
  bool in_fours = plain && aligned(filter ? p.c : p.b, p.type);
  if (filter) {
    in_fours = in_fours && column == 1 && p.cols % 4 == 0 &&
               multiples_of_4({s.group[0], s.group[1], s.group[2], s.row[0], s.row[1], s.row[2], s.row[3]});
  } else {
    in_fours = in_fours &&
               multiples_of_4({p.b_group[0], p.b_group[1], p.b_group[2], p.b_tap[0], p.b_tap[1], p.b_tap[2]}) &&
               (along_k ? p.depth % 4 == 0 && p.b_col % 4 == 0 : column == 1 && p.cols % 4 == 0 && p.b_depth % 4 == 0);
  }
  if (in_fours) id.define("VB", 4);
}

Refusal refuses(const Contraction& p, Device& device) {
  if (!is_floating(p.type)) return fmt::format("{} is not a floating-point type", name(p.type));
  if (p.terms() == 0) return "the sum is empty";
  if (p.type == Type::f64 && !device.supports(Feature::fp64)) return "the device has no float64";
  if (ForceFamily::forced() != tile.name) {
    if (!wants_wide_groups(device)) return "the device is no GPU";
    const auto matrix = matrix_of(p);
    if (matrix.m * matrix.n < 64 || matrix.n < 4) return "the result is too small for a tile";
  }
  if (plan(p, device).shape.bm == 0)
    return fmt::format("no tile fits {} work-items and {} bytes of local memory", device.info().max_group,
                       device.info().local_bytes);
  return {};
}

void run(const Exec& exec, const Contraction& p) {
  const auto plan = contract::plan(p, exec.queue.device());
  const auto matrix = matrix_of(p);
  const bool filter = p.direction == Direction::filter;
  const bool split = plan.slices > 1;
  const auto partial =
      exec.temporary(compute_type(p.type), {split ? plan.slices * p.group_count() * matrix.m * matrix.n : 0});
  auto make = [&](std::string_view entry) {
    KernelId id("engine/contract/tile.cl", entry);
    const auto& shape = plan.shape;
    id.define("BM", shape.bm)
        .define("BN", shape.bn)
        .define("BK", shape.bk)
        .define("WM", shape.wm)
        .define("WN", shape.wn);
    if (filter) id.define("FILTER", 1);
    if (split) id.define("SPLIT", 1);
    define_loads(id, p);
    define_frame(id, p, {.width = 4, .cpu_form = !wants_wide_groups(exec.queue.device())});
    return id;
  };
  auto arguments = problem_arguments(p);
  arguments.insert(arguments.end(), {partial, index_argument(p, plan.slice_terms)});
  if (!filter) add_epilogue_arguments(arguments, p);
  launch_groups(exec.queue, make("contract_tile"), p, {plan.tiles, plan.slices, p.group_count()}, plan.shape.items(),
                std::move(arguments));
  if (!split) return;
  constexpr int64_t sum_items = 64;
  auto sum_arguments = problem_arguments(p);
  sum_arguments.insert(sum_arguments.end(), {partial, static_cast<int32_t>(plan.slices)});
  if (!filter) add_epilogue_arguments(sum_arguments, p);
  launch_groups(exec.queue, make("contract_tile_sum"), p,
                {ceil_div(matrix.m * ceil_div(matrix.n, 4), sum_items), 1, p.group_count()}, sum_items,
                std::move(sum_arguments));
}

}  // namespace

const Family tile{"tile", refuses, run};

}  // namespace ocldnn::contract
