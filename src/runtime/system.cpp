#include "runtime/system.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace ocldnn::system {
namespace fs = std::filesystem;

void* open_library(const std::string& path, bool deep_bind, std::string& why) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (deep_bind ? RTLD_DEEPBIND : 0));
  if (!library) {
    const char* text = dlerror();
    why = text ? text : "cannot be opened";
  }
  return library;
}

void* symbol(void* library, const char* name) { return dlsym(library, name); }

std::string library_path(void* library) {
  link_map* map = nullptr;
  return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name ? map->l_name : "";
}

bool llvm_is_visible() { return dlsym(RTLD_DEFAULT, "_ZN4llvm2cl6Option11addArgumentEv") != nullptr; }

bool malloc_is_replaced() {
  Dl_info ours{}, libc{};
  void* function = dlsym(RTLD_DEFAULT, "malloc");
  void* other = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  return function && other && dladdr(function, &ours) && dladdr(other, &libc) && ours.dli_fbase != libc.dli_fbase;
}

bool under_sanitizer() {
  return dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") || dlsym(RTLD_DEFAULT, "__msan_init");
}

namespace {

/// What an ELF file's dynamic section says it needs, and where it looks first.
struct Needs {
  std::vector<std::string> names, folders;
};

template <class Value>
Value at(const std::string& file, uint64_t offset) {
  Value value{};
  if (offset + sizeof value <= file.size()) std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, by);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

Needs read_needs(const std::string& path) {
  Needs needs;
  auto content = read_file(path);
  if (!content || content->size() < sizeof(Elf64_Ehdr) || content->compare(0, 4, ELFMAG) != 0) return needs;
  const auto& file = *content;
  auto header = at<Elf64_Ehdr>(file, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return needs;
  std::vector<Elf64_Phdr> segments;
  for (int i = 0; i < header.e_phnum; i++)
    segments.push_back(at<Elf64_Phdr>(file, header.e_phoff + i * sizeof(Elf64_Phdr)));
  auto offset_of = [&](uint64_t address) {
    for (const auto& s : segments)
      if (s.p_type == PT_LOAD && address >= s.p_vaddr && address < s.p_vaddr + s.p_filesz)
        return address - s.p_vaddr + s.p_offset;
    return uint64_t{0};
  };
  std::vector<uint64_t> names, folders;
  uint64_t strings = 0;
  for (const auto& s : segments) {
    if (s.p_type != PT_DYNAMIC) continue;
    for (uint64_t i = 0; i < s.p_filesz; i += sizeof(Elf64_Dyn)) {
      auto entry = at<Elf64_Dyn>(file, s.p_offset + i);
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) folders.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
    }
  }
  auto text = [&](uint64_t offset) {
    offset += strings;
    return offset < file.size() ? std::string(file.c_str() + offset) : std::string();
  };
  for (auto offset : names) needs.names.push_back(text(offset));
  auto own = fs::path(path).parent_path().string();
  for (auto offset : folders)
    for (auto folder : split(text(offset), ':')) {
      if (folder.rfind("$ORIGIN", 0) == 0) folder = own + folder.substr(7);
      needs.folders.push_back(folder);
    }
  needs.folders.push_back(own);
  return needs;
}

}  // namespace

bool needs_library(const std::string& path, std::string_view part) {
  const char* extra = std::getenv("LD_LIBRARY_PATH");
  auto usual = split(extra ? extra : "", ':');
  for (const char* folder : {"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib",
                             "/usr/lib", "/usr/local/lib", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu"})
    usual.emplace_back(folder);
  std::vector<std::string> open{path};
  std::set<std::string> seen;
  while (!open.empty()) {
    auto file = open.back();
    open.pop_back();
    if (!seen.insert(file).second) continue;
    auto needs = read_needs(file);
    needs.folders.insert(needs.folders.end(), usual.begin(), usual.end());
    for (const auto& name : needs.names) {
      if (name.find(part) != std::string::npos) return true;
      for (const auto& folder : needs.folders)
        if (auto next = folder + "/" + name; is_file(next)) {
          open.push_back(next);
          break;
        }
    }
  }
  return false;
}

void* reserve_addresses(size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  madvise(at, bytes, MADV_DONTDUMP);
  return at;
}

void* map_zeroed(size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

void unmap(void* address, size_t bytes) noexcept { munmap(address, bytes); }

namespace {

constexpr int64_t unlimited = INT64_MAX;

int64_t number_in(const std::string& path) {
  auto text = read_file(path);
  if (!text || text->empty() || text->rfind("max", 0) == 0) return unlimited;
  auto value = std::strtoull(text->c_str(), nullptr, 10);
  return value > (1ull << 60) ? unlimited : static_cast<int64_t>(value);
}

int64_t meminfo(std::string_view field) {
  auto text = read_file("/proc/meminfo").value_or("");
  auto at = text.find(field);
  if (at == std::string::npos) return int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return static_cast<int64_t>(std::strtoll(text.c_str() + at + field.size(), nullptr, 10)) * 1024;
}

struct Group {
  int64_t limit = unlimited, used = 0;
};

/// Every memory control group around this process, of version 1 and 2, innermost first.
std::vector<Group> memory_groups() {
  std::vector<Group> groups;
  for (const auto& line : split(read_file("/proc/self/cgroup").value_or(""), '\n')) {
    auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    auto controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    bool v2 = controllers.empty(), v1 = ("," + controllers + ",").find(",memory,") != std::string::npos;
    if (!v1 && !v2) continue;
    std::string root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (fs::path at = path;; at = at.parent_path()) {
      auto folder = root + (at == "/" ? "" : at.string());
      if (v2) groups.push_back({number_in(folder + "/memory.max"), number_in(folder + "/memory.current")});
      if (v1)
        groups.push_back({number_in(folder + "/memory.limit_in_bytes"), number_in(folder + "/memory.usage_in_bytes")});
      if (at == "/" || at.empty()) break;
    }
  }
  return groups;
}

}  // namespace

int64_t available_memory() {
  int64_t least = meminfo("MemAvailable:");
  for (const auto& group : memory_groups())
    if (group.limit != unlimited && group.used != unlimited)
      least = std::min(least, std::max<int64_t>(0, group.limit - group.used));
  return least;
}

int64_t total_memory() {
  int64_t least = meminfo("MemTotal:");
  for (const auto& group : memory_groups()) least = std::min(least, group.limit);
  return least;
}

namespace {
std::atomic<bool> is_child{false};
}

void watch_forks() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { is_child.store(true, std::memory_order_relaxed); });
  (void)registered;
}
bool forked() noexcept { return is_child.load(std::memory_order_relaxed); }

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
