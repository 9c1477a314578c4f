#pragma once

// Kernel ids of generated kernels, made once a key, so that a repeated call does no text work.

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "runtime/launch.hpp"

namespace ocldnn {

class KernelStore {
 public:
  /// The id under `key`; `make()` returns it the first time, outside the lock.
  template <class F>
  const KernelId& get(const std::string& key, F make) {
    {
      std::shared_lock hold(lock_);
      if (auto found = ids_.find(key); found != ids_.end()) return *found->second;
    }
    auto made = std::make_unique<KernelId>(make());
    std::unique_lock hold(lock_);
    return *ids_.try_emplace(key, std::move(made)).first->second;
  }

 private:
  std::shared_mutex lock_;
  std::unordered_map<std::string, std::unique_ptr<KernelId>> ids_;
};

}  // namespace ocldnn
