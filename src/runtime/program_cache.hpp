#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/file_cache.hpp"
#include "runtime/launch.hpp"
#include "runtime/opencl.hpp"

namespace ocldnn {

class OpenclDevice;

/// The programs of one device: in memory by what was asked for, on disk by what was compiled. Several threads may build
/// at once; those that want the same program wait for the one that builds it.
class ProgramCache {
 public:
  explicit ProgramCache(OpenclDevice& device) : device_(device) {}

  /// The kernel's program, built if need be. Stays valid as long as the cache. A build failure throws `internal`, and
  /// again for everybody who asks for the same.
  cl_program get(const KernelId& id);

  /// Programs compiled from text, and those loaded from disk instead.
  int compiled() const { return compiled_; }
  int loaded() const { return loaded_; }

 private:
  struct Entry {
    std::mutex lock;  // held while building
    ClProgram program;
    std::string failure;
  };
  FileCache& files();
  ClProgram build(const KernelId& id, std::string& failure);
  ClProgram compile(const KernelId& id, const std::string& source, const std::string& options, std::string& failure);
  ClProgram load(const std::string& binary, const std::string& options);

  OpenclDevice& device_;
  std::mutex lock_;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
  std::optional<FileCache> files_;
  std::atomic<int> compiled_{0}, loaded_{0};
};

}  // namespace ocldnn
