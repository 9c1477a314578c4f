#include "engine/pointwise/loop.hpp"

#include <algorithm>
#include <utility>

#include "runtime/launch.hpp"

namespace ocldnn {

void Loop::add(std::string_view op, const View& view, const Shape& shape) {
  if (views == max_views) fail(Code::unimplemented, "{}: more than {} tensors in one expression", op, max_views);
  if (views == 0) {
    rank = shape.rank();
    std::copy(shape.begin(), shape.end(), size);
  }
  const int extra = rank - view.rank();
  bool fits = extra >= 0;
  for (int i = 0; fits && i < rank; ++i) {
    const int64_t of_view = i < extra ? 1 : view.shape[i - extra];
    fits = of_view == 1 || of_view == size[i];
    stride[views][i] = of_view == 1 ? 0 : view.strides[i - extra];
  }
  require(fits, "{}: shape {} does not broadcast to {}", op, view.shape.text(), shape.text());
  ++views;
}

void Loop::collapse(int leader, bool* marks) {
  auto keep = [&](int to, int from) {
    size[to] = size[from];
    for (int v = 0; v < views; ++v) stride[v][to] = stride[v][from];
    if (marks) marks[to] = marks[from];
  };
  int kept = 0;
  for (int i = 0; i < rank; ++i)
    if (size[i] != 1) keep(kept++, i);
  rank = kept;
  for (int i = 1; i < rank; ++i)
    for (int j = i; j > 0 && stride[leader][j - 1] < stride[leader][j]; --j) {
      std::swap(size[j - 1], size[j]);
      for (int v = 0; v < views; ++v) std::swap(stride[v][j - 1], stride[v][j]);
      if (marks) std::swap(marks[j - 1], marks[j]);
    }
  kept = 0;
  for (int i = 1; i < rank; ++i) {
    bool merges = !marks || marks[kept] == marks[i];
    for (int v = 0; v < views && merges; ++v) merges = stride[v][kept] == stride[v][i] * size[i];
    if (merges) {
      size[i] *= size[kept];
      keep(kept, i);
    } else {
      keep(++kept, i);
    }
  }
  if (rank == 0) {
    size[0] = 1;
    for (int v = 0; v < views; ++v) stride[v][0] = 0;
  }
  rank = kept + 1;
}

bool Loop::needs_index_64() const {
  int64_t largest = elements();
  for (int v = 0; v < views; ++v) {
    int64_t reach = 0;
    for (int i = 0; i < rank; ++i) reach += (size[i] - 1) * stride[v][i];
    largest = std::max(largest, reach);
  }
  return wants_long_indices(largest);
}

Step Loop::step(int view) const {
  const int64_t inner = stride[view][rank - 1];
  if (size[rank - 1] == 1 || inner == 1) return Step::unit;
  return inner == 0 ? Step::repeat : Step::strided;
}

int64_t Loop::elements() const {
  int64_t product = 1;
  for (int i = 0; i < rank; ++i) product *= size[i];
  return product;
}

}  // namespace ocldnn
