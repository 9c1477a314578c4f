#include "api/strict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "api/op_registry.hpp"
#include "graph/graph_def.hpp"
#include "ocldnn/log.hpp"

namespace ocldnn::tf {
namespace {

struct CpuOnly {
  std::string_view pattern;  // a part of the op's name, or the whole if it begins with '='
  std::string_view reason;
};

// What is CPU work by its nature, beyond the ops that the registry itself tells apart (strings, variants, resources).
constexpr CpuOnly cpu_only[]{
    {"Dataset", "input pipeline"},
    {"Iterator", "input pipeline"},
    {"Optional", "input pipeline"},
    {"=PyFunc", "Python code"},
    {"=PyFuncStateless", "Python code"},
    {"=EagerPyFunc", "Python code"},
    {"Print", "message"},
    {"Timestamp", "clock"},
    // Weights are drawn with them (Keras's Orthogonal), once.
    {"=Qr", "dense factorisation"},
    {"=Svd", "dense factorisation"},
};

bool matches(std::string_view op, std::string_view pattern) {
  if (pattern.front() == '=') return op == pattern.substr(1);
  return op.find(pattern) != std::string_view::npos;
}

std::string data_type_name(int64_t type) {
  constexpr const char* names[]{"",           "float32", "float64",   "int32",   "uint8",   "int16",
                                "int8",       "string",  "complex64", "int64",   "bool",    "qint8",
                                "quint8",     "qint32",  "bfloat16",  "qint16",  "quint16", "uint16",
                                "complex128", "float16", "resource",  "variant", "uint32",  "uint64"};
  return type > 0 && type < static_cast<int64_t>(std::size(names)) ? names[type] : fmt::format("data type {}", type);
}

constexpr const char* words_of(int type) {
  switch (type) {
    case TF_STRING: return "strings";
    case TF_VARIANT: return "variants";
    case TF_RESOURCE: return "resources, which stay where they were made";
    case TF_INT32: return "int32, which TensorFlow keeps in host memory";
    default: return nullptr;
  }
}

const std::map<std::string, OpSignature, std::less<>>& signatures() {
  static const auto all = all_ops();
  return all;
}

/// A registration for one set of types that stays on the CPU.
bool is_cpu_row(const KernelRow& kernel) {
  return std::any_of(kernel.constraints.begin(), kernel.constraints.end(), [](const TypeConstraint& constraint) {
    return std::all_of(constraint.types.begin(), constraint.types.end(), [](int type) { return words_of(type); });
  });
}

bool overlap(const std::vector<int>& a, const std::vector<int>& b) {
  return std::any_of(a.begin(), a.end(), [&](int type) { return std::find(b.begin(), b.end(), type) != b.end(); });
}

/// Could one node match both? Not if some attribute is constrained to different types.
bool overlap(const KernelRow& a, const KernelRow& b) {
  for (const auto& mine : a.constraints)
    for (const auto& other : b.constraints)
      if (mine.attribute == other.attribute && !overlap(mine.types, other.types)) return false;
  return a.label == b.label;
}

/// A registration for lists of types as one for each combination.
std::vector<KernelRow> single_types(const KernelRow& kernel) {
  std::vector<KernelRow> rows{kernel};
  for (size_t i = 0; i < kernel.constraints.size(); ++i) {
    if (kernel.constraints[i].types.empty()) continue;
    std::vector<KernelRow> next;
    for (const auto& row : rows)
      for (auto type : kernel.constraints[i].types) {
        next.push_back(row);
        next.back().constraints[i].types = {type};
      }
    rows = std::move(next);
  }
  return rows;
}

/// The node of a kernel under construction, as a graph of one.
std::string graph_of(TF_OpKernelConstruction* construction) {
  Buffer node(checked(tf.GetNodeDef, construction));
  std::string_view bytes(static_cast<const char*>(node->data), node->length);
  std::string graph{'\x0a'};  // GraphDef.node
  for (auto length = bytes.size();; length >>= 7) {
    graph += static_cast<char>((length & 127) | (length > 127 ? 128 : 0));
    if (length <= 127) break;
  }
  return graph.append(bytes);
}

std::string types_of(const Node& node) {
  std::string text;
  for (const auto& attribute : node.attributes)
    if (auto type = attr_type(attribute.value); type && attribute.name.front() != '_')
      text += fmt::format("{}{}={}", text.empty() ? " with " : ", ", attribute.name, data_type_name(type));
  return text;
}

void* refuse_node(TF_OpKernelConstruction* construction) {
  auto report = [&](TF_Code code, const char* text) {
    Status status;
    tf.SetStatus(status.get(), code, text);
    tf.ConstructionFailure(construction, status.get());
  };
  guard(report, [&] {
    auto encoded = graph_of(construction);
    Graph graph(encoded);
    const auto& node = graph.nodes.at(0);
    fail(Code::unimplemented, "{}: no OpenCL kernel{}{}", node.op, types_of(node),
         strict_mode() ? " (OCLDNN_STRICT=1 forbids the CPU)" : "");
  });
  return nullptr;
}

void register_refusal(const KernelRow& kernel) {
  auto* builder = tf.NewKernelBuilder(
      kernel.op.c_str(), kernel.device.c_str(), refuse_node, [](void*, TF_OpKernelContext*) {}, [](void*) {});
  checked(tf.RegisterKernelBuilderWithKernelDef, kernel_def(kernel).c_str(), kernel.op.c_str(), builder);
}

}  // namespace

std::string_view cpu_only_reason(std::string_view op) {
  for (const auto& row : cpu_only)
    if (matches(op, row.pattern)) return row.reason;
  auto found = signatures().find(op);
  if (found == signatures().end()) return {};
  if (found->second.has_reference) return "reference variables of TF1";
  for (auto type : found->second.argument_types)
    if (type != TF_INT32 && words_of(type)) return words_of(type);
  return {};
}

bool strict_mode() {
  const char* value = std::getenv("OCLDNN_STRICT");
  return value && std::string_view(value) != "" && std::string_view(value) != "0";
}

void register_refusals(const char* device_type) {
  auto kernels = all_kernels();
  std::map<std::string, std::vector<const KernelRow*>> served;  // by ours, or by TensorFlow's for any device
  for (const auto& kernel : kernels)
    if (kernel.device == "DEFAULT" || kernel.device == device_type) served[kernel.op].push_back(&kernel);
  int count = 0;
  for (const auto& kernel : kernels) {
    if (kernel.device != "CPU" || kernel.op.front() == '_' || !cpu_only_reason(kernel.op).empty()) continue;
    const auto& others = served[kernel.op];
    for (auto& row : single_types(kernel)) {
      if (is_cpu_row(row)) continue;
      if (std::any_of(others.begin(), others.end(), [&](const KernelRow* other) { return overlap(row, *other); }))
        continue;
      // The CPU's own priority: TensorFlow prefers a device by the priority of its kernel first, by its type then.
      row.device = device_type;
      register_refusal(row);
      ++count;
    }
  }
  log(Level::info, fmt::format("strict mode: {} CPU kernels refused", count));
}

void leave_variables_to_cpu(const char* device_type, bool has_f64) {
  std::vector<int> types{TF_COMPLEX64, TF_COMPLEX128};
  if (!has_f64) types.push_back(TF_DOUBLE);
  // TensorFlow's own handle is for any device. One of a priority below the CPU's makes the CPU the first choice.
  if (!strict_mode()) register_refusal({"VarHandleOp", device_type, "", {{"dtype", types}}, -1});
  // TensorFlow's own, also for any device, would run on the CPU with a device's address.
  for (const char* op : {"AssignAddVariableOp", "AssignSubVariableOp"})
    register_refusal({op, device_type, "", {{"dtype", types}}, 0});
}

}  // namespace ocldnn::tf
