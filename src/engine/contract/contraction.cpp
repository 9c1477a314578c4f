#include "engine/contract/contraction.hpp"

#include <algorithm>
#include <cstdlib>

namespace ocldnn::contract {
namespace {

/// Every tensor's strides along row dimension `i` (1..3), for merging: a, c and the epilogue's operands.
std::vector<int64_t*> row_strides(Contraction& p, int i) {
  std::vector<int64_t*> strides{i == 0 ? &p.a_image : &p.a_space[i - 1], &p.c_strides.row[i]};
  for (auto& operand : p.operand_strides) strides.push_back(&operand.row[i]);
  return strides;
}

std::vector<int64_t*> group_strides(Contraction& p, int i) {
  std::vector<int64_t*> strides{&p.a_group[i], &p.b_group[i], &p.c_strides.group[i]};
  for (auto& operand : p.operand_strides) strides.push_back(&operand.group[i]);
  return strides;
}

/// The window of dimension i (0..2) is a plain walk: one tap, never outside. Its step then belongs in the stride.
bool absorb_window(Contraction& p, int i) {
  if (p.taps[i] != 1 || p.padded(i)) return false;
  auto bytes = p.origin[i] * p.a_space[i] * static_cast<int64_t>(size_of(p.type));
  p.a = static_cast<char*>(p.a) + bytes;
  p.a_space[i] *= p.step[i];
  p.extent[i] = p.rows[i + 1];
  p.step[i] = p.dilation[i] = 1;
  p.origin[i] = 0;
  return true;
}

bool continuous(const std::vector<int64_t*>& outer, const std::vector<int64_t*>& inner, int64_t inner_size) {
  for (size_t i = 0; i < outer.size(); ++i)
    if (*outer[i] != *inner[i] * inner_size) return false;
  return true;
}

void assign(const std::vector<int64_t*>& to, const std::vector<int64_t*>& from) {
  for (size_t i = 0; i < to.size(); ++i) *to[i] = *from[i];
}

void clear(const std::vector<int64_t*>& strides) {
  for (auto* stride : strides) *stride = 0;
}

/// Merges plain row dimensions pairwise, the result in the outer one of the pair, then moves it to r[0] if that is
/// free.
void merge_rows(Contraction& p, const std::array<bool, 4>& plain) {
  int last = -1;  // the plain dimension that the next one may join
  for (int i = 0; i < 4; ++i) {
    if (p.rows[i] == 1 && plain[i]) continue;
    auto here = row_strides(p, i);
    if (last >= 0 && plain[i] && continuous(row_strides(p, last), here, p.rows[i])) {
      p.rows[last] *= p.rows[i];
      assign(row_strides(p, last), here);
      if (last > 0) p.extent[last - 1] = p.rows[last];
      p.rows[i] = 1;
      clear(here);
      if (i > 0) p.extent[i - 1] = 1;
    } else {
      last = plain[i] ? i : -1;
    }
  }
  for (int i = 1; i < 4 && p.rows[0] == 1; ++i) {
    if (p.rows[i] == 1) continue;
    if (!plain[i]) break;  // a window keeps its place, and the order of rows is kept
    p.rows[0] = p.rows[i];
    assign(row_strides(p, 0), row_strides(p, i));
    p.rows[i] = p.extent[i - 1] = 1;
    clear(row_strides(p, i));
  }
}

void merge_groups(Contraction& p) {
  for (int i = 2; i > 0; --i) {
    for (int j = i - 1; j >= 0; --j) {
      auto inner = group_strides(p, i), outer = group_strides(p, j);
      if (p.groups[j] == 1) continue;
      if (p.groups[i] == 1 || continuous(outer, inner, p.groups[i])) {
        if (p.groups[i] == 1) assign(inner, outer);
        p.groups[i] *= p.groups[j];
        p.groups[j] = 1;
        clear(outer);
        continue;
      }
      break;
    }
  }
}

}  // namespace

double Contraction::flops() const {
  return 2.0 * static_cast<double>(group_count()) * static_cast<double>(row_count()) *
         static_cast<double>(tap_count()) * static_cast<double>(depth) * static_cast<double>(cols);
}

bool Contraction::padded(int i) const {
  auto low = origin[i] + std::min<int64_t>(0, (taps[i] - 1) * dilation[i]);
  auto high = origin[i] + std::max<int64_t>(0, (taps[i] - 1) * dilation[i]) + (rows[i + 1] - 1) * step[i];
  return low < 0 || high >= extent[i];
}

bool Contraction::flat_rows() const {
  return rows[1] == 1 && rows[2] == 1 && rows[3] == 1 && tap_count() == 1 && !padded();
}

bool Contraction::needs_64_bits() const {
  auto reach = [](std::initializer_list<std::pair<int64_t, int64_t>> dims) {
    int64_t sum = 1;
    for (auto [size, stride] : dims) sum += std::max<int64_t>(0, size - 1) * std::abs(stride);
    return sum;
  };
  auto output = [&](const OutputStrides& s) {
    return reach({{groups[0], s.group[0]},
                  {groups[1], s.group[1]},
                  {groups[2], s.group[2]},
                  {rows[0], s.row[0]},
                  {rows[1], s.row[1]},
                  {rows[2], s.row[2]},
                  {rows[3], s.row[3]},
                  {cols, s.col}});
  };
  int64_t most =
      std::max({reach({{groups[0], a_group[0]},
                       {groups[1], a_group[1]},
                       {groups[2], a_group[2]},
                       {rows[0], a_image},
                       {extent[0], a_space[0]},
                       {extent[1], a_space[1]},
                       {extent[2], a_space[2]},
                       {depth, a_depth}}),
                reach({{groups[0], b_group[0]},
                       {groups[1], b_group[1]},
                       {groups[2], b_group[2]},
                       {taps[0], b_tap[0]},
                       {taps[1], b_tap[1]},
                       {taps[2], b_tap[2]},
                       {depth, b_depth},
                       {cols, b_col}}),
                output(c_strides), group_count() * row_count(), group_count() * cols, tap_count() * depth * cols});
  for (const auto& operand : operand_strides) most = std::max(most, output(operand));
  return wants_long_indices(most);
}

std::string Contraction::text() const {
  return fmt::format("groups {} rows {}x{}x{}x{} taps {}x{}x{} depth {} cols {} {}", group_count(), rows[0], rows[1],
                     rows[2], rows[3], taps[0], taps[1], taps[2], depth, cols, name(type));
}

void simplify(Contraction& p) {
  std::array<bool, 4> plain{true, false, false, false};
  for (int i = 0; i < 3; ++i) plain[i + 1] = absorb_window(p, i);
  merge_rows(p, plain);
  merge_groups(p);
}

std::vector<Argument> problem_arguments(const Contraction& p) {
  std::vector<Argument> list{index_argument(p, 1), index_argument(p, 1), p.view_a(), p.view_b(), p.view_c()};
  auto add = [&](const auto& values) {
    for (auto value : values) list.push_back(index_argument(p, value));
  };
  auto one = [&](int64_t value) { list.push_back(index_argument(p, value)); };
  add(p.groups), add(p.rows), add(p.taps), one(p.depth), one(p.cols);
  add(p.extent), add(p.step), add(p.dilation), add(p.origin);
  add(p.a_group), one(p.a_image), add(p.a_space), one(p.a_depth);
  add(p.b_group), add(p.b_tap), one(p.b_depth), one(p.b_col);
  add(p.c_strides.group), add(p.c_strides.row), one(p.c_strides.col);
  return list;
}

void launch_groups(Queue& queue, const KernelId& id, const Contraction& p, const std::array<int64_t, 3>& groups,
                   int64_t items, std::vector<Argument> arguments) {
  arguments[0] = index_argument(p, groups[0]);
  arguments[1] = index_argument(p, groups[1]);
  const Grid grid{{static_cast<size_t>(groups[0] * groups[1] * groups[2]), 1, 1}, {static_cast<size_t>(items), 1, 1}};
  launch(queue, id, grid, std::span<const Argument>(arguments));
}

}  // namespace ocldnn::contract
