#include "ocldnn/random.hpp"

#include "ops/form.hpp"

namespace ocldnn {
namespace {

constexpr int64_t pieces_per_group = 1024;  // the least a group of one is started for

int64_t per_piece(Type type) { return size_of(type) == 8 ? 2 : 4; }

View as_u64(const View& view) { return {view.data, Type::u64, view.shape}; }

// A piece is the numbers made of one block of four words.
void draw(Queue& queue, int kind, const RandomSource& source, uint64_t low, uint64_t range, const View& y) {
  const int64_t n = y.elements(), total = ceil_div(n, per_piece(y.type));
  if (n == 0) return;
  const bool keyed = source.key.elements() > 0 && source.key.data;
  KernelId id("ops/random/philox.cl", "random_draw");
  id.type("T", y.type).define("DRAW", kind);
  if (keyed) id.define("KEYED", 1);
  const bool fits = narrow(y);
  if (!fits) id.define("INDEX_64", 1);
  const auto work = spread(queue, id, total, pieces_per_group);
  Arguments arguments(fits);
  if (keyed) {
    arguments.add(as_u64(source.key)).add(as_u64(source.counter));
  } else {
    for (auto word : source.state.counter) arguments.add(word);
    for (auto word : source.state.key) arguments.add(word);
  }
  arguments.add(y).index(n).add(low).add(range).index(total).index(work.chunk);
  launch(queue, id, work.grid, arguments.list());
}

void require_floating(std::string_view op, const View& y) {
  require(is_floating(y.type), "{}: cannot fill {}", op, name(y.type));
}

void require_words(std::string_view op, const View& y) {
  const bool ok = y.type == Type::i32 || y.type == Type::i64 || y.type == Type::u32 || y.type == Type::u64;
  require(ok, "{}: expected 32 or 64-bit integers, got {}", op, name(y.type));
}

}  // namespace

Philox Philox::seeded(uint64_t seed, uint64_t seed2) {
  const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
  return {{0, 0, low(seed2), low(seed2 >> 32)}, {low(seed), low(seed >> 32)}};
}

void Philox::skip(uint64_t count) {
  const auto low = static_cast<uint32_t>(count);
  auto high = static_cast<uint32_t>(count >> 32);
  counter[0] += low;
  if (counter[0] < low) ++high;
  counter[1] += high;
  if (counter[1] < high && ++counter[2] == 0) ++counter[3];
}

std::array<uint32_t, 4> Philox::next() {
  auto c = counter;
  auto k = key;
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * c[0], b = uint64_t{0xCD9E8D57} * c[2];
    c = {static_cast<uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<uint32_t>(a)};
    k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
  }
  skip(1);
  return c;
}

// The numbers are those of the kernel's own list: ops/random/philox.cl.
void random_uniform(Queue& queue, const RandomSource& source, const View& y) {
  require_floating("random_uniform", y);
  draw(queue, 1, source, 0, 0, y);
}

void random_normal(Queue& queue, const RandomSource& source, const View& y) {
  require_floating("random_normal", y);
  draw(queue, 2, source, 0, 0, y);
}

void random_truncated_normal(Queue& queue, const RandomSource& source, const View& y) {
  require_floating("random_truncated_normal", y);
  draw(queue, 3, source, 0, 0, y);
}

void random_integers(Queue& queue, const RandomSource& source, uint64_t low, uint64_t high, const View& y) {
  require_words("random_integers", y);
  uint64_t range = high - low;
  if (size_of(y.type) == 4) range = static_cast<uint32_t>(range);
  require(range != 0, "random_integers: no integer is at least the lower and below the upper bound");
  draw(queue, 4, source, low, range, y);
}

void random_bits(Queue& queue, const RandomSource& source, const View& y) {
  require_words("random_bits", y);
  draw(queue, 5, source, 0, 0, y);
}

void random_key(Queue& queue, const View& seed, const View& key, const View& counter) {
  require_words("random_key", seed);
  require(seed.elements() == 2, "seed must have shape [2], not {}", seed.shape.text());
  KernelId id("ops/random/philox.cl", "random_key");
  id.type("SEED", seed.type).type("T", Type::u32).define("GROUP", 1);
  launch(queue, id, Grid{}, seed, as_u64(key), as_u64(counter));
}

void random_read_and_skip(Queue& queue, const View& state, uint64_t count, const View& before) {
  KernelId id("ops/random/philox.cl", "random_skip");
  id.type("T", Type::u32).define("GROUP", 1);
  launch(queue, id, Grid{}, as_u64(state), as_u64(before), count, int32_t{before.data != nullptr});
}

}  // namespace ocldnn
