#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/system.hpp"

namespace ocldnn {

/// Where everything is kept that outlives the process: programs, verdicts on drivers, answers of probes, tuned rows.
/// OCLDNN_CACHE_DIR, or ocldnn in the user's cache folder; empty, and said so once in the log, where that cannot be a
/// folder of this user's alone.
const std::string& cache_folder();

/// A folder in cache_folder() of small files that may be lost at any time. No file is trusted: it carries its length
/// and a checksum, and one that is not whole counts as absent. Any number of processes may use a folder at once.
class FileCache {
 public:
  /// `limit`: bytes at which the files not used for longest are removed.
  explicit FileCache(std::string_view name, size_t limit = size_t{512} << 20);

  std::optional<std::string> get(const std::string& name) const;
  void put(const std::string& name, std::string_view bytes);
  void remove(const std::string& name);
  /// Held while a file is looked for and made, this makes one process make it and the others find it.
  system::FileLock lock(const std::string& name) const;

 private:
  void trim();

  std::string folder_;  // empty: nothing is kept
  size_t limit_;
};

/// A file name that stands for `text`: 32 hexadecimal digits, the same on every machine.
std::string digest(std::string_view text);

}  // namespace ocldnn
