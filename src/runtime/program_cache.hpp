#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "runtime/launch.hpp"
#include "runtime/opencl.hpp"

namespace ocldnn {

class OpenclDevice;

/// The programs of one device: in memory by what was asked for, on disk by what was compiled. Several threads may build
/// at once; those that want the same program wait for the one that builds it.
class ProgramCache {
 public:
  explicit ProgramCache(OpenclDevice& device) : device_(device) {}

  /// The kernel's program, built if need be. Stays valid as long as the cache.
  cl_program get(const KernelId& id);
  /// Programs held in memory.
  size_t count();

 private:
  struct Entry {
    std::mutex lock;  // held while building
    ClProgram program;
    std::string failure;  // what a failed build said; it would fail again
  };
  ClProgram build(const KernelId& id, std::string& failure);

  OpenclDevice& device_;
  std::mutex lock_;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
};

}  // namespace ocldnn
