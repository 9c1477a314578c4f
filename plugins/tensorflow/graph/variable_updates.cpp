#include <optional>

#include "graph/passes.hpp"
#include "ocldnn/error.hpp"

namespace ocldnn::tf {
namespace {

std::optional<std::string_view> arithmetic_of(std::string_view op) {
  if (op == "AssignAddVariableOp") return "AddV2";
  if (op == "AssignSubVariableOp") return "Sub";
  return std::nullopt;
}

bool is_control(std::string_view input) { return !input.empty() && input.front() == '^'; }

}  // namespace

bool split_variable_updates(Graph& graph, std::string_view device_type) {
  bool changed = false;
  std::vector<Node> nodes;
  nodes.reserve(graph.nodes.size());
  for (auto& update : graph.nodes) {
    const auto arithmetic = arithmetic_of(update.op);
    const auto* dtype = update.attribute("dtype");
    if (!arithmetic || !update.is_on(device_type) || !dtype) {
      nodes.push_back(std::move(update));
      continue;
    }
    if (update.inputs.size() < 2 || is_control(update.inputs[1]))
      fail(Code::internal, "graph: {} has {} inputs, expected 2", update.name, update.inputs.size());
    // The assignment keeps the node's name and control inputs, so whatever waited for the update waits for it. The read
    // has them too: it must see what the update would have seen.
    Node read{graph.keep(std::string(update.name) + "/ocldnn_read"),
              "ReadVariableOp",
              update.device,
              {update.inputs[0]},
              {{"dtype", dtype->value}},
              {}};
    Node sum{graph.keep(std::string(update.name) + "/ocldnn_sum"),
             *arithmetic,
             update.device,
             {read.name, update.inputs[1]},
             {{"T", dtype->value}},
             {}};
    Node assign{update.name, "AssignVariableOp", update.device, {update.inputs[0], sum.name}, {{"dtype", dtype->value}},
                update.rest};
    for (auto input : update.inputs) {
      if (!is_control(input)) continue;
      read.inputs.push_back(input);
      assign.inputs.push_back(input);
    }
    nodes.insert(nodes.end(), {std::move(read), std::move(sum), std::move(assign)});
    changed = true;
  }
  graph.nodes = std::move(nodes);
  return changed;
}

}  // namespace ocldnn::tf
