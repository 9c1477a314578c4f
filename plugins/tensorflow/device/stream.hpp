#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>

#include "api/functions.hpp"
#include "ocldnn/device.hpp"

// What stands behind TensorFlow's opaque handles.

/// A queue that is made for the first command: a driver may refuse one, and where a stream cannot be made TensorFlow
/// ends the process.
struct SP_Stream_st {
 public:
  explicit SP_Stream_st(ocldnn::Device& device) : device_(device) {}

  /// Throws where there is none to be had; the next call tries again.
  ocldnn::Queue& queue() {
    if (auto* queue = made()) return *queue;
    std::lock_guard lock(mutex_);
    if (!queue_) {
      queue_ = device_.make_queue();
      made_.store(queue_.get(), std::memory_order_release);
    }
    return *queue_;
  }

  /// Null while nothing has been queued.
  ocldnn::Queue* made() const noexcept { return made_.load(std::memory_order_acquire); }

 private:
  ocldnn::Device& device_;
  std::mutex mutex_;
  std::unique_ptr<ocldnn::Queue> queue_;
  std::atomic<ocldnn::Queue*> made_{nullptr};
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
