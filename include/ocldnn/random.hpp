#pragma once

#include <array>
#include <cstdint>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// The state of Philox 4x32-10 (Salmon et al. 2011): key and 128-bit counter, low words first.
struct Philox {
  std::array<uint32_t, 4> counter{};
  std::array<uint32_t, 2> key{};

  /// TF's stateful ops: the first seed is the key, the second the counter's upper half.
  static Philox seeded(uint64_t seed, uint64_t seed2);
  /// Moves the counter on, each count being four 32-bit words.
  void skip(uint64_t count);
  /// Four words, made on the host; moves the counter on by one.
  std::array<uint32_t, 4> next();
};

/// Where the words come from: a state known to the host, or one in device memory (key u64 or i64 [1], counter [2]), as
/// TF's StatelessRandom*V2 are handed it.
struct RandomSource {
  Philox state;
  View key, counter;  // used instead of `state` where key has elements

  RandomSource(const Philox& state) : state(state) {}
  RandomSource(const View& key, const View& counter) : key(key), counter(counter) {}
};

// Each fills y with the very words, in the very order, that TensorFlow's CPU kernels take from the same state; bits,
// integers and uniform are equal bit for bit, the normal ones within 2 ulp of the type (f64: as near as the driver's
// own logarithm, sine and cosine of doubles come; 3 ulp on PoCL).

/// Uniform in [0, 1). y is floating.
void random_uniform(Queue& queue, const RandomSource& source, const View& y);
/// Standard normal by Box and Muller's transform.
void random_normal(Queue& queue, const RandomSource& source, const View& y);
/// Standard normal, redrawn until it lies within 2 of the mean.
void random_truncated_normal(Queue& queue, const RandomSource& source, const View& y);
/// Integers of [low, high), biased as TF's by the remainder. y is i32, i64, u32 or u64; `low` and `high` hold its bits.
void random_integers(Queue& queue, const RandomSource& source, uint64_t low, uint64_t high, const View& y);
/// All bits random.
void random_bits(Queue& queue, const RandomSource& source, const View& y);

/// Key u64 [1] and counter u64 [2] from a seed of two integers (32 or 64 bits) in device memory, scrambled as TF's
/// StatelessRandomGetKeyCounter does.
void random_key(Queue& queue, const View& seed, const View& key, const View& counter);

/// A generator kept in device memory, `state` i64 [3]: counter low, counter high, key (TF: RngReadAndSkip). `before`
/// gets the old state; the counter moves on by `count`.
void random_read_and_skip(Queue& queue, const View& state, uint64_t count, const View& before);

/// Counts the stateful ops of TF-CPU reserve for n outputs, whatever the distribution.
constexpr uint64_t random_reserved(uint64_t outputs) { return outputs * 256; }

}  // namespace ocldnn
