#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/opencl.hpp"

namespace ocldnn {

/// Where an address lies: the buffer, the distance from its start, what is left of it from there.
struct Location {
  cl_mem memory = nullptr;
  size_t offset = 0, left = 0;
  uint64_t generation = 0;  // no two buffers have the same one, though a driver uses a handle again
};

/// A range of addresses that stands for a device's memory: addresses can be computed with, as frameworks do, and are
/// turned back into buffer and offset for the driver. The range is mapped without any access, so that a host access by
/// mistake faults at once. A freed address is used again only after the whole range has gone round.
class AddressSpace {
 public:
  /// Reserves `span` bytes, or less down to `least`; throws `out_of_memory` if the process may not have that.
  AddressSpace(size_t span, size_t least);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  size_t span() const { return span_; }
  bool owns(const void* address) const noexcept { return reinterpret_cast<uintptr_t>(address) - base_ < span_; }
  /// Without memory the block is only reserved: find() gives none for it until back() brings it.
  void* insert(ClMemory memory, size_t bytes);
  /// Puts memory behind a reserved block. Nothing happens if another thread was first.
  void back(const void* address, ClMemory memory);
  /// Takes the block that begins at `address` out and returns its size; throws `invalid_argument` if none does.
  size_t remove(void* address);
  /// Throws `invalid_argument` for an address in no block. Takes no lock.
  Location find(const void* address) const;

  static constexpr size_t granule = 64 << 10;

 private:
  struct Block {
    uintptr_t base = 0;
    size_t bytes = 0;
    ClMemory memory;
    uint64_t generation = 0;
  };
  Block* make_block();
  size_t take(size_t granules);
  void give_back(size_t first, size_t granules);

  void* range_ = nullptr;  // as it was mapped; base_ is its first granule
  uintptr_t base_ = 0;
  size_t span_ = 0, granules_ = 0;
  std::atomic<Block*>* table_ = nullptr;        // a pointer a granule
  std::mutex lock_;                             // what follows
  std::map<size_t, size_t> free_;               // first granule -> how many
  size_t cursor_ = 0;                           // where the next search begins
  std::vector<std::unique_ptr<Block>> blocks_;  // never deleted, so that find() needs no lock
  std::vector<Block*> spare_;
};

}  // namespace ocldnn
