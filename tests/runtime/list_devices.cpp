// Prints what devices() offers and declined() holds, and runs what the command line asks for, so that tests can look at
// a process of its own: "threads" its threads after listing, "use" works on the first device, "fork" does so in a child
// forked before the first use, "late-fork" in one forked after it, "exchange" sends numbers between the first two
// devices.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "device_test.hpp"
#include "ocldnn/log.hpp"
#include "runtime/system.hpp"

using namespace ocldnn;

namespace {

void use(Device& device) try {
  auto queue = device.make_queue();
  auto* address = device.allocate(64);
  int in = 1234, out = 0;
  queue->write(address, &in, sizeof in);
  queue->read(&out, address, sizeof out);
  device.deallocate(address);
  std::printf("used: %d\n", out);
} catch (const std::exception& e) {
  std::printf("error: %s\n", e.what());
}

void in_child(Device& device) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    use(device);
    std::fflush(stdout);
    _Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("child: %d\n", status);
}

/// A device as a framework uses it: a queue for kernels, another for copies to other devices, one region for all
/// tensors.
struct Place {
  static constexpr size_t bytes = 4 << 20;
  explicit Place(Device& device)
      : device(device), kernels(device.make_queue()), copies(device.make_queue()), region(device.allocate(bytes)) {}
  ~Place() { device.deallocate(region); }

  /// The next place in the region for `n` numbers, not used for a while.
  void* next(int n) {
    if (at + static_cast<size_t>(n) * 4 > bytes) at = 0;
    auto* found = static_cast<char*>(region) + at;
    at += static_cast<size_t>(n + 63) / 64 * 256;
    return found;
  }

  void* plus_one(void* x, int n) {
    auto id = test::kernel("test_plus_one", R"(
kernel void test_plus_one(global const int *x, long x_offset, global int *y, long y_offset, int n) {
  for (int i = get_global_id(0) * 512, end = min(i + 512, n); i < end; i++) y[y_offset + i] = x[x_offset + i] + 1;
})");
    auto* y = next(n);
    Grid grid;
    grid.groups[0] = static_cast<size_t>(n + 511) / 512;
    launch(*kernels, id, grid, View(x, Type::i32, {n}), View(y, Type::i32, {n}), int32_t{n});
    return y;
  }

  /// As TensorFlow does it: the sender's queue for copies waits for the kernels of both sides.
  void* send(Place& to, void* x, int n) {
    auto* y = to.next(n);
    copies->wait_for(*kernels);
    copies->wait_for(*to.kernels);
    copies->copy(y, x, static_cast<size_t>(n) * 4);
    return y;
  }

  Device& device;
  std::unique_ptr<Queue> kernels, copies;
  void* region;
  size_t at = 0;
};

void exchange() {
  Place a(*devices()[0]), b(*devices()[1]);
  int right = 0;
  for (int round = 0; round < 200; round++) {
    const int n = 1 + round * 7919 % 5000;
    std::vector<int> numbers(static_cast<size_t>(n), round);
    auto* x = a.next(n);
    a.kernels->write(x, numbers.data(), numbers.size() * 4);
    auto* there = b.plus_one(a.send(b, a.plus_one(x, n), n), n);
    auto* back = a.plus_one(b.send(a, there, n), n);
    a.kernels->read(numbers.data(), back, numbers.size() * 4);
    right += numbers == std::vector<int>(numbers.size(), round + 3);
  }
  std::printf("exchanged: %d of 200\n", right);
}

}  // namespace

int main(int argc, char** argv) {
  set_log(
      [](Level, std::string_view line) { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); });
  for (auto* device : devices())
    std::printf("device: %s|%s|%lld|%p\n", device->info().platform.c_str(), device->info().name.c_str(),
                static_cast<long long>(device->info().memory_bytes), static_cast<void*>(device));
  for (const auto& [what, why] : declined()) std::printf("declined: %s: %s\n", what.c_str(), why.c_str());
  for (int i = 1; i < argc; i++) {
    std::string wish = argv[i];
    if (wish == "threads") std::printf("threads: %d\n", system::thread_count());
    if (devices().empty()) continue;
    auto& device = *devices().front();
    if (wish == "use") use(device);
    if (wish == "fork") in_child(device);
    if (wish == "late-fork") use(device), in_child(device);
    if (wish == "exchange") exchange();
  }
  std::fflush(stdout);
}
