#include "ocldnn/einsum.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "ocldnn/contract.hpp"
#include "ocldnn/layout.hpp"
#include "ocldnn/reduce.hpp"

namespace ocldnn {
namespace {

using Labels = std::vector<int>;

constexpr int ellipsis = 256;  // dimension i of an ellipsis, counted from its end, is labelled ellipsis + i

bool has(const Labels& labels, int label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

/// A view with one label a dimension, no label twice.
struct Labelled {
  View view;
  Labels labels;

  int64_t size(int label) const {
    auto at = std::find(labels.begin(), labels.end(), label);
    return at == labels.end() ? 1 : view.shape[static_cast<int>(at - labels.begin())];
  }
  int64_t stride(int label) const {
    auto at = std::find(labels.begin(), labels.end(), label);
    return at == labels.end() ? 0 : view.strides[static_cast<int>(at - labels.begin())];
  }
  /// The dimensions `wanted` in that order; one that is missing, or is 1 where it must be `sizes`, repeats.
  View permuted(const Labels& wanted, const std::map<int, int64_t>& sizes) const {
    View result(view.data, view.type, {}, {});
    for (int label : wanted) {
      result.shape.push_back(sizes.at(label));
      result.strides.push_back(size(label) == 1 ? 0 : stride(label));
    }
    return result;
  }
};

/// Repeated labels become one dimension that runs along the diagonal.
Labelled diagonals(const View& view, const Labels& labels) {
  Labelled result{View(view.data, view.type, {}, {}), {}};
  for (int i = 0; i < view.rank(); ++i) {
    const auto at = std::find(result.labels.begin(), result.labels.end(), labels[static_cast<size_t>(i)]);
    if (at != result.labels.end()) {
      result.view.strides[static_cast<int>(at - result.labels.begin())] += view.strides[i];
      continue;
    }
    result.labels.push_back(labels[static_cast<size_t>(i)]);
    result.view.shape.push_back(view.shape[i]);
    result.view.strides.push_back(view.strides[i]);
  }
  return result;
}

/// Sums over the dimensions whose labels `keep` refuses.
template <class Keep>
Labelled summed(const Exec& exec, const Labelled& x, Keep keep) {
  if (std::all_of(x.labels.begin(), x.labels.end(), keep)) return x;
  Labelled result;
  Shape kept = x.view.shape, shape;
  for (int i = 0; i < kept.rank(); ++i) {
    if (keep(x.labels[static_cast<size_t>(i)])) {
      result.labels.push_back(x.labels[static_cast<size_t>(i)]);
      shape.push_back(kept[i]);
    } else {
      kept[i] = 1;
    }
  }
  auto total = exec.temporary(x.view.type, kept);
  const Operand operands[]{{"x", x.view}};
  const Reduced results[]{{total}};
  reduce(exec, "Einsum", compute_type(x.view.type), x.view.shape, operands, results);
  result.view = View(total.data, total.type, shape);
  return result;
}

/// Whether the dimensions from `first` on can be walked as one.
bool merges(const View& view, int first) {
  int last = -1;  // the innermost dimension before this one that is not 1
  for (int i = first; i < view.rank(); ++i) {
    if (view.shape[i] == 1) continue;
    if (last >= 0 && view.strides[last] != view.strides[i] * view.shape[i]) return false;
    last = i;
  }
  return true;
}

/// A matrix product's operand: `batch` dimensions, then those from `middle` on as rows, from `end` on as columns.
View matrix(const View& view, int batch, int middle) {
  View result(view.data, view.type, {}, {});
  for (int i = 0; i < batch; ++i) {
    result.shape.push_back(view.shape[i]);
    result.strides.push_back(view.strides[i]);
  }
  for (auto [from, to] : {std::pair(batch, middle), std::pair(middle, view.rank())}) {
    int64_t size = 1, stride = 0;
    for (int i = from; i < to; ++i) {
      size *= view.shape[i];
      if (view.shape[i] != 1) stride = view.strides[i];
    }
    result.shape.push_back(size);
    result.strides.push_back(stride);
  }
  return result;
}

bool is_matrix(const View& view, int batch, int middle) {
  View rows(view.data, view.type, {}, {});
  for (int i = batch; i < middle; ++i) {
    rows.shape.push_back(view.shape[i]);
    rows.strides.push_back(view.strides[i]);
  }
  return merges(rows, 0) && merges(view, middle);
}

View as_matrix(const Exec& exec, const View& view, int batch, int middle) {
  if (is_matrix(view, batch, middle)) return matrix(view, batch, middle);
  auto dense = exec.temporary(view.type, view.shape);
  copy(exec.queue, view, dense);
  return matrix(dense, batch, middle);
}

Labels joined(Labels a, const Labels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// y = a * b summed over the labels they share and y lacks.
void product(const Exec& exec, Labelled a, Labelled b, const Labelled& y) {
  auto needed = [&](const Labelled& other) {
    return [&](int label) { return has(y.labels, label) || has(other.labels, label); };
  };
  a = summed(exec, a, needed(b));
  b = summed(exec, b, needed(a));

  std::map<int, int64_t> sizes;
  for (const auto* x : {&a, &b})
    for (int label : x->labels)
      sizes[label] = sizes.contains(label) && x->size(label) == 1 ? sizes[label] : x->size(label);
  Labels batch, rows, columns, inner;
  for (int label : y.labels) (!has(b.labels, label) ? rows : !has(a.labels, label) ? columns : batch).push_back(label);
  for (int label : a.labels)
    if (!has(y.labels, label)) inner.push_back(label);

  const auto batches = static_cast<int>(batch.size());
  const auto left = a.permuted(joined(joined(batch, rows), inner), sizes);
  const auto right = b.permuted(joined(joined(batch, inner), columns), sizes);
  const auto result = y.permuted(joined(joined(batch, rows), columns), sizes);
  const auto middle = batches + static_cast<int>(rows.size());
  const auto left_matrix = as_matrix(exec, left, batches, middle);
  const auto right_matrix = as_matrix(exec, right, batches, batches + static_cast<int>(inner.size()));
  if (is_matrix(result, batches, middle))
    return matmul(exec, left_matrix, right_matrix, matrix(result, batches, middle));
  const auto dense = exec.temporary(result.type, result.shape);
  matmul(exec, left_matrix, right_matrix, matrix(dense, batches, middle));
  copy(exec.queue, dense, result);
}

}  // namespace

Einsum::Einsum(std::string_view equation) : equation_(equation) {
  const auto arrow = equation.find("->");
  require(arrow != equation.npos, "Einsum: equation '{}' has no '->'", equation);
  auto labels = [&](std::string_view term) {
    Labels result;
    for (size_t i = 0; i < term.size(); ++i) {
      if (term[i] == ' ') continue;
      if (term.substr(i, 3) == "...") {
        require(!has(result, ellipsis), "Einsum: equation '{}' has two ellipses in one term", equation);
        result.push_back(ellipsis);
        i += 2;
        continue;
      }
      require(std::isalpha(static_cast<unsigned char>(term[i])) != 0, "Einsum: equation '{}' has '{}' as a label",
              equation, term[i]);
      result.push_back(term[i]);
    }
    return result;
  };
  std::string_view terms = equation.substr(0, arrow);
  for (size_t comma = 0; comma != terms.npos; terms.remove_prefix(std::min(terms.size(), comma + 1))) {
    comma = terms.find(',');
    inputs_.push_back(labels(terms.substr(0, comma)));
    if (comma == terms.npos) break;
  }
  require(inputs_.size() <= 2, "Einsum: equation '{}' has {} operands, at most 2 are supported", equation,
          inputs_.size());
  output_ = labels(equation.substr(arrow + 2));
  for (int label : output_)
    require(std::any_of(inputs_.begin(), inputs_.end(), [&](const Labels& in) { return has(in, label); }),
            "Einsum: equation '{}' has a label in its output that no operand has", equation);
  for (const auto& in : inputs_)
    require(!has(in, ellipsis) || has(output_, ellipsis), "Einsum: equation '{}' lacks the ellipsis in its output",
            equation);
}

std::vector<Einsum::Labels> Einsum::expanded(std::span<const Shape> shapes) const {
  require(shapes.size() == inputs_.size(), "Einsum: equation '{}' with {} operands", equation_, shapes.size());
  int widest = 0;
  auto expand = [](const Labels& from, int hidden) {
    Labels to;
    for (int label : from) {
      if (label != ellipsis) to.push_back(label);
      for (int i = hidden; label == ellipsis && i-- > 0;) to.push_back(ellipsis + i);
    }
    return to;
  };
  std::vector<Labels> result;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const auto written = static_cast<int>(inputs_[i].size());
    const int hidden = shapes[i].rank() - written + 1;
    require(has(inputs_[i], ellipsis) ? hidden >= 0 : hidden == 1, "Einsum: operand {} of '{}' has shape {}", i,
            equation_, shapes[i].text());
    if (has(inputs_[i], ellipsis)) widest = std::max(widest, hidden);
    result.push_back(expand(inputs_[i], hidden));
  }
  result.push_back(expand(output_, widest));
  return result;
}

Shape Einsum::output_shape(std::span<const Shape> shapes) const {
  const auto labels = expanded(shapes);
  std::map<int, int64_t> sizes;
  for (size_t i = 0; i < shapes.size(); ++i) {
    for (int d = 0; d < shapes[i].rank(); ++d) {
      const int label = labels[i][static_cast<size_t>(d)];
      const auto [known, added] = sizes.emplace(label, shapes[i][d]);
      if (added || known->second == shapes[i][d]) continue;
      const bool broadcasts = label >= ellipsis && (known->second == 1 || shapes[i][d] == 1);
      require(broadcasts, "Einsum: '{}' gives one label the sizes {} and {}", equation_, known->second, shapes[i][d]);
      if (known->second == 1) known->second = shapes[i][d];
    }
  }
  Shape shape;
  for (int label : labels.back()) shape.push_back(sizes.at(label));
  return shape;
}

void Einsum::operator()(const Exec& exec, std::span<const View> operands, const View& y) const {
  std::vector<Shape> shapes;
  for (const auto& operand : operands) shapes.push_back(operand.shape);
  const auto labels = expanded(shapes);
  require(output_shape(shapes) == y.shape, "Einsum: '{}' does not give shape {}", equation_, y.shape.text());
  const auto result = diagonals(y, labels.back());
  if (result.view.rank() < y.rank()) fill(exec.queue, y, 0);  // beside the diagonal
  const auto a = diagonals(operands[0], labels[0]);
  if (operands.size() == 2) return product(exec, a, diagonals(operands[1], labels[1]), result);
  const auto total = summed(exec, a, [&](int label) { return has(result.labels, label); });
  std::map<int, int64_t> sizes;
  for (int label : result.labels) sizes[label] = result.size(label);
  copy(exec.queue, total.permuted(result.labels, sizes), result.view);
}

}  // namespace ocldnn
