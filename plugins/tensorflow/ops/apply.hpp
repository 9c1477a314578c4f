#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/registrar.hpp"
#include "ocldnn/optimizer.hpp"

namespace ocldnn::tf {

// Not constexpr: a row that calls it does not build, and the compiler shows the name.
[[noreturn]] void this_signature_lacks_an_input_of_the_rule(std::string_view name);

/// {"ResourceApplyAdagrad(var, accum, lr, grad)", adagrad}: the inputs in TensorFlow's order, by the rule's names, and
/// "indices" where rows are updated. With a `flag`, the second rule is used where that attribute differs from `usual`.
struct Apply {
  static constexpr int max_inputs = 11;

  std::string_view op, inputs[max_inputs]{};
  int count = 0;
  const Optimizer* rule;
  const char* flag = nullptr;
  bool usual = false;
  const Optimizer* other = nullptr;

  consteval Apply(std::string_view signature, const Optimizer& rule, const char* flag = nullptr, bool usual = false,
                  const Optimizer* other = nullptr)
      : rule(&rule), flag(flag), usual(usual), other(other) {
    auto open = signature.find('(');
    op = signature.substr(0, open);
    for (auto list = signature.substr(open + 1); !list.empty();) {
      auto end = list.find_first_of(",)");
      inputs[count++] = list.substr(0, end);
      list = list.substr(std::min(list.size(), end + 2));
    }
    require_all(signature, rule.states);
    require_all(signature, rule.inputs);
  }

  bool is_state(int i) const { return names_contain(rule->states, inputs[i]); }
  int position(std::string_view name) const {
    for (int i = 0; i < count; ++i)
      if (inputs[i] == name) return i;
    return -1;
  }

 private:
  static constexpr void require_all(std::string_view signature, std::string_view names) {
    Lexer lexer(names);
    for (auto token = lexer.next(); token.kind != Lexeme::end; token = lexer.next())
      if (token.kind == Lexeme::name && !names_contain(signature, token.text))
        this_signature_lacks_an_input_of_the_rule(token.text);
  }
};

/// Runs a row's rule on its variables, which are locked and given buffers of their own first.
class ApplyKernel : public Kernel {
 public:
  ApplyKernel(const Apply& row, const Attrs& attrs)
      : row_(row), rule_(row.flag && attrs.flag(row.flag) != row.usual ? *row.other : *row.rule) {}
  void run(Context& context) const override;

 protected:
  virtual void update(Context& context, std::span<const NamedView> views) const = 0;

  const Apply& row_;
  const Optimizer& rule_;
};

/// Calls `add` with the row's op and what its registration says.
void describe(const Apply& row, const std::function<void(const char* op, const Where& where)>& add);

/// Registers all rows of a table with kernels of class K, as add_all() of api/pointwise.hpp does.
template <class K, const auto& table>
void add_table(const Registrar& registrar) {
  [&]<size_t... i>(std::index_sequence<i...>) {
    (describe(table[i], [&](const char* op, const Where& where) { registrar.add_row<K, table, i>(op, where); }), ...);
  }
  (std::make_index_sequence<std::size(table)>());
}

}  // namespace ocldnn::tf
