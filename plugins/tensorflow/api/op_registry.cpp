#include "api/op_registry.hpp"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace ocldnn::tf {
namespace {

using protozero::pbf_reader;
using protozero::pbf_writer;

pbf_reader reader_of(const TF_Buffer& buffer) { return {static_cast<const char*>(buffer.data), buffer.length}; }

std::string string_of(pbf_reader& reader) { return reader.get_string(); }

// Field numbers of op_def.proto: OpDef.ArgDef.
void read_argument(pbf_reader argument, OpSignature& signature) {
  int type = 0;
  while (argument.next()) {
    switch (argument.tag()) {
      case 3: type = argument.get_enum(); break;
      case 16: signature.has_reference |= argument.get_bool(); break;
      default: argument.skip();
    }
  }
  signature.argument_types.push_back(type);
}

// kernel_def.proto: KernelDef.AttrConstraint, whose allowed_values is AttrValue{list = 1 {type = 6}}.
TypeConstraint read_constraint(pbf_reader constraint) {
  TypeConstraint result;
  while (constraint.next()) {
    if (constraint.tag() == 1) {
      result.attribute = string_of(constraint);
    } else if (constraint.tag() == 2) {
      pbf_reader value = constraint.get_message();
      while (value.next(1)) {
        pbf_reader list = value.get_message();
        while (list.next(6)) {
          if (list.wire_type() == protozero::pbf_wire_type::length_delimited) {
            for (auto type : list.get_packed_enum()) result.types.push_back(type);
          } else {
            result.types.push_back(list.get_enum());
          }
        }
      }
    } else {
      constraint.skip();
    }
  }
  return result;
}

KernelRow read_kernel(pbf_reader message) {
  KernelRow kernel;
  while (message.next()) {
    switch (message.tag()) {
      case 1: kernel.op = string_of(message); break;
      case 2: kernel.device = string_of(message); break;
      case 3: kernel.constraints.push_back(read_constraint(message.get_message())); break;
      case 5: kernel.label = string_of(message); break;
      case 6: kernel.priority = message.get_int32(); break;
      default: message.skip();
    }
  }
  return kernel;
}

}  // namespace

std::map<std::string, OpSignature, std::less<>> all_ops() {
  std::map<std::string, OpSignature, std::less<>> ops;
  Buffer buffer(tf.GetAllOpList());
  for (auto list = reader_of(*buffer); list.next(1);) {
    pbf_reader op = list.get_message();
    std::string name;
    OpSignature signature;
    while (op.next()) {
      switch (op.tag()) {
        case 1: name = string_of(op); break;
        case 2:
        case 3: read_argument(op.get_message(), signature); break;
        default: op.skip();
      }
    }
    ops.emplace(std::move(name), std::move(signature));
  }
  return ops;
}

std::vector<KernelRow> all_kernels() {
  std::vector<KernelRow> kernels;
  Buffer buffer(checked(tf.GetAllRegisteredKernels));
  for (auto list = reader_of(*buffer); list.next(1);) kernels.push_back(read_kernel(list.get_message()));
  return kernels;
}

std::string kernel_def(const KernelRow& kernel) {
  std::string encoded;
  pbf_writer writer(encoded);
  writer.add_string(1, kernel.op);
  writer.add_string(2, kernel.device);
  for (const auto& constraint : kernel.constraints) {
    pbf_writer message(writer, 3);
    message.add_string(1, constraint.attribute);
    pbf_writer value(message, 2);
    pbf_writer list(value, 1);
    list.add_packed_enum(6, constraint.types.begin(), constraint.types.end());
  }
  if (!kernel.label.empty()) writer.add_string(5, kernel.label);
  if (kernel.priority) writer.add_int32(6, kernel.priority);
  return encoded;
}

}  // namespace ocldnn::tf
