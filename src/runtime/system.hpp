#pragma once

// Everything that depends on the operating system: libraries, address ranges, memory limits, files, processes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ocldnn::system {

/// Opens a shared library. Null, with `why` filled, if that fails. `deep_bind`: the library prefers its own symbols.
void* open_library(const std::string& path, bool deep_bind, std::string& why);
void* symbol(void* library, const char* name);
/// The file that an opened library came from.
std::string library_path(void* library);

/// Whether another library of the process offers LLVM's symbols to all (TensorFlow does).
bool llvm_is_visible();
/// Whether malloc is not the C library's: tcmalloc, jemalloc, a sanitizer.
bool malloc_is_replaced();
bool under_sanitizer();
/// The file that the loader would take for a bare name such as "libpocl.so.2"; the name itself if there is none.
std::string find_library(const std::string& name);
/// Whether the library at `path`, or one it names as needed, directly or not, has `part` in its file name.
bool needs_library(const std::string& path, std::string_view part);

/// The folder of the file that this code was loaded from: the plug-in's library, or the program.
std::string own_folder();

/// This process's number, and whether a process has that number now.
int process();
bool is_process(int number);
/// Threads of this process.
int thread_count();
/// What tells this machine from others: its name, its processor and how many of its cores this process may use.
std::string machine();
/// "NAME=value" lines of the variables whose names begin with one of these, sorted.
std::string environment_with(const std::vector<std::string_view>& prefixes);

void set_environment(const char* name, const std::string& value);

struct Outcome {
  bool ended_well = false;
  std::string how;                 // "ended with status 1", "was killed by signal 6", "took more than 60 s"
  std::string output, last_words;  // what it wrote to stdout, and the last line on stderr
};
/// Runs a program to its end, or for `seconds`.
Outcome run_program(const std::vector<std::string>& command, int seconds);

/// A range of addresses that nothing may touch; null where the process may not have so many.
void* reserve_addresses(size_t bytes);
/// Zeroed memory that takes room only where it is touched; null on failure.
void* map_zeroed(size_t bytes);
void unmap(void* address, size_t bytes) noexcept;

/// Bytes of host memory this process may still use, and may have in all: the least of the machine's and of every
/// control group's around it.
int64_t available_memory();
int64_t total_memory();

/// Whether this process is the child of a fork() that came after the first call of `watch_forks`.
void watch_forks();
bool forked() noexcept;

std::optional<std::string> read_file(const std::string& path);
/// Writes beside and renames, so that a reader sees the old file or the new one. False on failure.
bool write_file(const std::string& path, std::string_view bytes);
/// Makes the folder, for this user alone. False with the reason if it is, or becomes, anything else.
bool private_folder(const std::string& path, std::string& why);
/// Makes the folder and those above it if need be. Whether files can be made in it.
bool make_folder(const std::string& path);
std::string temporary_folder();
/// The user's number.
std::string user();
/// $XDG_CACHE_HOME or ~/.cache; empty where there is neither.
std::string user_cache_folder();
bool is_file(const std::string& path);
bool is_folder(const std::string& path);
/// Names in a folder, sorted; empty where there is none.
std::vector<std::string> list_folder(const std::string& path);
/// The path without links; itself where that fails.
std::string real_path(const std::string& path);
void remove_file(const std::string& path) noexcept;
/// Sets the file's time to now.
void touch_file(const std::string& path) noexcept;
/// One place of a lock file, held against all other processes and threads for as long as this lives. Whoever waited for
/// `seconds`, or has a file system without locks, goes on without: a stopped process must not stop the others.
class FileLock {
 public:
  FileLock() = default;  // holds nothing
  FileLock(const std::string& path, uint64_t place, int seconds);
  ~FileLock();
  FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)), place_(other.place_) {}
  FileLock& operator=(FileLock&&) = delete;

 private:
  bool set(short kind) noexcept;

  int file_ = -1;
  uint64_t place_ = 0;
};
/// When a file was last written or touched, in nanoseconds, and its size; zeros where there is none.
struct FileUse {
  std::string path;
  int64_t time = 0;
  size_t bytes = 0;
};
FileUse file_use(const std::string& path);
/// "time.size" of a file, which changes when the file does.
std::string file_stamp(const std::string& path);

}  // namespace ocldnn::system
