#include <algorithm>
#include <set>

#include "graph/passes.hpp"

namespace ocldnn::tf {
namespace {

constexpr std::string_view must_compile = "_XlaMustCompile";

/// Placed on a device whose compiler may well exist: a CPU, or a GPU that TensorFlow drives itself.
bool is_foreign(const Node& node, std::string_view device_type) {
  return !node.device.empty() && !node.is_on(device_type);
}

}  // namespace

bool drop_must_compile(Graph& graph, std::string_view device_type) {
  bool changed = false;
  std::set<std::string_view> kept;  // functions that a node on another device still wants compiled
  auto visit = [&](Node& node) {
    if (!node.attribute(must_compile)) return;
    if (!is_foreign(node, device_type)) {
      changed |= node.drop(must_compile);
    } else if (const auto* callee = node.attribute("f")) {
      kept.insert(attr_function(callee->value));
    }
  };
  std::for_each(graph.nodes.begin(), graph.nodes.end(), visit);
  for (auto& function : graph.functions) std::for_each(function.nodes.begin(), function.nodes.end(), visit);
  for (auto& function : graph.functions)
    if (!kept.count(function.name)) changed |= function.drop(must_compile);
  return changed;
}

}  // namespace ocldnn::tf
