#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "runtime/system.hpp"

namespace ocldnn::system {
namespace fs = std::filesystem;

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  if (stream.bad()) return std::nullopt;
  return std::move(bytes).str();
}

bool write_file(const std::string& path, std::string_view bytes) {
  std::string aside = path + ".XXXXXX";
  int file = mkstemp(aside.data());
  if (file < 0) return false;
  bool good = true;
  for (size_t done = 0; good && done < bytes.size();) {
    ssize_t n = write(file, bytes.data() + done, bytes.size() - done);
    if (n > 0) done += static_cast<size_t>(n);
    good = n > 0 || (n < 0 && errno == EINTR);
  }
  good &= close(file) == 0;
  good = good && std::rename(aside.c_str(), path.c_str()) == 0;
  if (!good) std::remove(aside.c_str());
  return good;
}

bool private_folder(const std::string& path, std::string& why) {
  std::error_code error;
  if (auto parent = fs::path(path).parent_path(); !parent.empty()) fs::create_directories(parent, error);
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    why = path + ": " + std::strerror(errno);
    return false;
  }
  struct stat is {};
  if (lstat(path.c_str(), &is) != 0) {
    why = path + ": " + std::strerror(errno);
  } else if (!S_ISDIR(is.st_mode)) {
    why = path + " is not a folder";
  } else if (is.st_uid != geteuid()) {
    why = path + " belongs to another user";
  } else if (is.st_mode & 077) {
    why = path + " is open to other users (its mode should be 700)";
  } else if (access(path.c_str(), R_OK | W_OK | X_OK) != 0) {
    why = path + ": " + std::strerror(errno);
  } else {
    return true;
  }
  return false;
}

bool make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return is_folder(path) && access(path.c_str(), R_OK | W_OK | X_OK) == 0;
}

std::string temporary_folder() {
  std::error_code error;
  return fs::temp_directory_path(error).string();
}

std::string user() { return std::to_string(geteuid()); }

std::string user_cache_folder() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && xdg[0] == '/') return xdg;
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return std::string(home) + "/.cache";
  return "";
}

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string real_path(const std::string& path) {
  char* real = realpath(path.c_str(), nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

void remove_file(const std::string& path) noexcept { unlink(path.c_str()); }

void touch_file(const std::string& path) noexcept { utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

FileLock::FileLock(const std::string& path, uint64_t place, int seconds) : place_(place) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  while (file_ >= 0 && !set(F_WRLCK) && (errno == EAGAIN || errno == EINTR) && Clock::now() < end) usleep(2000);
}

FileLock::~FileLock() {
  if (file_ < 0) return;
  set(F_UNLCK);  // closing is not enough where a fork() came between: the child has the file open as well
  close(file_);
}

bool FileLock::set(short kind) noexcept {
  // Of the open file, not of the process: two threads, and two libraries in one process, exclude each other as well.
  struct flock range {};
  range.l_type = kind;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(place_ >> 2);  // no more than off_t holds, and an end after it
  range.l_len = 1;
  return fcntl(file_, F_OFD_SETLK, &range) == 0;
}

FileUse file_use(const std::string& path) {
  struct stat is {};
  if (stat(path.c_str(), &is) != 0) return {path};
  return {path, int64_t{is.st_mtim.tv_sec} * 1'000'000'000 + is.st_mtim.tv_nsec, static_cast<size_t>(is.st_size)};
}

std::string file_stamp(const std::string& path) {
  auto use = file_use(path);
  return std::to_string(use.time) + "." + std::to_string(use.bytes);
}

}  // namespace ocldnn::system
