#include "engine/reduce/nest.hpp"

#include <utility>

namespace ocldnn {
namespace {

// Kept dimensions first, then folded ones; the innermost stays where it is.
void arrange(Loop& loop, bool* folds) {
  for (int d = 0, outer = 0; d + 1 < loop.rank; ++d) {
    if (folds[d]) {
      ++loop.folded;
      continue;
    }
    for (int e = d; e > outer; --e) {
      std::swap(loop.size[e], loop.size[e - 1]);
      std::swap(folds[e], folds[e - 1]);
      for (int v = 0; v < loop.views; ++v) std::swap(loop.stride[v][e], loop.stride[v][e - 1]);
    }
    ++outer;
  }
}

}  // namespace

Nest make_nest(std::string_view op, const Shape& shape, std::span<const Operand> operands,
               std::span<const Reduced> results) {
  require(!results.empty(), "{}: a reduction without a result", op);
  Nest nest{{}, false, {operands.begin(), operands.end()}, {results.begin(), results.end()}};
  const Shape& kept = results[0].view.shape;
  require(kept.rank() == shape.rank(), "{}: result of shape {} for operands of shape {}", op, kept.text(),
          shape.text());
  bool folds[max_rank]{};
  for (int i = 0; i < shape.rank(); ++i) {
    require(kept[i] == shape[i] || kept[i] == 1, "{}: result of shape {} for operands of shape {}", op, kept.text(),
            shape.text());
    folds[i] = kept[i] != shape[i];
  }
  int leader = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    nest.loop.add(op, operands[i].view, shape);
    if (operands[i].view.elements() > operands[static_cast<size_t>(leader)].view.elements())
      leader = static_cast<int>(i);
  }
  for (const auto& result : results) {
    require(result.view.shape == kept, "{}: results of shapes {} and {}", op, kept.text(), result.view.shape.text());
    nest.loop.add(op, result.view, shape);
  }
  Loop& loop = nest.loop;
  loop.collapse(leader, folds);
  nest.along = folds[loop.rank - 1] && loop.size[loop.rank - 1] > 1;
  arrange(loop, folds);
  return nest;
}

void fold_short_rows_across(Nest& nest, int64_t shortest) {
  Loop& loop = nest.loop;
  const int outer = loop.outer(), inner = loop.rank - 1;
  if (!nest.along || loop.inner() >= shortest || outer == 0 || loop.size[outer - 1] < loop.inner()) return;
  // The last outer dimension becomes the innermost, the innermost the last folded one.
  const auto rotate = [&](int64_t* values) {
    const int64_t moved = values[outer - 1];
    for (int d = outer - 1; d < inner; ++d) values[d] = values[d + 1];
    values[inner] = moved;
  };
  rotate(loop.size);
  for (int v = 0; v < loop.views; ++v) rotate(loop.stride[v]);
  ++loop.folded;
  nest.along = false;
}

int64_t widening(const Nest& nest, int64_t columns) {
  const Loop& loop = nest.loop;
  if (nest.along || loop.folded == 0 || loop.inner() >= columns) return 1;
  const int last = loop.rank - 2;
  const auto operands = static_cast<int>(nest.operands.size());
  for (int v = 0; v < operands; ++v)
    if (loop.stride[v][last] != loop.stride[v][loop.rank - 1] * loop.inner()) return 1;
  int64_t best = 1;
  for (int64_t m = 2; m <= 64 && m * 4 <= loop.size[last]; ++m) {
    if (loop.size[last] % m != 0) continue;
    best = m;
    if (m * loop.inner() >= columns) break;
  }
  return best;
}

Nest first_stage(const Nest& nest, int64_t m, std::span<const View> partial) {
  Nest stage = nest;
  Loop& loop = stage.loop;
  const int before = static_cast<int>(nest.operands.size()), inner = loop.rank - 1;
  if (m > 1) {
    loop.size[inner - 1] /= m;
    loop.size[inner] *= m;
    for (int v = 0; v < before; ++v) loop.stride[v][inner - 1] *= m;
  }
  for (size_t r = 0; r < partial.size(); ++r) {
    auto& result = stage.results[r];
    result.view = partial[r];
    result.finish = "r";
    int64_t* stride = loop.stride[before + static_cast<int>(r)];
    int64_t step = 1;
    if (!nest.along) {
      stride[inner] = 1;
      step = loop.size[inner];
    }
    for (int d = loop.outer() - 1; d >= 0; --d) {
      stride[d] = step;
      step *= loop.size[d];
    }
  }
  return stage;
}

Nest second_stage(const Nest& nest, int64_t m, int64_t parts, std::span<const View> partial,
                  std::vector<std::string>& names) {
  Nest stage{{}, false, {}, {}};
  const int results = static_cast<int>(partial.size()), before = static_cast<int>(nest.operands.size());
  names.reserve(partial.size());
  for (size_t r = 0; r < partial.size(); ++r) {
    names.push_back(fmt::format("p{}", r));
    stage.operands.push_back({names[r], partial[r]});
    stage.results.push_back({nest.results[r].view, nest.results[r].fold, names[r], nest.results[r].finish});
  }
  Loop& loop = stage.loop;
  loop.views = 2 * results;
  bool folds[max_rank]{};
  auto add = [&](int64_t size, int64_t stride, int kept_dimension) {
    folds[loop.rank] = kept_dimension < 0;
    loop.size[loop.rank] = size;
    for (int r = 0; r < results; ++r) {
      loop.stride[r][loop.rank] = stride;
      loop.stride[results + r][loop.rank] = kept_dimension < 0 ? 0 : nest.loop.stride[before + r][kept_dimension];
    }
    ++loop.rank;
  };
  const int outer = nest.loop.outer(), inner = nest.loop.rank - 1;
  int64_t stride = nest.kept() * m;
  add(parts, stride, -1);
  for (int d = 0; d < outer; ++d) add(nest.loop.size[d], stride /= nest.loop.size[d], d);
  if (!nest.along) {
    if (m > 1) add(m, stride /= m, -1);
    add(nest.loop.size[inner], stride /= nest.loop.size[inner], inner);
  }
  loop.collapse(0, folds);
  stage.along = folds[loop.rank - 1] && loop.size[loop.rank - 1] > 1;
  arrange(loop, folds);
  return stage;
}

}  // namespace ocldnn
