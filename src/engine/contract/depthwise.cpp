#include "engine/contract/blocks.hpp"
#include "engine/contract/family.hpp"
#include "engine/contract/frame.hpp"

namespace ocldnn::contract {
namespace {

/// The problem with its last group dimension as columns, and its columns as that group dimension.
struct Turned {
  Contraction problem;
  int64_t a_col = 0;
};

Turned turned(const Contraction& p) {
  Turned t{p, p.a_group[2]};
  auto& q = t.problem;
  std::swap(q.cols, q.groups[2]);
  q.a_group[2] = 0;
  std::swap(q.b_group[2], q.b_col);
  std::swap(q.c_strides.group[2], q.c_strides.col);
  for (auto& operand : q.operand_strides) std::swap(operand.group[2], operand.col);
  return t;
}

/// How items and groups share the work.
struct Plan {
  bool wide = false;  // many items a group
  int width = 1, vectors = 1, items = 1;
  int64_t chunk = 1, chunks = 1;
};

Plan plan(const Contraction& p, Device& device) {
  Plan plan;
  plan.wide = wants_wide_groups(device);
  if (plan.wide) {
    plan.items = 64;
    plan.chunks = round_up(p.cols, plan.items) / plan.items;
    return plan;
  }
  plan.width = tile_of(device, compute_type(p.type)).width;
  while (plan.width > 4 && plan.width > p.cols) plan.width /= 2;
  plan.vectors = static_cast<int>(std::clamp<int64_t>(p.cols / plan.width, 1, 4));
  plan.chunk = std::min<int64_t>(p.cols, plan.width * plan.vectors);
  plan.chunks = ceil_div(p.cols, plan.chunk);
  return plan;
}

KernelId kernel(std::string_view entry, const Turned& t, const Plan& plan) {
  KernelId id("engine/contract/depthwise.cl", entry);
  id.define("NV", plan.vectors).define("ITEMS", plan.items);
  if (t.a_col == 1) id.define("A_UNIT", 1);
  if (t.problem.b_col == 1) id.define("B_UNIT", 1);
  define_frame(id, t.problem, {.width = plan.width, .cpu_form = !plan.wide});
  return id;
}

void run_product(const Exec& exec, const Turned& t, const Plan& plan) {
  const auto& p = t.problem;
  // A group's rows cost about as much as a launch of groups does to hand out.
  const int64_t block_rows = plan.wide ? 1 : std::clamp<int64_t>(p.row_count() / 64, 1, 64);
  auto arguments = problem_arguments(p);
  arguments.insert(arguments.end(),
                   {index_argument(p, t.a_col), static_cast<int32_t>(plan.chunk), static_cast<int32_t>(block_rows)});
  add_epilogue_arguments(arguments, p);
  launch_groups(exec.queue, kernel("contract_depthwise_product", t, plan), p,
                {plan.chunks, ceil_div(p.row_count(), block_rows), p.group_count()}, plan.items, std::move(arguments));
}

void run_filter(const Exec& exec, const Turned& t, const Plan& plan) {
  const auto& p = t.problem;
  const int64_t lines = p.rows[0] * p.rows[1] * p.rows[2];
  // About 256 positions a slice: their part of both operands stays in a CPU's L2 while the taps go over it.
  const int64_t slice_lines = std::max<int64_t>(ceil_div(256, p.rows[3]), ceil_div(lines, 256));
  const int64_t slices = ceil_div(lines, slice_lines), elements = p.group_count() * p.tap_count() * p.cols;
  const auto partial = exec.temporary(compute_type(p.type), {slices * elements});
  auto arguments = problem_arguments(p);
  arguments.insert(arguments.end(), {index_argument(p, t.a_col), static_cast<int32_t>(plan.chunk),
                                     static_cast<int32_t>(slice_lines), partial});
  launch_groups(exec.queue, kernel("contract_depthwise_filter", t, plan), p, {plan.chunks, slices, p.group_count()},
                plan.items, std::move(arguments));
  auto sum_arguments = problem_arguments(p);
  sum_arguments.insert(sum_arguments.end(), {partial, static_cast<int32_t>(slices)});
  constexpr int64_t items = 64;
  launch_groups(exec.queue, kernel("contract_depthwise_sum", t, plan), p, {ceil_div(elements, items), 1, 1}, items,
                std::move(sum_arguments));
}

Refusal refuses(const Contraction& p, Device& device) {
  if (!is_floating(p.type)) return fmt::format("{} is not a floating-point type", name(p.type));
  if (p.terms() == 0) return "the sum is empty";
  if (p.direction == Direction::filter && p.depth != 1) return fmt::format("{} channels in a group", p.depth);
  if (p.groups[2] < 4) return fmt::format("{} groups are too few to fill a vector", p.groups[2]);
  if (p.depth * p.cols > 4) return fmt::format("{} x {} channels in a group", p.depth, p.cols);
  return {};
}

void run(const Exec& exec, const Contraction& p) {
  const auto t = turned(p);
  const auto plan = contract::plan(t.problem, exec.queue.device());
  p.direction == Direction::product ? run_product(exec, t, plan) : run_filter(exec, t, plan);
}

}  // namespace

const Family depthwise{"depthwise", refuses, run};

}  // namespace ocldnn::contract
