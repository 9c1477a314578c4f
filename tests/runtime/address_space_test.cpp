#include "runtime/address_space.hpp"

#include <random>
#include <set>

#include "device_test.hpp"

namespace ocldnn::test {
namespace {

constexpr size_t granule = AddressSpace::granule;

TEST(AddressSpace, FindsEveryByteOfABlockAndNoneBeyond) {
  AddressSpace space(64 << 20, 1 << 20);
  auto* address = static_cast<char*>(space.insert(nullptr, 3 * granule + 5));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % 256, 0u);
  for (size_t at : {size_t{0}, size_t{1}, granule, 3 * granule + 4}) {
    auto place = space.find(address + at);
    EXPECT_EQ(place.offset, at);
    EXPECT_EQ(place.left, 3 * granule + 5 - at);
  }
  for (size_t at : {3 * granule + 5, 4 * granule, 4 * granule + 1})
    expect_error(Code::invalid_argument, {"in no allocation"}, [&] { space.find(address + at); });
  int on_stack = 0;
  expect_error(Code::invalid_argument, {"not an address of this device"}, [&] { space.find(&on_stack); });
  expect_error(Code::invalid_argument, {"null"}, [&] { space.find(nullptr); });
  expect_error(Code::invalid_argument, {"null"}, [&] { space.remove(nullptr); });
  expect_error(Code::invalid_argument, {"no allocation begins"}, [&] { space.remove(address + 1); });
  EXPECT_EQ(space.remove(address), 3 * granule + 5);
  expect_error(Code::invalid_argument, {"freed"}, [&] { space.find(address); });
  expect_error(Code::invalid_argument, {"freed before"}, [&] { space.remove(address); });
}

TEST(AddressSpace, FreedAddressesRestUntilTheRangeHasGoneRound) {
  AddressSpace space(64 * granule, granule);
  std::set<void*> seen;
  for (int i = 0; i < 32; i++) {
    auto* address = space.insert(nullptr, 100);
    EXPECT_TRUE(seen.insert(address).second) << "handed out again after " << i;
    space.remove(address);
  }
  EXPECT_FALSE(seen.insert(space.insert(nullptr, 100)).second);
}

TEST(AddressSpace, FullRangeThrowsAndRecovers) {
  AddressSpace space(16 * granule, granule);
  std::vector<void*> blocks;
  expect_error(Code::out_of_memory, {"range of addresses"}, [&] {
    for (;;) blocks.push_back(space.insert(nullptr, granule));
  });
  EXPECT_EQ(blocks.size(), 8u);
  for (auto* block : blocks) space.remove(block);
  space.remove(space.insert(nullptr, 15 * granule));
}

TEST(AddressSpace, RandomUseNeverOverlaps) {
  AddressSpace space(256 * granule, granule);
  std::mt19937 random(7);
  std::map<char*, size_t> live;
  std::set<uint64_t> generations;
  for (int i = 0; i < 20000; i++) {
    if (live.size() > 12 || (!live.empty() && random() % 2)) {
      auto at = std::next(live.begin(), static_cast<int>(random() % live.size()));
      EXPECT_EQ(space.remove(at->first), at->second);
      live.erase(at);
      continue;
    }
    size_t bytes = 1 + random() % (8 * granule);
    auto* address = static_cast<char*>(space.insert(nullptr, bytes));
    auto after = live.upper_bound(address);
    if (after != live.end()) {
      EXPECT_LE(address + bytes, after->first);
    }
    if (after != live.begin()) {
      EXPECT_GE(address, std::prev(after)->first + std::prev(after)->second);
    }
    live[address] = bytes;
    EXPECT_TRUE(generations.insert(space.find(address).generation).second);
    size_t inside = random() % bytes;
    EXPECT_EQ(space.find(address + inside).offset, inside);
  }
}

TEST(Memory, DeviceKnowsItsOwnAddresses) {
  Memory memory(1000);
  EXPECT_EQ(device_of(memory.at(999)), &device());
  int on_stack = 0;
  EXPECT_EQ(device_of(&on_stack), nullptr);
  expect_error(Code::invalid_argument, {"null"}, [] { device().deallocate(nullptr); });
  expect_error(Code::invalid_argument, {"not an address"}, [&] { device().deallocate(&on_stack); });
}

TEST(Memory, TooMuchIsAnErrorAndTheDeviceGoesOn) {
  auto all = device().memory();
  EXPECT_GT(all.free, 0);
  EXPECT_LE(all.free, all.total);
  expect_error(Code::out_of_memory, {}, [&] { device().allocate(static_cast<size_t>(all.total) * 2); });
  std::vector<void*> blocks;
  // Never touched, so that this costs addresses and not memory.
  expect_error(Code::out_of_memory, {}, [&] {
    for (;;) blocks.push_back(device().allocate(size_t{1} << 30));
  });
  for (auto* block : blocks) device().deallocate(block);
  Memory works(1 << 20);
  auto queue = device().make_queue();
  int in = 5, out = 0;
  queue->write(works.get(), &in, 4);
  queue->read(&out, works.get(), 4);
  EXPECT_EQ(out, 5);
}

}  // namespace
}  // namespace ocldnn::test
