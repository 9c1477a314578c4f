#include "ocldnn/in_top_k.hpp"

#include "engine/form.hpp"

namespace ocldnn {

void in_top_k(const Exec& exec, const View& predictions, const View& targets, int64_t k, const View& result) {
  constexpr std::string_view op = "in_top_k";
  require(predictions.rank() == 2 && is_floating(predictions.type),
          "{}: expected real predictions [rows, classes], got {} {}", op, name(predictions.type),
          predictions.shape.text());
  const int64_t rows = predictions.shape[0], classes = predictions.shape[1];
  require(targets.type == Type::i32 || targets.type == Type::i64, "{}: expected targets int32 or int64, got {}", op,
          name(targets.type));
  require(targets.shape == Shape{rows}, "{}: expected targets [{}], got {}", op, rows, targets.shape.text());
  require(result.shape == Shape{rows} && result.type == Type::boolean, "{}: expected a result bool [{}], got {} {}", op,
          rows, name(result.type), result.shape.text());
  if (rows == 0) return;

  auto form = form_of(exec.queue, predictions.type, 1);
  const int64_t local = form.solo ? 1 : std::min<int64_t>(64, std::bit_floor(static_cast<uint64_t>(form.max_group)));
  const int64_t lanes = classes < 64 ? 1 : local;
  const int64_t each =
      form.solo
          ? std::min(rows, std::max(ceil_div(rows, 8 * form.units), ceil_div(4096, std::max<int64_t>(classes, 1))))
          : local / lanes;
  KernelId id("ops/in_top_k/in_top_k.cl", "in_top_k");
  define_storage(id, predictions.type, form);
  id.define("LOCAL", local).define("LANES", lanes).type("L", targets.type);
  define_index(id, {predictions, targets});
  launch(exec.queue, id, {{static_cast<size_t>(ceil_div(rows, each)), 1, 1}, {static_cast<size_t>(local), 1, 1}},
         predictions, targets, result, rows, classes, predictions.strides[0], predictions.strides[1],
         targets.strides[0], result.strides[0], k, static_cast<int32_t>(each));
}

}  // namespace ocldnn
