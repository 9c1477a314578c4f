#include "ocldnn/optimizer.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/pointwise/code.hpp"
#include "ocldnn/pointwise.hpp"
#include "ops/optimizer/views.hpp"

namespace ocldnn {
namespace {

/// The steps as formulas of the old values alone, the last for each state.
std::vector<Substitution> composed(const Optimizer& optimizer) {
  std::vector<Substitution> known;
  for (int i = 0; i < optimizer.count; ++i) {
    const auto& step = optimizer.steps[i];
    auto formula = substituted(step.formula, known);
    auto same = std::find_if(known.begin(), known.end(), [&](const Substitution& s) { return s.name == step.state; });
    if (same == known.end()) {
      known.push_back({step.state, std::move(formula)});
    } else {
      same->formula = std::move(formula);
    }
  }
  return known;
}

const View& find(std::string_view op, std::span<const NamedView> views, std::string_view name) {
  auto found = std::find_if(views.begin(), views.end(), [&](const NamedView& v) { return v.name == name; });
  require(found != views.end(), "{}: no tensor \"{}\"", op, name);
  return found->view;
}

}  // namespace

bool is_state(const Optimizer& optimizer, std::string_view name) { return names_contain(optimizer.states, name); }

Shape state_shape(std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views) {
  const NamedView* first = nullptr;
  for (const auto& named : views) {
    if (!is_state(optimizer, named.name)) continue;
    if (!first) first = &named;
    require(named.view.shape == first->view.shape, "{}: {} and {} do not have the same shape: {} and {}", op,
            first->name, named.name, first->view.shape.text(), named.view.shape.text());
    require(named.view.type == first->view.type, "{}: {} and {} do not have the same type", op, first->name,
            named.name);
  }
  require(first != nullptr, "{}: nothing to change", op);
  return first->view.shape;
}

void check_inputs(std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views,
                  const Shape& shape) {
  for (const auto& [name, view] : views) {
    if (is_state(optimizer, name)) continue;
    bool gradient = name == "grad";
    require(gradient ? view.shape == shape : view.elements() == 1, "{}: {} must have shape {}, got {}", op, name,
            gradient ? shape.text() : "[]", view.shape.text());
  }
}

void optimize(Queue& queue, std::string_view op, const Optimizer& optimizer, std::span<const NamedView> views) {
  auto shape = state_shape(op, optimizer, views);
  check_inputs(op, optimizer, views, shape);
  std::vector<Operand> operands;
  for (const auto& [name, view] : views) {
    // A scalar may come as a tensor of one element of any rank.
    bool scalar = !is_state(optimizer, name) && name != "grad";
    operands.push_back({name, scalar ? View(view.data, view.type, {}) : view});
  }
  auto formulas = composed(optimizer);
  std::vector<Result> results;
  for (const auto& [state, formula] : formulas) results.push_back({find(op, views, state), formula});
  pointwise(queue, op, compute_type(results.front().view.type), operands, results);
}

}  // namespace ocldnn
