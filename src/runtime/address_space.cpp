#include "runtime/address_space.hpp"

#include <iterator>
#include <utility>

#include "runtime/system.hpp"

namespace ocldnn {

AddressSpace::AddressSpace(size_t span, size_t least) {
  for (;; span /= 2) {
    if (span < least || span < granule)
      fail(Code::out_of_memory, "a range of {} MiB of addresses is not to be had (ulimit -v?)", least >> 20);
    granules_ = span / granule;
    span_ = granules_ * granule;
    range_ = system::reserve_addresses(span_ + granule);
    table_ = static_cast<std::atomic<Block*>*>(system::map_zeroed(granules_ * sizeof *table_));
    if (range_ && table_) break;
    if (range_) system::unmap(range_, span_ + granule);
    if (table_) system::unmap(table_, granules_ * sizeof *table_);
  }
  base_ = (reinterpret_cast<uintptr_t>(range_) + granule - 1) / granule * granule;
  free_[0] = granules_;
}

AddressSpace::~AddressSpace() {
  system::unmap(table_, granules_ * sizeof *table_);
  system::unmap(range_, span_ + granule);
}

/// First fit from the cursor onwards, going round once: what was freed rests for as long as possible.
size_t AddressSpace::take(size_t granules) {
  auto at = free_.upper_bound(cursor_);
  if (at != free_.begin()) {
    auto before = std::prev(at);
    if (before->first + before->second > cursor_) at = before;
  }
  for (size_t tried = 0; tried <= free_.size(); tried++, ++at) {
    if (at == free_.end()) at = free_.begin();
    if (at == free_.end()) break;
    auto [first, count] = *at;
    // Within the range that holds the cursor only what lies behind it, at first.
    size_t begin = tried == 0 && cursor_ > first && cursor_ < first + count ? cursor_ : first;
    if (first + count - begin < granules) continue;
    free_.erase(at);
    if (begin > first) free_[first] = begin - first;
    if (begin + granules < first + count) free_[begin + granules] = first + count - begin - granules;
    cursor_ = begin + granules;
    return begin;
  }
  fail(Code::out_of_memory, "the device's range of addresses has no {} MiB in one piece left",
       granules * granule >> 20);
}

void AddressSpace::give_back(size_t first, size_t granules) {
  auto next = free_.lower_bound(first);
  if (next != free_.end() && next->first == first + granules) {
    granules += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == first) {
      before->second += granules;
      return;
    }
  }
  free_[first] = granules;
}

/// A spare block, or a new one; it is still spare when this returns.
AddressSpace::Block* AddressSpace::make_block() {
  static std::atomic<uint64_t> generations{0};
  if (spare_.empty()) {
    blocks_.push_back(std::make_unique<Block>());
    spare_.reserve(blocks_.size());
    spare_.push_back(blocks_.back().get());
  }
  spare_.back()->generation = ++generations;
  return spare_.back();
}

void* AddressSpace::insert(ClMemory memory, size_t bytes) {
  std::lock_guard hold(lock_);
  auto* block = make_block();
  // One granule more than needed stays empty, so that an address just past the end is in no block.
  size_t count = (bytes + granule - 1) / granule, first = take(count + 1);
  spare_.pop_back();
  block->base = base_ + first * granule;
  block->bytes = bytes;
  block->memory = std::move(memory);
  for (size_t i = 0; i < count; i++) table_[first + i].store(block, std::memory_order_release);
  return reinterpret_cast<void*>(block->base);
}

void AddressSpace::back(const void* address, ClMemory memory) {
  std::lock_guard hold(lock_);
  size_t at = (reinterpret_cast<uintptr_t>(address) - base_) / granule;
  auto* reserved = table_[at].load(std::memory_order_relaxed);
  if (!reserved || reserved->memory) return;
  auto* block = make_block();
  spare_.pop_back();
  block->base = reserved->base;
  block->bytes = reserved->bytes;
  block->memory = std::move(memory);
  // The reserved block is never used again: another thread may be reading it.
  size_t first = (block->base - base_) / granule, count = (block->bytes + granule - 1) / granule;
  for (size_t i = 0; i < count; i++) table_[first + i].store(block, std::memory_order_release);
}

size_t AddressSpace::remove(void* address) {
  require(address != nullptr, "deallocate: the null address");
  require(owns(address), "deallocate: {} is not an address of this device", address);
  ClMemory released;  // after the lock: a driver may take its time
  std::lock_guard hold(lock_);
  size_t first = (reinterpret_cast<uintptr_t>(address) - base_) / granule;
  auto* block = table_[first].load(std::memory_order_relaxed);
  require(block && block->base == reinterpret_cast<uintptr_t>(address),
          "deallocate: no allocation begins at {} (freed before?)", address);
  size_t count = (block->bytes + granule - 1) / granule;
  for (size_t i = 0; i < count; i++) table_[first + i].store(nullptr, std::memory_order_relaxed);
  released = std::move(block->memory);
  spare_.push_back(block);
  give_back(first, count + 1);
  return block->bytes;
}

Location AddressSpace::find(const void* address) const {
  require(address != nullptr, "the null address is no device memory");
  require(owns(address), "{} is not an address of this device", address);
  auto value = reinterpret_cast<uintptr_t>(address);
  const auto* block = table_[(value - base_) / granule].load(std::memory_order_acquire);
  require(block && value - block->base < block->bytes,
          "{} is in no allocation of this device (freed, or out of bounds)", address);
  size_t offset = value - block->base;
  return {block->memory.get(), offset, block->bytes - offset, block->generation};
}

}  // namespace ocldnn
