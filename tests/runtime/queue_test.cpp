#include <array>
#include <numeric>
#include <thread>

#include "device_test.hpp"

namespace ocldnn::test {
namespace {

KernelId add_kernel() {
  return kernel("test_add", R"(
kernel void test_add(global const int *x, long x_offset, global int *y, long y_offset, int n, int value) {
  int i = get_global_id(0);
  if (i < n) y[y_offset + i] = x[x_offset + i] + value;
}
)");
}

Grid groups(size_t count) {
  Grid grid;
  grid.groups[0] = count;
  return grid;
}

TEST(Queue, ReadsWhatItWrote) {
  auto queue = device().make_queue();
  Memory memory(1 << 20);
  std::vector<int> in(1000), out(1000);
  std::iota(in.begin(), in.end(), 7);
  queue->write(memory.at(12), in.data(), 4000);
  queue->read(out.data(), memory.at(12), 4000);
  EXPECT_EQ(in, out);
}

TEST(Queue, LaunchesAtOffsets) {
  auto queue = device().make_queue();
  Memory memory(1 << 16);
  std::vector<int> in(100), out(100);
  std::iota(in.begin(), in.end(), 0);
  queue->write(memory.at(20), in.data(), 400);
  View x(memory.at(20), Type::i32, {100}), y(memory.at(4004), Type::i32, {100});
  auto before = launch_count();
  launch(*queue, add_kernel(), groups(100), x, y, int32_t{100}, int32_t{5});
  launch(*queue, add_kernel(), groups(100), y, y, int32_t{100}, int32_t{6});
  EXPECT_EQ(launch_count() - before, 2u);
  queue->read(out.data(), memory.at(4004), 400);
  for (int i = 0; i < 100; i++) EXPECT_EQ(out[i], i + 11);
}

TEST(Queue, FillsAndCopies) {
  auto queue = device().make_queue();
  Memory memory(4096);
  const uint64_t eight = 0x0123456789abcdef;
  queue->fill(memory.at(0), &eight, 8, 64);
  queue->fill(memory.at(64), &eight, 2, 2);
  queue->fill(memory.at(66), &eight, 1, 3);
  queue->copy(memory.at(1024), memory.at(0), 69);
  std::array<unsigned char, 69> out{};
  queue->read(out.data(), memory.at(1024), out.size());
  for (size_t i = 0; i < 64; i++) EXPECT_EQ(out[i], (eight >> i % 8 * 8) & 255);
  EXPECT_EQ(out[64], 0xef);
  EXPECT_EQ(out[65], 0xcd);
  for (size_t i = 66; i < 69; i++) EXPECT_EQ(out[i], 0xef);
}

}  // namespace
}  // namespace ocldnn::test
