// Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011), and the numbers TensorFlow's CPU
// makes of its words: piece p of the output is made of the four words at counter + p, or, for the truncated normal, of
// the stream that begins at counter + 256 p.
//
// T       the output's storage type (T_IS_...)
// DRAW    UNIFORM, NORMAL, TRUNCATED, INTEGERS or WORDS
// KEYED   the state is in device memory (key [1], counter [2], as ulong); else it comes as arguments
// SEED    int or long: the type of the seed that random_key reads
#include "cl/types.cl"
#include "cl/spread.cl"

#if T_IS_F64 || T_IS_I64 || T_IS_U64
#define PER_PIECE 2
#else
#define PER_PIECE 4
#endif

static inline uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const uint low0 = 0xD2511F53u * counter.x, high0 = mul_hi(0xD2511F53u, counter.x);
    const uint low1 = 0xCD9E8D57u * counter.z, high1 = mul_hi(0xCD9E8D57u, counter.z);
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
  }
  return counter;
}

// The counter moved on, with TensorFlow's carries.
static inline uint4 skipped(uint4 counter, ulong count) {
  const uint low = (uint)count;
  uint high = (uint)(count >> 32);
  counter.x += low;
  if (counter.x < low) ++high;
  counter.y += high;
  if (counter.y < high && ++counter.z == 0) ++counter.w;
  return counter;
}

// [0, 1) of the lowest bits of a word, as the mantissa of a number in [1, 2).
static inline float unit_float(uint bits) { return as_float(0x3f800000u | (bits & 0x7fffffu)) - 1.0f; }

#if T_IS_F64
#define real double
static inline double unit_double(uint high, uint low) {
  return as_double(0x3ff0000000000000ul | (ulong)(high & 0xfffffu) << 32 | low) - 1.0;
}
static inline double2 box_muller(uint4 words) {
  const double u = fmax(unit_double(words.x, words.y), 1.0e-7), angle = 6.283185307179586 * unit_double(words.z, words.w);
  const double radius = sqrt(-2.0 * log(u));
  return (double2)(sin(angle) * radius, cos(angle) * radius);
}
#else
#define real float
#ifdef cl_khr_fp64
// TensorFlow's own values are the nearest floats to log, sine and cosine, or their neighbours: so are these.
static inline float2 box_muller(uint2 words) {
  const float u = fmax(unit_float(words.x), 1.0e-7f), angle = (float)(6.283185307179586 * unit_float(words.y));
  const float radius = (float)sqrt((double)(-2.0f * (float)log((double)u)));
  return (float2)((float)sin((double)angle) * radius, (float)cos((double)angle) * radius);
}
#else
// Without double: OpenCL promises 3 ulp for log and 4 for sine and cosine.
static inline float2 box_muller(uint2 words) {
  const float u = fmax(unit_float(words.x), 1.0e-7f), angle = 6.2831855f * unit_float(words.y);
  const float radius = sqrt(-2.0f * log(u));
  return (float2)(sin(angle) * radius, cos(angle) * radius);
}
#endif
#endif

static inline void store(real v, global T *y, index_t i) {
#if T_IS_F16
  vstore_half_rte(v, 0, y + i);
#elif T_IS_BF16
  const uint bits = as_uint(v);
  y[i] = (ushort)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#else
  y[i] = v;
#endif
}

#define UNIFORM 1
#define NORMAL 2
#define TRUNCATED 3
#define INTEGERS 4
#define WORDS 5

// Elements first ... first + PER_PIECE - 1 of y, those below n.
static inline void draw(uint4 counter, uint2 key, global T *y, index_t first, index_t n, ulong low, ulong range) {
#if DRAW == TRUNCATED
  // Words are taken in order, two (four for double) a pair of normal numbers, until PER_PIECE lie inside.
  index_t done = 0;
  while (done < PER_PIECE) {
    const uint4 words = philox(counter, key);
    counter = skipped(counter, 1);
#if T_IS_F64
    const double2 pairs[1] = {box_muller(words)};
#else
    const float2 pairs[2] = {box_muller(words.xy), box_muller(words.zw)};
#endif
    for (int i = 0; i < PER_PIECE / 2; ++i) {
      if (fabs(pairs[i].x) < 2 && done < PER_PIECE) {
        if (first + done < n) store(pairs[i].x, y, first + done);
        ++done;
      }
      if (fabs(pairs[i].y) < 2 && done < PER_PIECE) {
        if (first + done < n) store(pairs[i].y, y, first + done);
        ++done;
      }
    }
  }
#else
  const uint4 w = philox(counter, key);
  const uint words[4] = {w.x, w.y, w.z, w.w};
#if DRAW == NORMAL
#if T_IS_F64
  const double2 pair = box_muller(w);
  const double numbers[2] = {pair.x, pair.y};
#else
  const float2 pair = box_muller(w.xy), other = box_muller(w.zw);
  const float numbers[4] = {pair.x, pair.y, other.x, other.y};
#endif
#endif
  for (int i = 0; i < PER_PIECE; ++i) {
    if (first + i >= n) break;
#if DRAW == NORMAL
    store(numbers[i], y, first + i);
#elif DRAW == UNIFORM
#if T_IS_F64
    store(unit_double(words[2 * i], words[2 * i + 1]), y, first + i);
#elif T_IS_F16
    store(as_float(0x3f800000u | (words[i] & 0x3ffu) << 13) - 1.0f, y, first + i);
#elif T_IS_BF16
    store(as_float(0x3f800000u | (words[i] & 0x7fu) << 16) - 1.0f, y, first + i);
#else
    store(unit_float(words[i]), y, first + i);
#endif
#else
#if PER_PIECE == 2
    const ulong word = words[2 * i] | (ulong)words[2 * i + 1] << 32;
#else
    const uint word = words[i];
#endif
#if DRAW == INTEGERS && PER_PIECE == 2
    y[first + i] = (T)(low + word % range);
#elif DRAW == INTEGERS
    y[first + i] = (T)((uint)low + word % (uint)range);
#else
    y[first + i] = (T)word;
#endif
#endif
  }
#endif
}

#ifdef DRAW
SPREAD_KERNEL void random_draw(
#ifdef KEYED
    global const ulong *key_words, long key_offset, global const ulong *counter_words, long counter_offset,
#else
    uint c0, uint c1, uint c2, uint c3, uint k0, uint k1,
#endif
    global T *y, long y_offset, index_t n, ulong low, ulong range, index_t total, index_t chunk) {
#ifdef KEYED
  const uint2 key = as_uint2(key_words[key_offset]);
  const uint4 counter = (uint4)(as_uint2(counter_words[counter_offset]), as_uint2(counter_words[counter_offset + 1]));
#else
  const uint2 key = (uint2)(k0, k1);
  const uint4 counter = (uint4)(c0, c1, c2, c3);
#endif
  y += y_offset;
  SPREAD(piece, total, chunk) {
#if DRAW == TRUNCATED
    const ulong skip = (ulong)piece * PER_PIECE * 64;
#else
    const ulong skip = (ulong)piece;
#endif
    draw(skipped(counter, skip), key, y, piece * PER_PIECE, n, low, range);
  }
}
#endif

#ifdef SEED
// A key and a counter out of a seed, mixed so that no bit of it is better than another.
kernel void random_key(global const SEED *seed, long seed_offset, global ulong *key, long key_offset,
                       global ulong *counter, long counter_offset) {
  const uint2 first = as_uint2((ulong)(long)seed[seed_offset]), second = as_uint2((ulong)(long)seed[seed_offset + 1]);
  const uint4 mix = philox((uint4)(first, second), (uint2)(0x3ec8f720u, 0x02461e29u));
  key[key_offset] = as_ulong(mix.xy);
  counter[counter_offset] = 0;
  counter[counter_offset + 1] = as_ulong(mix.zw);
}
#endif

// state = (counter low, counter high, key); before gets it as it was.
kernel void random_skip(global ulong *state, long state_offset, global ulong *before, long before_offset, ulong count,
                        int keep_before) {
  state += state_offset;
  before += before_offset;
  const uint4 counter = (uint4)(as_uint2(state[0]), as_uint2(state[1])), next = skipped(counter, count);
  if (keep_before)
    for (int i = 0; i < 3; ++i) before[i] = state[i];
  state[0] = as_ulong(next.xy);
  state[1] = as_ulong(next.zw);
}
