#include "engine/form.hpp"
#include "ocldnn/softmax.hpp"

namespace ocldnn {
namespace {

constexpr int64_t group_elements = 4096;  // see softmax.cpp
constexpr int64_t groups_a_unit = 8;

void check(std::string_view op, const View& logits, const View& loss, const View& dlogits) {
  require(logits.rank() == 2, "{}: expected logits of [rows, classes], got {}", op, logits.shape.text());
  require(is_floating(logits.type), "{}: expected logits of a floating type, got {}", op, name(logits.type));
  require(dlogits.shape == logits.shape && dlogits.type == logits.type, "{}: expected a gradient {} {}, got {} {}", op,
          name(logits.type), logits.shape.text(), name(dlogits.type), dlogits.shape.text());
  require(loss.shape == Shape{logits.shape[0]} && loss.type == logits.type, "{}: expected a loss {} [{}], got {} {}",
          op, name(logits.type), logits.shape[0], name(loss.type), loss.shape.text());
}

void run(const Exec& exec, bool sparse, const View& logits, const View& labels, const View& loss, const View& dlogits) {
  const int64_t rows = logits.shape[0], classes = logits.shape[1];
  const bool unit = logits.strides[1] == 1 && dlogits.strides[1] == 1 && (sparse || labels.strides[1] == 1);
  auto form = form_of(exec.queue, logits.type, classes);
  if (!unit) form.width = 1;
  const int64_t local = form.solo ? 1 : std::min<int64_t>(256, std::bit_floor(static_cast<uint64_t>(form.max_group)));
  const int64_t lanes =
      std::min<int64_t>(local, std::bit_ceil(static_cast<uint64_t>(ceil_div(std::max<int64_t>(classes, 1), 4))));
  int64_t each = local / lanes;
  if (form.solo)
    each =
        std::max(ceil_div(rows, groups_a_unit * form.units), ceil_div(group_elements, std::max<int64_t>(classes, 1)));
  each = std::min(each, rows);

  KernelId id("ops/softmax/cross_entropy.cl", "cross_entropy");
  define_storage(id, logits.type, form);
  id.define("LOCAL", local).define("LANES", lanes);
  id.define("SPARSE", int64_t{sparse});
  if (sparse) id.type("L", labels.type);
  define_index(id, {logits, labels, dlogits});
  launch(exec.queue, id, {{static_cast<size_t>(ceil_div(rows, each)), 1, 1}, {static_cast<size_t>(local), 1, 1}},
         logits, labels, loss, dlogits, rows, classes, logits.strides[0], logits.strides[1], labels.strides[0],
         sparse ? int64_t{0} : labels.strides[1], loss.strides[0], dlogits.strides[0], dlogits.strides[1],
         static_cast<int32_t>(each));
}

}  // namespace

void softmax_cross_entropy(const Exec& exec, const View& logits, const View& labels, const View& loss,
                           const View& dlogits) {
  constexpr std::string_view op = "softmax_cross_entropy";
  check(op, logits, loss, dlogits);
  require(labels.shape == logits.shape && labels.type == logits.type, "{}: expected labels {} {}, got {} {}", op,
          name(logits.type), logits.shape.text(), name(labels.type), labels.shape.text());
  if (logits.shape[0] > 0) run(exec, false, logits, labels, loss, dlogits);
}

void sparse_softmax_cross_entropy(const Exec& exec, const View& logits, const View& labels, const View& loss,
                                  const View& dlogits) {
  constexpr std::string_view op = "sparse_softmax_cross_entropy";
  check(op, logits, loss, dlogits);
  require(labels.type == Type::i32 || labels.type == Type::i64, "{}: expected labels int32 or int64, got {}", op,
          name(labels.type));
  require(labels.shape == Shape{logits.shape[0]}, "{}: expected labels [{}], got {}", op, logits.shape[0],
          labels.shape.text());
  require(logits.shape[1] > 0 || logits.shape[0] == 0, "{}: expected at least one class, got logits {}", op,
          logits.shape.text());
  if (logits.shape[0] > 0) run(exec, true, logits, labels, loss, dlogits);
}

}  // namespace ocldnn
