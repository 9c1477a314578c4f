#pragma once

#include <string_view>

#include "graph/graph_def.hpp"

namespace ocldnn::tf {

/// A pass changes the graph and says whether it did. `device_type` is the type of our devices, "OPENCL": nodes on
/// others are left alone. A pass may rely on nothing that a graph from a stranger could have wrong, and throws rather
/// than guess.
using Pass = bool (*)(Graph& graph, std::string_view device_type);

/// Takes off _XlaMustCompile, which Keras asks for by default on every device but a CPU: no plug-in has an XLA
/// compiler, and TensorFlow would refuse to run the function. (Functions called from Python:
/// tensorflow_ocldnn/_jit.py.)
bool drop_must_compile(Graph& graph, std::string_view device_type);

/// AssignAddVariableOp and AssignSubVariableOp become a read, a sum and an assignment. For a TensorFlow that has
/// neither the variable functions of its C API nor a bridge: then no kernel of ours can reach a variable.
bool split_variable_updates(Graph& graph, std::string_view device_type);

}  // namespace ocldnn::tf
