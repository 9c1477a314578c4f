// What the process says of itself, and its locks. This program is not position-independent (see CMakeLists.txt), as
// some Pythons are.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <vector>

#include "process.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

TEST(System, MallocOfLibcIsNotTakenForAnother) {
  if (system::under_sanitizer()) GTEST_SKIP() << "a sanitizer does replace it";
  // A program whose own table holds the function's address answers for it when the process is asked.
  void* (*volatile address)(size_t) = &std::malloc;
  void* (*volatile other)(size_t, size_t) = &std::calloc;
  ASSERT_TRUE(address && other);
  EXPECT_FALSE(system::malloc_is_replaced());
}

TEST(FileLock, APlaceIsHeldByOneAtATime) {
  test::Folder folder("locks");
  auto path = folder.path() + "/locks";
  std::atomic<int> inside{0}, most{0};
  auto enter = [&] {
    for (int i = 0; i < 50; i++) {
      system::FileLock alone(path, 7, 60);
      most = std::max(most.load(), ++inside);
      usleep(100);
      inside--;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(enter);
  }
  EXPECT_EQ(most, 1);
}

TEST(FileLock, WhatAnotherHoldsForTooLongIsNotWaitedFor) {
  test::Folder folder("locks");
  auto path = folder.path() + "/locks";
  auto seconds = [&](uint64_t place, int limit) {
    auto began = std::chrono::steady_clock::now();
    system::FileLock lock(path, place, limit);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  pid_t child = 0;
  {
    system::FileLock held(path, 7, 60);
    EXPECT_GE(seconds(7, 1), 1);
    EXPECT_LT(seconds(~uint64_t{0}, 60), 1) << "another place is free";
    child = fork();
    if (child == 0) _exit(usleep(100'000'000));
  }
  EXPECT_LT(seconds(7, 60), 1) << "a fork() in between keeps it";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  system::FileLock nowhere("/proc/no-such/locks", 7, 60);  // is not waited for, and no error
}

}  // namespace
}  // namespace ocldnn
