#pragma once

#include <chrono>
#include <memory>
#include <mutex>

#include "api/functions.hpp"
#include "ocldnn/device.hpp"

// What stands behind TensorFlow's opaque handles.

struct SP_Stream_st {
  std::unique_ptr<ocldnn::Queue> queue;
};

/// TensorFlow keeps events in a pool and records one again and again, from several threads.
struct SP_Event_st {
  std::mutex mutex;
  std::shared_ptr<ocldnn::Event> event;  // null: never recorded, which counts as complete

  std::shared_ptr<ocldnn::Event> get() {
    std::lock_guard lock(mutex);
    return event;
  }
  void set(std::shared_ptr<ocldnn::Event> recorded) {
    std::lock_guard lock(mutex);
    event = std::move(recorded);
  }
};

struct SP_Timer_st {
  std::chrono::steady_clock::time_point start, stop;
};
