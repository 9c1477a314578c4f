#include "runtime/system.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "runtime/text.hpp"

extern char** environ;

namespace ocldnn::system {
namespace fs = std::filesystem;

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

/// The sum of some lines "name number" of a memory.stat file.
int64_t stat_sum(const std::string& path, const std::vector<std::string>& names) {
  int64_t sum = 0;
  for (const auto& line : split(read_file(path).value_or(""), '\n'))
    for (const auto& name : names)
      if (line.starts_with(name + " ")) sum += std::strtoll(line.c_str() + name.size(), nullptr, 10);
  return sum;
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
      // Pages of files count as used, and are given up when memory is wanted.
      if (v2)
        groups.push_back({number_in(folder + "/memory.max"),
                          number_in(folder + "/memory.current") -
                              stat_sum(folder + "/memory.stat", {"inactive_file", "active_file"})});
      if (v1)
        groups.push_back({number_in(folder + "/memory.limit_in_bytes"),
                          number_in(folder + "/memory.usage_in_bytes") -
                              stat_sum(folder + "/memory.stat", {"total_inactive_file", "total_active_file"})});
      if (at == "/" || at.empty()) break;
    }
  }
  return groups;
}

}  // namespace

int64_t available_memory() {
  int64_t least = meminfo("MemAvailable:");
  for (const auto& group : memory_groups())
    if (group.limit != unlimited && group.used < unlimited / 2)
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

int process() { return getpid(); }

bool is_process(int number) { return number > 0 && (kill(number, 0) == 0 || errno == EPERM); }

int thread_count() { return static_cast<int>(list_folder("/proc/self/task").size()); }

std::string machine() {
  utsname names{};
  uname(&names);
  cpu_set_t cores;
  CPU_ZERO(&cores);
  int count = sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
  auto text = read_file("/proc/cpuinfo").value_or("");
  auto at = text.find("model name");
  auto model = at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
  return std::string(names.nodename) + '\n' + names.machine + '\n' + model + '\n' + std::to_string(count);
}

std::string environment_with(const std::vector<std::string_view>& prefixes) {
  std::vector<std::string> lines;
  for (char** variable = environ; *variable; variable++)
    for (auto prefix : prefixes)
      if (std::string_view(*variable).starts_with(prefix)) lines.emplace_back(*variable);
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto& line : lines) text += line + '\n';
  return text;
}

void set_environment(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

namespace {

/// A pipe whose ends close with it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
  }
  ~Pipe() {
    for (int i : {0, 1}) shut(i);
  }
  void shut(int i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
};

std::string last_line(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Reads both pipes until they are shut on the other side. False if that takes longer than `seconds`.
bool drain(Pipe& out, Pipe& err, std::string& output, std::string& errors, int seconds) {
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  pollfd waits[2]{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}};
  std::string* into[2]{&output, &errors};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    if (left <= 0) return false;
    if (poll(waits, 2, static_cast<int>(left)) < 0 && errno != EINTR) return false;
    for (int i : {0, 1}) {
      if (waits[i].fd < 0 || !(waits[i].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char bytes[4096];
      ssize_t n = ::read(waits[i].fd, bytes, sizeof bytes);
      if (n > 0) into[i]->append(bytes, static_cast<size_t>(n));
      else if (n == 0 || errno != EINTR) waits[i].fd = -1;
    }
  }
  return true;
}

}  // namespace

Outcome run_program(const std::vector<std::string>& command, int seconds) {
  Outcome outcome;
  Pipe out, err;
  std::vector<char*> arguments;
  for (const auto& part : command) arguments.push_back(const_cast<char*>(part.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  // spawn and not fork: the host may have threads, which a forked child must not outlive.
  pid_t child = 0;
  int error = posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    outcome.how = std::string("could not be started: ") + std::strerror(error);
    return outcome;
  }
  out.shut(1), err.shut(1);
  std::string errors;
  bool in_time = drain(out, err, outcome.output, errors, seconds);
  if (!in_time) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.last_words = last_line(errors);
  if (!in_time) outcome.how = "took more than " + std::to_string(seconds) + " s";
  else if (WIFSIGNALED(status)) outcome.how = "was killed by signal " + std::to_string(WTERMSIG(status));
  else outcome.how = "ended with status " + std::to_string(WEXITSTATUS(status));
  outcome.ended_well = in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return outcome;
}

}  // namespace ocldnn::system
