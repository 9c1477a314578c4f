// Prints what devices() offers and declined() holds, and runs what the command line asks for, so that tests can look at
// a process of its own: "threads" its threads after listing, "use" works on the first device, "fork" does so in a child
// forked before the first use, "late-fork" in one forked after it.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "ocldnn/device.hpp"
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
  }
  std::fflush(stdout);
}
