#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ocldnn::tf {

/// An attribute of a node or function, its value an encoded AttrValue.
struct Attribute {
  std::string_view name, value;
};

/// One NodeDef. Texts point into the encoded graph or into Graph::keep().
struct Node {
  std::string_view name, op, device;
  std::vector<std::string_view> inputs;  // "name", "name:1", and control inputs "^name" last
  std::vector<Attribute> attributes;
  std::string_view rest;  // fields that nothing here looks at, as they were encoded

  const Attribute* attribute(std::string_view wanted) const;
  /// Removes the attribute; false if there is none of that name.
  bool drop(std::string_view unwanted);
  /// The placer has put the node on a device of this type.
  bool is_on(std::string_view device_type) const;
};

/// One FunctionDef, taken apart as far as passes look at it.
struct GraphFunction {
  std::string_view name;
  std::vector<Node> nodes;
  std::vector<Attribute> attributes;
  std::string_view rest;

  bool drop(std::string_view unwanted);
};

/// A GraphDef, read from and written to the wire format without TensorFlow's or anybody's protobuf library.
class Graph {
 public:
  /// Keeps looking at `encoded`. Throws if that is no GraphDef.
  explicit Graph(std::string_view encoded);
  std::string encoded() const;

  std::vector<Node> nodes;
  std::vector<GraphFunction> functions;

  /// A text that lives as long as the graph.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  template <class Read>
  std::string_view read(std::string_view encoded, Read read_field);
  Node read_node(std::string_view encoded);
  GraphFunction read_function(std::string_view encoded);
  void read_library(std::string_view encoded);

  std::string_view rest_, library_rest_;
  std::deque<std::string> kept_;
};

/// Parts of an encoded AttrValue: {"type"} as a number of TF_DataType, and the name of {"func"}. 0 and "" if it is
/// another kind.
int64_t attr_type(std::string_view value);
std::string_view attr_function(std::string_view value);
/// An encoded AttrValue that holds a type.
std::string type_attr(int64_t type);

}  // namespace ocldnn::tf
