#pragma once

#include <atomic>

/// What tests tell the fake driver, and what it tells them. Found by dlsym under the name fake_control.
struct FakeControl {
  // The code that the next call of a kind fails with; 0: it succeeds. Reset by the failure.
  std::atomic<int> create_buffer{0}, build{0}, enqueue_kernel{0}, finish{0}, marker{0}, context{0};
  // There is no memory left: no buffer is made.
  std::atomic<bool> full{false};
  // What the event of the next read ends as: negative for a failed command.
  std::atomic<int> read_status{0};
  // The device is gone: every call on a queue fails with CL_OUT_OF_RESOURCES.
  std::atomic<bool> lost{false};
  // Events stay queued until this is false again.
  std::atomic<bool> hold_events{false};
  // A write arrives when a queue is finished, as OpenCL allows a blocking one, too.
  std::atomic<bool> late_writes{false};
  std::atomic<int> kernels{0}, arguments{0}, builds{0}, binaries{0}, buffers{0}, contexts{0}, live_objects{0};
  std::atomic<int> build_milliseconds{0}, builds_at_once{0}, most_builds_at_once{0};
};
using FakeControlFunction = FakeControl* (*)();
