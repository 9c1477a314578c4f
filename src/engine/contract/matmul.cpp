#include "engine/contract/family.hpp"

namespace ocldnn {
namespace {

using contract::Contraction;
using contract::OutputStrides;

/// Where each dimension of a product goes: batches in which b repeats (and one more, the rows) are row dimensions, the
/// others groups. What does not fit the three group and three batch-row places is looped over by the caller.
struct Places {
  std::vector<int> group, row, looped;
};

Places place(const View& b, const View& c) {
  Places places;
  for (int i = 0; i < c.rank() - 2; ++i) {
    if (c.shape[i] == 1) continue;
    if (b.strides[i] == 0 && places.row.size() < 3) places.row.push_back(i);
    else if (places.group.size() < 3) places.group.push_back(i);
    else places.looped.push_back(i);
  }
  return places;
}

OutputStrides output_strides(const View& view, const Places& places) {
  OutputStrides strides;
  for (size_t i = 0; i < places.group.size(); ++i) strides.group[i] = view.strides[places.group[i]];
  for (size_t i = 0; i < places.row.size(); ++i) strides.row[i] = view.strides[places.row[i]];
  strides.row[3] = view.strides[view.rank() - 2];
  strides.col = view.strides[view.rank() - 1];
  return strides;
}

/// All views have c's rank and batch dimensions here.
void run(const Exec& exec, const View& a, const View& b, const View& c, const Epilogue& epilogue) {
  auto places = place(b, c);
  if (!places.looped.empty()) {
    int axis = places.looped[0];
    for (int64_t i = 0; i < c.shape[axis]; ++i) {
      std::vector<Operand> operands(epilogue.operands.begin(), epilogue.operands.end());
      for (auto& operand : operands) operand.view = operand.view.sliced(axis, i, 1);
      run(exec, a.sliced(axis, i, 1), b.sliced(axis, i, 1), c.sliced(axis, i, 1),
          {epilogue.expression, operands, epilogue.scalars});
    }
    return;
  }
  Contraction p;
  p.op = "matmul";
  p.type = c.type;
  p.a = a.data, p.b = b.data, p.c = c.data;
  for (size_t i = 0; i < places.group.size(); ++i) {
    p.groups[i] = c.shape[places.group[i]];
    p.a_group[i] = a.strides[places.group[i]];
    p.b_group[i] = b.strides[places.group[i]];
  }
  int last = c.rank() - 1;
  for (size_t i = 0; i < places.row.size(); ++i) {
    p.rows[i] = c.shape[places.row[i]];
    (i == 0 ? p.a_image : p.a_space[i - 1]) = a.strides[places.row[i]];
  }
  p.rows[3] = c.shape[last - 1];
  p.a_space[2] = a.strides[last - 1];
  p.extent = {p.rows[1], p.rows[2], p.rows[3]};
  p.depth = a.shape[last], p.cols = c.shape[last];
  p.a_depth = a.strides[last], p.b_depth = b.strides[last - 1], p.b_col = b.strides[last];
  p.c_strides = output_strides(c, places);
  p.epilogue = epilogue;
  for (const auto& operand : epilogue.operands) p.operand_strides.push_back(output_strides(operand.view, places));
  contract::run(exec, std::move(p));
}

View with_batch_of(const View& view, const View& c) {
  Shape shape = c.shape;
  int last = c.rank() - 1;
  shape[last - 1] = view.shape[view.rank() - 2];
  shape[last] = view.shape[view.rank() - 1];
  return view.broadcast_to("matmul", shape);
}

}  // namespace

void matmul(const Exec& exec, const View& a, const View& b, const View& c, const Epilogue& epilogue) {
  for (const auto* view : {&a, &b, &c})
    require(view->rank() >= 2, "matmul: operands need 2 dimensions or more, got {}, {} and {}", a.shape.text(),
            b.shape.text(), c.shape.text());
  require(a.type == b.type && a.type == c.type, "matmul: operands of one type expected, got {}, {} and {}",
          name(a.type), name(b.type), name(c.type));
  if (c.type == Type::boolean) fail(Code::unimplemented, "matmul: bool is not supported");
  auto size = [](const View& view, int from_end) { return view.shape[view.rank() - from_end]; };
  require(size(a, 1) == size(b, 2), "matmul: {} x {}: inner dimensions {} and {} differ", a.shape.text(),
          b.shape.text(), size(a, 1), size(b, 2));
  require(size(c, 2) == size(a, 2) && size(c, 1) == size(b, 1), "matmul: {} x {} does not give {}", a.shape.text(),
          b.shape.text(), c.shape.text());
  auto wide_a = with_batch_of(a, c), wide_b = with_batch_of(b, c);
  std::vector<Operand> operands(epilogue.operands.begin(), epilogue.operands.end());
  for (auto& operand : operands) operand.view = operand.view.broadcast_to("matmul epilogue", c.shape);
  if (c.elements() == 0) return;
  run(exec, wide_a, wide_b, c, {epilogue.expression, operands, epilogue.scalars});
}

}  // namespace ocldnn
