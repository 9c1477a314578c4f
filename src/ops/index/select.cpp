#include "ocldnn/index.hpp"
#include "ops/form.hpp"
#include "ops/index/flatten.hpp"
#include "ops/sort/radix.hpp"

namespace ocldnn {
namespace {

constexpr int64_t elements_per_group = 4096;  // the least a group of one is started for
constexpr int64_t neighbours = 64;            // elements an item looks through for what is not zero

KernelId kernel(std::string_view entry, Type element, Type index) {
  KernelId id("ops/index/select.cl", entry);
  // -0.0 is zero: the sign of a floating type does not count.
  const auto bits = size_of(element) * 8;
  const uint64_t all = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  id.type("T", word_of(size_of(element))).type("IX", index);
  id.define("NONZERO", fmt::format("0x{:x}ul", is_floating(element) ? all >> 1 : all));
  return id;
}

}  // namespace

void one_hot(Queue& queue, const View& indices, const View& on, const View& off, int axis, const View& y) {
  if (y.elements() == 0) return;
  const int64_t depth = y.shape[axis], inner = tail(y.shape, axis + 1).elements();
  auto id = kernel("index_one_hot", y.type, indices.type);
  const bool fits = narrow(indices, y);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t total = wide_groups(queue) ? y.elements() : y.elements() / inner;
  const auto work = spread(queue, id, total, ceil_div(elements_per_group, inner));
  Arguments arguments(fits);
  arguments.add(indices).add(as_bits(on)).add(as_bits(off)).add(as_bits(y));
  launch(queue, id, work.grid, arguments.index(total).index(work.chunk).index(depth).index(inner).list());
}

void invert_permutation(Queue& queue, const View& x, const View& y) {
  auto id = kernel("index_invert", Type::u32, x.type);
  const bool fits = narrow(x);
  if (!fits) id.define("INDEX_64", 1);
  const int64_t total = x.elements();
  const auto work = spread(queue, id, total, elements_per_group);
  Arguments arguments(fits);
  launch(queue, id, work.grid, arguments.add(x).add(y).index(total).index(work.chunk).list());
}

Nonzero::Nonzero(const Exec& exec, const View& x) : x_(x) {
  const int64_t n = x.elements();
  if (n == 0) return;
  if (n >= int64_t{1} << 30) fail(Code::unimplemented, "nonzero: {} elements are too many", n);
  const int64_t blocks = ceil_div(n, neighbours);
  const View counts = exec.temporary(Type::u32, Shape{blocks + 1});
  const auto run = [&](std::string_view entry, const View* positions) {
    auto id = kernel(entry, x.type, Type::i32);
    const auto work = spread(exec.queue, id, blocks, elements_per_group / neighbours);
    Arguments arguments(true);
    arguments.add(as_bits(x)).add(counts);
    if (positions) arguments.add(*positions);
    arguments.index(n).index(neighbours).index(blocks).index(work.chunk);
    launch(exec.queue, id, work.grid, arguments.list());
  };
  run("index_count_nonzero", nullptr);
  exclusive_prefix(exec.queue, counts, blocks);
  uint32_t count = 0;
  exec.queue.read(&count, counts.sliced(0, blocks, 1).data, sizeof count);
  count_ = count;
  if (count_ == 0) return;
  positions_ = exec.temporary(Type::u32, Shape{count_});
  run("index_place_nonzero", &positions_);
}

void Nonzero::coordinates(Queue& queue, const View& y) const {
  const auto depth = static_cast<int64_t>(x_.rank());
  if (count_ == 0 || depth == 0) return;
  auto id = kernel("index_coordinates", x_.type, Type::i32);
  id.code(fmt::format("depth{}", depth), [depth] { return size_text(depth); });
  const bool fits = narrow(y);
  if (!fits) id.define("INDEX_64", 1);
  const auto work = spread(queue, id, count_, elements_per_group / 4);
  Arguments arguments(fits);
  arguments.add(positions_).add(y).index(count_).index(work.chunk);
  for (auto size : x_.shape) arguments.add(size);
  launch(queue, id, work.grid, arguments.list());
}

}  // namespace ocldnn
