#include "graph/optimizer.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "api/python.hpp"
#include "api/variables.hpp"
#include "graph/other_plugins.hpp"
#include "graph/passes.hpp"
#include "ocldnn/log.hpp"

namespace ocldnn::tf {
namespace {

struct Step {
  std::string_view name;
  Pass pass;
  bool (*wanted)() = [] { return true; };
};

// In this order. A graph that no step changes goes back as it came.
constexpr Step steps[]{
    {"drop_must_compile", drop_must_compile},
    {"split_variable_updates", split_variable_updates, [] { return variable_path() == VariablePath::rewrite; }},
};

const char* optimized_type = nullptr;

void give(const std::string& text, TF_Buffer* buffer) {
  void* copy = std::malloc(text.size());
  if (!copy && !text.empty()) throw std::bad_alloc();
  std::memcpy(copy, text.data(), text.size());
  buffer->data = copy;
  buffer->length = text.size();
  buffer->data_deallocator = [](void* data, size_t) { std::free(data); };
}

bool optimize(std::string_view encoded, TF_Buffer* out) {
  Graph graph(encoded);
  bool changed = false;
  for (const auto& step : steps) {
    if (!step.wanted() || !step.pass(graph, optimized_type)) continue;
    log(Level::debug, fmt::format("graph: {} changed a graph of {} nodes", step.name, graph.nodes.size()));
    changed = true;
  }
  if (changed) give(graph.encoded(), out);
  return changed;
}

/// TensorFlow takes ABORTED as "unchanged": a graph that we cannot read or write is none the worse for it.
void optimize_for_tensorflow(void*, const TF_Buffer* in, const TF_GrapplerItem*, TF_Buffer* out, TF_Status* status) {
  try {
    bool changed = optimize({static_cast<const char*>(in->data), in->length}, out);
    tf.SetStatus(status, changed ? TF_OK : TF_ABORTED, changed ? "" : "nothing to do");
  } catch (const std::exception& error) {
    log(Level::warning, fmt::format("graph: left as it was: {}", error.what()));
    tf.SetStatus(status, TF_ABORTED, error.what());
  } catch (...) {
    tf.SetStatus(status, TF_ABORTED, "unknown exception");
  }
}

// TensorFlow compares the switches that plug-ins set for its own optimisers, and where two differ its message is a
// std::length_error that ends the process (a name in PrintPluginConfigsIfConflict is longer than its column). AMD's
// zentf sets others than we do. What our passes and switches do for Python programs, _startup.py does as well.
bool can_do_without_passes() { return variable_path() != VariablePath::rewrite; }

}  // namespace

bool register_optimizer(TP_OptimizerRegistrationParams* params, const char* device_type) {
  if (auto other = other_plugin_with_passes(); !other.empty() && can_do_without_passes()) {
    log(Level::warning, fmt::format("no graph passes, as {} has some and TensorFlow cannot do with two: jit_compile in "
                                    "a saved model is an error",
                                    other));
    turn_off_remapping();
    return false;
  }
  optimized_type = device_type;
  params->major_version = GO_MAJOR;
  params->minor_version = GO_MINOR;
  params->patch_version = GO_PATCH;
  params->device_type = device_type;
  params->optimizer->optimize_func = optimize_for_tensorflow;
  // TensorFlow's remapper fuses nodes into ops for oneDNN (_FusedBatchNormEx, _FusedHardSwish) without asking which
  // device they are on; only the CPU has kernels for those.
  params->optimizer_configs->remapping = TF_TriState_Off;
  return true;
}

}  // namespace ocldnn::tf
