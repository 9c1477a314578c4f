#include <map>
#include <vector>

#include "ocldnn/index.hpp"
#include "ops/optimizer/views.hpp"

namespace ocldnn {
namespace {

/// Row numbers on the device.
View upload(const Exec& exec, std::span<const int64_t> rows) {
  auto view = exec.temporary(Type::i64, {static_cast<int64_t>(rows.size())});
  exec.queue.write(view.data, rows.data(), view.bytes());
  return view;
}

/// `positions` of the gradient belong to the different rows `rows`.
void optimize_distinct(const Exec& exec, std::string_view op, const Optimizer& optimizer,
                       std::span<const NamedView> views, std::span<const int64_t> rows,
                       std::span<const int64_t> positions) {
  auto row_view = upload(exec, rows), position_view = upload(exec, positions);
  std::vector<NamedView> gathered(views.begin(), views.end());
  for (auto& [name, view] : gathered) {
    bool state = is_state(optimizer, name);
    if (!state && name != "grad") continue;
    auto shape = view.shape;
    shape[0] = static_cast<int64_t>(rows.size());
    auto part = exec.temporary(view.type, shape);
    gather(exec.queue, view, state ? row_view : position_view, 0, 0, part);
    view = part;
  }
  optimize(exec.queue, op, optimizer, gathered);
  for (size_t i = 0; i < views.size(); ++i)
    if (is_state(optimizer, views[i].name)) scatter(exec, Update::assign, views[i].view, row_view, gathered[i].view);
}

}  // namespace

void optimize_rows(const Exec& exec, std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views,
                   std::span<const int64_t> rows) {
  auto shape = state_shape(op, optimizer, views);
  require(shape.rank() >= 1, "{}: the variable must be at least 1 dimensional", op);
  for (size_t i = 0; i < rows.size(); ++i)
    require(rows[i] >= 0 && rows[i] < shape[0], "{}: Index {} at offset {} in indices is out of range", op, rows[i], i);
  shape[0] = static_cast<int64_t>(rows.size());
  check_inputs(op, optimizer, views, shape);

  // The n-th occurrence of each row goes into the n-th round.
  std::vector<std::vector<int64_t>> rounds, positions;
  std::map<int64_t, size_t> seen;
  for (size_t i = 0; i < rows.size(); ++i) {
    auto round = seen[rows[i]]++;
    if (round == rounds.size()) {
      rounds.emplace_back();
      positions.emplace_back();
    }
    rounds[round].push_back(rows[i]);
    positions[round].push_back(static_cast<int64_t>(i));
  }
  for (size_t i = 0; i < rounds.size(); ++i) optimize_distinct(exec, op, optimizer, views, rounds[i], positions[i]);
}

}  // namespace ocldnn
