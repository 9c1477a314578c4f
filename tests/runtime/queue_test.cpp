#include <array>
#include <cstdio>
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

TEST(Queue, RefusesWhatIsOutOfBoundsWithWords) {
  auto queue = device().make_queue();
  Memory memory(400);
  int value = 0;
  expect_error(Code::invalid_argument, {"read", "404", "400"}, [&] { queue->read(&value, memory.get(), 404); });
  expect_error(Code::invalid_argument, {"write", "2 left"}, [&] { queue->write(memory.at(398), &value, 4); });
  expect_error(Code::invalid_argument, {"fill", "8"}, [&] { queue->fill(memory.get(), &value, 8, 12); });
  expect_error(Code::invalid_argument, {"pattern of 3 bytes"}, [&] { queue->fill(memory.get(), &value, 3, 12); });
  expect_error(Code::invalid_argument, {"overlap"}, [&] { queue->copy(memory.at(4), memory.get(), 8); });
  expect_error(Code::invalid_argument, {"not device memory"}, [&] { queue->copy(memory.at(4), &value, 4); });
  // Nothing to do is no error, whatever the addresses: frameworks have empty tensors at any address.
  queue->read(nullptr, nullptr, 0);
  queue->write(nullptr, nullptr, 0);
  queue->copy(&value, nullptr, 0);
  queue->fill(nullptr, &value, 4, 0);
  queue->finish();
}

TEST(Queue, RefusesAWrongLaunchWithWordsAndGoesOn) {
  auto queue = device().make_queue();
  Memory memory(400);
  View x(memory.get(), Type::i32, {100});
  auto run = [&](const Grid& grid, const View& from, const View& to) {
    launch(*queue, add_kernel(), grid, from, to, int32_t{100}, int32_t{1});
  };
  expect_error(Code::invalid_argument, {"test_add", "null"},
               [&] { run(groups(1), View(nullptr, Type::i32, {100}), x); });
  int on_stack = 0;
  expect_error(Code::invalid_argument, {"not an address"}, [&] { run(groups(1), View(&on_stack, Type::i32, {1}), x); });
  expect_error(Code::invalid_argument, {"test_add", "[101]", "404", "400"},
               [&] { run(groups(1), View(memory.get(), Type::i32, {101}), x); });
  expect_error(Code::invalid_argument, {"test_add", "int32"},
               [&] { run(groups(1), View(memory.at(2), Type::i32, {4}), x); });
  auto grid = groups(1);
  grid.local[0] = static_cast<size_t>(device().info().max_group) * 2;
  expect_error(Code::internal, {"test_add", "groups of"}, [&] { run(grid, x, x); });
  grid = groups(1);
  grid.groups[1] = 65536;
  expect_error(Code::internal, {"65536 groups in dimension 1"}, [&] { run(grid, x, x); });
  expect_error(Code::internal, {"takes 6 arguments, got 2"}, [&] { launch(*queue, add_kernel(), groups(1), x); });
  expect_error(Code::internal, {"takes 6 arguments, got more"},
               [&] { launch(*queue, add_kernel(), groups(1), x, x, int32_t{1}, int32_t{1}, int32_t{1}); });
  expect_error(Code::internal, {"no kernel file ops/none.cl"},
               [&] { launch(*queue, KernelId("ops/none.cl", "none"), Grid{}, x); });
  expect_error(Code::internal, {"test_typo", device().info().name, "undeclared_name"}, [&] {
    launch(*queue, kernel("test_typo", "kernel void test_typo(global int *x, long o) { x[o] = undeclared_name; }"),
           Grid{}, x);
  });
  // No group, nothing to do; and the queue works on.
  run(groups(0), x, x);
  run(groups(100), x, x);
  queue->finish();
}

TEST(Queue, EventsOrderQueuesOfADevice) {
  auto first = device().make_queue(), second = device().make_queue();
  Memory memory(4096);
  View x(memory.get(), Type::i32, {1000});
  const int zero = 0;
  for (int round = 0; round < 50; round++) {
    first->fill(memory.get(), &zero, 4, 4000);
    second->wait_for(*first);
    launch(*second, add_kernel(), groups(1000), x, x, int32_t{1000}, int32_t{round});
    auto event = second->record();
    first->wait_for(*event);
    launch(*first, add_kernel(), groups(1000), x, x, int32_t{1000}, int32_t{1});
    int got = -1;
    first->read(&got, memory.at(3996), 4);
    ASSERT_EQ(got, round + 1);
    EXPECT_TRUE(event->complete());
  }
  device().finish();
}

// A copy waits in another queue for a device that is far behind: its event must not be complete before it is, since
// whoever owns the memory on the host takes it back then.
TEST(Queue, AnEventIsNotCompleteBeforeTheCopyItFollows) {
  auto slow = device().make_queue(), copies = device().make_queue();
  constexpr size_t large = 64 << 20;
  Memory busy(large), memory(4096);
  std::vector<int> in(256), out(256);
  for (int round = 0; round < 3; ++round) {
    for (char i = 0; i < 12; ++i) slow->fill(busy.at(0), &i, 1, large);
    auto last = slow->record();
    copies->wait_for(*slow);
    std::iota(in.begin(), in.end(), round);
    copies->write_async(memory.at(0), in.data(), 1024);
    auto event = copies->record();
    while (!event->complete()) std::this_thread::yield();
    EXPECT_TRUE(last->complete()) << "round " << round;
    std::fill(in.begin(), in.end(), -1);
    copies->read(out.data(), memory.at(0), 1024);
    EXPECT_EQ(out[0], round);
    EXPECT_EQ(out[255], round + 255);
    slow->finish();
  }
}

TEST(Queue, EightThreadsShareAQueueAndHaveTheirOwn) {
  constexpr int count = 8, rounds = 100, n = 64;
  auto shared = device().make_queue();
  Memory memory(count * n * 4);
  const int zero = 0;
  shared->fill(memory.get(), &zero, 4, count * n * 4);
  shared->finish();
  std::vector<std::thread> threads;
  std::array<int, count> got{};
  for (int t = 0; t < count; t++)
    threads.emplace_back([&, t] {
      auto own = t % 2 ? device().make_queue() : nullptr;
      auto& queue = own ? *own : *shared;
      View x(memory.at(static_cast<size_t>(t) * n * 4), Type::i32, {n});
      for (int i = 0; i < rounds; i++) launch(queue, add_kernel(), groups(n), x, x, int32_t{n}, int32_t{t + 1});
      queue.read(&got[static_cast<size_t>(t)], memory.at(static_cast<size_t>(t) * n * 4 + 4 * (n - 1)), 4);
    });
  for (auto& thread : threads) thread.join();
  for (int t = 0; t < count; t++) EXPECT_EQ(got[static_cast<size_t>(t)], rounds * (t + 1)) << t;
}

TEST(Queue, EightThreadsBuildAtOnce) {
  Memory memory(4096);
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      auto queue = device().make_queue();
      for (int k = 0; k < 4; k++) {
        auto id = kernel("test_many", "kernel void test_many(global int *x, long o) { x[o] = VALUE; }");
        id.define("VALUE", int64_t{(k + t) % 4 * 10 + 3});
        auto* address = memory.at(static_cast<size_t>(t) * 64);
        launch(*queue, id, Grid{}, View(address, Type::i32, {1}));
        int got = 0;
        queue->read(&got, address, 4);
        EXPECT_EQ(got, (k + t) % 4 * 10 + 3);
      }
    });
  for (auto& thread : threads) thread.join();
}

TEST(Launch, ArgumentsOfEveryTypeArrive) {
  auto queue = device().make_queue();
  Memory memory(64);
  auto id = kernel("test_arguments", R"(
kernel void test_arguments(global long *x, long o, int a, long b, uint c, ulong d, float e, global float *none, long none_offset) {
  x[o] = a; x[o + 1] = b; x[o + 2] = c; x[o + 3] = (long)d; x[o + 4] = (long)(e * 4);
  x[o + 5] = none == 0 && none_offset == 0;
})");
  launch(*queue, id, Grid{}, View(memory.get(), Type::i64, {6}), int32_t{-3}, int64_t{-5000000000},
         uint32_t{4000000000u}, uint64_t{1} << 62, 2.25f, View(nullptr, Type::f32, {0}));
  std::array<int64_t, 6> got{};
  queue->read(got.data(), memory.get(), sizeof got);
  EXPECT_EQ(got, (std::array<int64_t, 6>{-3, -5000000000, 4000000000, int64_t{1} << 62, 9, 1}));
  EXPECT_EQ(std::get<float>(scalar(Type::bf16, 1.5)), 1.5f);
  EXPECT_EQ(std::get<int64_t>(scalar(Type::i64, int64_t{1} << 60)), int64_t{1} << 60);
  EXPECT_EQ(std::get<int32_t>(scalar(Type::boolean, int64_t{1})), 1);
}

TEST(Launch, IncludesComeOnceAndLinesKeepTheirNumbers) {
  auto text = kernel_text("cl/types.cl");
  EXPECT_EQ(text.rfind("#line 1 \"cl/types.cl\"\n", 0), 0u);
  auto queue = device().make_queue();
  Memory memory(4);
  // The third line of the text in front of the file.
  expect_error(Code::internal, {"wrong"}, [&] {
    launch(*queue, kernel("test_lines", "\n\nkernel void test_lines(global int *x, long o) { x[o] = wrong; }"), Grid{},
           View(memory.get(), Type::i32, {1}));
  });
}

TEST(Features, AreProbedAndRemembered) {
  auto& tested = device();
  for (int i = 0; i < feature_count; i++) {
    auto feature = static_cast<Feature>(i);
    if (feature == Feature::large_buffers) continue;  // takes 4 GiB
    bool first = tested.supports(feature);
    EXPECT_EQ(tested.supports(feature), first);
    std::printf("feature %d: %s\n", i, first ? "yes" : "no");
  }
  if (tested.info().platform == "Portable Computing Language") {
    EXPECT_TRUE(tested.supports(Feature::fp64));
    EXPECT_FALSE(tested.supports(Feature::fp16));
    EXPECT_FALSE(tested.supports(Feature::ptx));
  }
  if (tested.info().platform == "Intel(R) OpenCL") {
    EXPECT_TRUE(tested.supports(Feature::fp16));
  }
}

}  // namespace
}  // namespace ocldnn::test
