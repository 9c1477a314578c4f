#include "graph/graph_def.hpp"

#include <algorithm>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace ocldnn::tf {
namespace {

using protozero::data_view;
using protozero::pbf_reader;
using protozero::pbf_writer;

// Field numbers of graph.proto, node_def.proto, function.proto and attr_value.proto.
namespace graph_field {
constexpr uint32_t node = 1, library = 2;
}
namespace node_field {
constexpr uint32_t name = 1, op = 2, input = 3, device = 4, attribute = 5;
}
namespace library_field {
constexpr uint32_t function = 1;
}
namespace function_field {
constexpr uint32_t signature = 1, node = 3, attribute = 5;
}
namespace value_field {
constexpr uint32_t type = 6, function = 10;
}
constexpr uint32_t first = 1, second = 2;  // key and value of a map's entry; a message's name

std::string_view text(data_view view) { return {view.data(), view.size()}; }
data_view view(std::string_view text) { return {text.data(), text.size()}; }

Attribute read_attribute(std::string_view entry) {
  Attribute attribute;
  for (pbf_reader reader(view(entry)); reader.next();) {
    if (reader.tag() == first) {
      attribute.name = text(reader.get_view());
    } else if (reader.tag() == second) {
      attribute.value = text(reader.get_view());
    } else {
      reader.skip();
    }
  }
  return attribute;
}

/// The first field `number` of a message, which holds a text or a message.
std::string_view field(std::string_view message, uint32_t number) {
  pbf_reader reader(view(message));
  return reader.next(number, protozero::pbf_wire_type::length_delimited) ? text(reader.get_view()) : std::string_view();
}

void write_attributes(pbf_writer& writer, uint32_t number, const std::vector<Attribute>& attributes) {
  for (const auto& attribute : attributes) {
    pbf_writer entry(writer, number);
    entry.add_string(first, view(attribute.name));
    entry.add_message(second, view(attribute.value));
  }
}

void write_node(pbf_writer& parent, uint32_t number, const Node& node) {
  std::string encoded;
  pbf_writer writer(encoded);
  writer.add_string(node_field::name, view(node.name));
  writer.add_string(node_field::op, view(node.op));
  for (auto input : node.inputs) writer.add_string(node_field::input, view(input));
  if (!node.device.empty()) writer.add_string(node_field::device, view(node.device));
  write_attributes(writer, node_field::attribute, node.attributes);
  encoded += node.rest;
  parent.add_message(number, encoded);
}

bool drop_from(std::vector<Attribute>& attributes, std::string_view unwanted) {
  return std::erase_if(attributes, [&](const Attribute& a) { return a.name == unwanted; }) != 0;
}

}  // namespace

const Attribute* Node::attribute(std::string_view wanted) const {
  auto found = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == wanted; });
  return found == attributes.end() ? nullptr : &*found;
}

bool Node::drop(std::string_view unwanted) { return drop_from(attributes, unwanted); }
bool GraphFunction::drop(std::string_view unwanted) { return drop_from(attributes, unwanted); }

bool Node::is_on(std::string_view device_type) const {
  constexpr std::string_view key = "device:";
  auto at = device.find(key);
  if (at == std::string_view::npos) return false;
  auto type = device.substr(at + key.size());
  return type.substr(0, type.find(':')) == device_type;
}

/// Calls read_field(reader) for each field of the message; it returns false for a field that it has not read. Those are
/// returned as they stand.
template <class Read>
std::string_view Graph::read(std::string_view encoded, Read read_field) {
  std::string unread;
  const char* end_of_field = encoded.data();
  for (pbf_reader reader(view(encoded)); reader.next();) {
    const char* begin = end_of_field;
    bool known = read_field(reader);
    if (!known) reader.skip();
    end_of_field = reader.data().data();
    if (!known) unread.append(begin, end_of_field);
  }
  return unread.empty() ? std::string_view() : keep(std::move(unread));
}

Node Graph::read_node(std::string_view encoded) {
  Node node;
  node.rest = read(encoded, [&](pbf_reader& reader) {
    switch (reader.tag()) {
      case node_field::name: node.name = text(reader.get_view()); return true;
      case node_field::op: node.op = text(reader.get_view()); return true;
      case node_field::input: node.inputs.push_back(text(reader.get_view())); return true;
      case node_field::device: node.device = text(reader.get_view()); return true;
      case node_field::attribute: node.attributes.push_back(read_attribute(text(reader.get_view()))); return true;
      default: return false;
    }
  });
  return node;
}

GraphFunction Graph::read_function(std::string_view encoded) {
  GraphFunction function;
  function.rest = read(encoded, [&](pbf_reader& reader) {
    switch (reader.tag()) {
      case function_field::signature: {
        auto copy = reader;  // looked at, and left among the rest
        function.name = field(text(copy.get_view()), first);
        return false;
      }
      case function_field::node: function.nodes.push_back(read_node(text(reader.get_view()))); return true;
      case function_field::attribute:
        function.attributes.push_back(read_attribute(text(reader.get_view())));
        return true;
      default: return false;
    }
  });
  return function;
}

void Graph::read_library(std::string_view encoded) {
  library_rest_ = read(encoded, [&](pbf_reader& reader) {
    if (reader.tag() != library_field::function) return false;
    functions.push_back(read_function(text(reader.get_view())));
    return true;
  });
}

Graph::Graph(std::string_view encoded) {
  rest_ = read(encoded, [&](pbf_reader& reader) {
    switch (reader.tag()) {
      case graph_field::node: nodes.push_back(read_node(text(reader.get_view()))); return true;
      case graph_field::library: read_library(text(reader.get_view())); return true;
      default: return false;
    }
  });
}

std::string Graph::encoded() const {
  std::string encoded;
  pbf_writer writer(encoded);
  for (const auto& node : nodes) write_node(writer, graph_field::node, node);
  if (!functions.empty() || !library_rest_.empty()) {
    std::string library;
    pbf_writer library_writer(library);
    for (const auto& function : functions) {
      std::string message;
      pbf_writer function_writer(message);
      for (const auto& node : function.nodes) write_node(function_writer, function_field::node, node);
      write_attributes(function_writer, function_field::attribute, function.attributes);
      message += function.rest;
      library_writer.add_message(library_field::function, message);
    }
    library += library_rest_;
    writer.add_message(graph_field::library, library);
  }
  encoded += rest_;
  return encoded;
}

int64_t attr_type(std::string_view value) {
  pbf_reader reader(view(value));
  return reader.next(value_field::type, protozero::pbf_wire_type::varint) ? reader.get_enum() : 0;
}

std::string_view attr_function(std::string_view value) { return field(field(value, value_field::function), first); }

std::string type_attr(int64_t type) {
  std::string encoded;
  pbf_writer(encoded).add_enum(value_field::type, static_cast<int32_t>(type));
  return encoded;
}

}  // namespace ocldnn::tf
