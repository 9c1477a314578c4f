// A stable radix sort of unsigned keys with a 32-bit value each, from the lowest digit to the highest; and the exclusive
// prefix sum it rests on. A pass over one digit: sort_count counts each block's keys by digit, sort_prefix turns the
// counts [digit][block] into places, sort_place moves the elements.
//
// KEY     uint or ulong
// GROUP   items of a group. 1: a block is `block` elements that one item walks through. Else a block is GROUP * ITEMS
//         elements and each item has ITEMS neighbours.
// BITS    of a digit
#include "cl/types.cl"

#ifndef GROUP
#define GROUP 1
#endif
#ifndef BITS
#define BITS 8  // 4 in a wide group, whose counters lie in local memory
#endif
#ifndef ITEMS
#define ITEMS 8
#endif
#define DIGITS (1 << BITS)
#define DIGIT(key) ((uint)((key) >> shift) & (DIGITS - 1))
#define FIXED __attribute__((reqd_work_group_size(GROUP, 1, 1)))

#if GROUP > 1
// Exclusive prefix sums of an item's `own` over the group, in t; returns the sum of what comes before.
static inline uint before_item(uint own, local uint *t) {
  const int i = (int)get_local_id(0);
  t[i] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 1; h < GROUP; h *= 2) {
    const uint left = i >= h ? t[i - h] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[i] += left;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const uint sum = t[i] - own;
  barrier(CLK_LOCAL_MEM_FENCE);
  return sum;
}

// table[digit][item] = how many keys of the block stand before this item's first of that digit when the block is sorted.
static inline void rank_block(global const KEY *keys, index_t begin, index_t n, uint shift, local ushort *table,
                              local uint *t) {
  const int i = (int)get_local_id(0);
  for (int d = 0; d < DIGITS; ++d) table[d * GROUP + i] = 0;
  for (index_t j = begin; j < min(begin + ITEMS, n); ++j) ++table[DIGIT(keys[j]) * GROUP + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint own = 0;
  for (int d = 0; d < DIGITS; ++d) own += table[i * DIGITS + d];
  uint sum = before_item(own, t);
  for (int d = 0; d < DIGITS; ++d) {
    const uint count = table[i * DIGITS + d];
    table[i * DIGITS + d] = (ushort)sum;
    sum += count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
#endif

kernel FIXED void sort_count(global const KEY *keys, long keys_offset, global uint *counts, long counts_offset, index_t n,
                             index_t block, index_t blocks, uint shift) {
  keys += keys_offset;
  counts += counts_offset;
  const index_t b = (index_t)get_group_id(0);
#if GROUP > 1
  local ushort table[DIGITS * GROUP];
  local uint t[GROUP];
  const int i = (int)get_local_id(0);
  rank_block(keys, b * block + i * ITEMS, n, shift, table, t);
  if (i < DIGITS) {
    const uint end = i + 1 < DIGITS ? table[(i + 1) * GROUP] : (uint)min((index_t)(GROUP * ITEMS), n - b * block);
    counts[i * blocks + b] = end - table[i * GROUP];
  }
#else
  uint count[DIGITS];
  for (int d = 0; d < DIGITS; ++d) count[d] = 0;
  for (index_t j = b * block; j < min((b + 1) * block, n); ++j) ++count[DIGIT(keys[j])];
  for (int d = 0; d < DIGITS; ++d) counts[d * blocks + b] = count[d];
#endif
}

// counts[i] = the sum of all before it, for i = 0 ... n (so counts has n + 1 elements). One group.
kernel FIXED void sort_prefix(global uint *counts, long counts_offset, index_t n) {
  counts += counts_offset;
#if GROUP > 1
  local uint t[GROUP];
  local uint carry;
  const index_t i = (index_t)get_local_id(0);
  if (i == 0) carry = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (index_t begin = 0; begin < n; begin += GROUP) {
    const uint own = begin + i < n ? counts[begin + i] : 0;
    const uint sum = carry + before_item(own, t);
    if (begin + i < n) counts[begin + i] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == GROUP - 1) carry = sum + own;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) counts[n] = carry;
#else
  uint sum = 0;
  for (index_t i = 0; i < n; ++i) {
    const uint count = counts[i];
    counts[i] = sum;
    sum += count;
  }
  counts[n] = sum;
#endif
}

kernel FIXED void sort_place(global const KEY *keys, long keys_offset, global const uint *values, long values_offset,
                             global KEY *to_keys, long to_keys_offset, global uint *to_values, long to_values_offset,
                             global const uint *counts, long counts_offset, index_t n, index_t block, index_t blocks,
                             uint shift) {
  keys += keys_offset;
  values += values_offset;
  to_keys += to_keys_offset;
  to_values += to_values_offset;
  counts += counts_offset;
  const index_t b = (index_t)get_group_id(0);
#if GROUP > 1
  local ushort table[DIGITS * GROUP];
  local uint t[GROUP];
  local uint base[DIGITS];  // the place of a digit's first key, less its rank in the block
  const int i = (int)get_local_id(0);
  const index_t begin = b * block + i * ITEMS;
  rank_block(keys, begin, n, shift, table, t);
  if (i < DIGITS) base[i] = counts[i * blocks + b] - table[i * GROUP];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (index_t j = begin; j < min(begin + ITEMS, n); ++j) {
    const uint d = DIGIT(keys[j]);
    const index_t to = (index_t)(base[d] + table[d * GROUP + i]++);
    to_keys[to] = keys[j];
    to_values[to] = values[j];
  }
#else
  uint place[DIGITS];
  for (int d = 0; d < DIGITS; ++d) place[d] = counts[d * blocks + b];
  for (index_t j = b * block; j < min((b + 1) * block, n); ++j) {
    const index_t to = (index_t)place[DIGIT(keys[j])]++;
    to_keys[to] = keys[j];
    to_values[to] = values[j];
  }
#endif
}
