#include "runtime/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>

#include "runtime/command_queue.hpp"
#include "runtime/embedded.hpp"
#include "runtime/environment.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

std::atomic<uint64_t> launches{0};

/// OpenCL C's name of a storage type, and the part of the macro that tells it apart.
struct TypeName {
  std::string_view c, macro;
};
constexpr TypeName type_names[type_count]{{"float", "F32"},    {"double", "F64"}, {"half", "F16"}, {"ushort", "BF16"},
                                          {"char", "I8"},      {"short", "I16"},  {"int", "I32"},  {"long", "I64"},
                                          {"uchar", "U8"},     {"ushort", "U16"}, {"uint", "U32"}, {"ulong", "U64"},
                                          {"uchar", "BOOLEAN"}};

std::string file_text(std::string_view file) {
  static const std::string folder = environment_value(environment::kernel_path);
  if (!folder.empty())
    if (auto text = system::read_file(folder + "/" + std::string(file))) return *text;
  for (const auto& embedded : embedded_files())
    if (embedded.path == file) return std::string(embedded.text);
  fail(Code::internal, "there is no kernel file {}", file);
}

void expand(std::string_view file, std::set<std::string, std::less<>>& seen, std::string& to) {
  if (!seen.emplace(file).second) return;
  auto text = file_text(file);
  to += fmt::format("#line 1 \"{}\"\n", file);
  int number = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line(text.data() + at, end - at);
    at = end + 1;
    number++;
    constexpr std::string_view include = "#include \"";
    if (line.starts_with(include) && line.find('"', include.size()) != line.npos) {
      line.remove_prefix(include.size());
      expand(line.substr(0, line.find('"')), seen, to);
      to += fmt::format("#line {} \"{}\"\n", number + 1, file);
    } else {
      to.append(line).push_back('\n');
    }
  }
}

}  // namespace

KernelId::KernelId(std::string_view file, std::string_view entry) : entry_size_(entry.size()), file_size_(file.size()) {
  key_.reserve(192);
  key_.append(entry).append(1, '\n').append(file).append(1, '\n');
}

// key_ is entry, file and then a line a definition, which begins with '-', or a code key, which begins with '='.
KernelId& KernelId::define(std::string_view name, std::string_view text) {
  key_.append("-D").append(name).append(1, '=').append(text).append(1, '\n');
  return *this;
}

KernelId& KernelId::define(std::string_view name, int64_t value) {
  return define(name, std::string_view(fmt::format_int(value).c_str()));
}

KernelId& KernelId::type(std::string_view name, Type type) {
  auto [c, macro] = type_names[static_cast<int>(type)];
  define(name, c);
  key_.append("-D").append(name).append("_IS_").append(macro).append("=1\n");
  return *this;
}

KernelId& KernelId::code(std::string_view key, std::function<std::string()> make) {
  // The text under this key is found again by a digest in the cache on disk; here the key has to be one line.
  key_.append("=").append(key).append(1, '\n');
  make_ = std::move(make);
  return *this;
}

std::string KernelId::options() const {
  std::string options;
  for (size_t at = entry_size_ + file_size_ + 2; at < key_.size();) {
    size_t end = key_.find('\n', at);
    if (key_[at] == '-') options.append(1, ' ').append(key_, at, end - at);
    at = end + 1;
  }
  return options;
}

void launch(Queue& queue, const KernelId& id, const Grid& grid, std::span<const Argument> arguments) {
  if (std::count(grid.groups.begin(), grid.groups.end(), size_t{0})) return;
  static_cast<CommandQueue&>(queue).launch(id, grid, arguments);
  launches.fetch_add(1, std::memory_order_relaxed);
}

Argument scalar(Type type, double value) {
  switch (compute_type(type)) {
    case Type::f32: return static_cast<float>(value);
    case Type::f64: return value;
    case Type::i64: return static_cast<int64_t>(value);
    case Type::u64: return static_cast<uint64_t>(value);
    case Type::u32: return static_cast<uint32_t>(value);
    case Type::u8:
    case Type::u16:
    default: return static_cast<int32_t>(value);
  }
}

Argument scalar(Type type, int64_t value) {
  switch (compute_type(type)) {
    case Type::f32: return static_cast<float>(value);
    case Type::f64: return static_cast<double>(value);
    case Type::i64: return value;
    case Type::u64: return static_cast<uint64_t>(value);
    case Type::u32: return static_cast<uint32_t>(value);
    default: return static_cast<int32_t>(value);
  }
}

bool wants_wide_groups(const Device& device) {
  static const std::string asked = environment_value(environment::groups);
  if (!asked.empty()) return asked == "wide";
  return device.info().kind == Kind::gpu;
}

bool wants_long_indices(int64_t largest) {
  static const bool always = environment_value(environment::index) == "64";
  return always || largest >= int64_t{1} << 30;
}

uint64_t launch_count() noexcept { return launches.load(std::memory_order_relaxed); }

std::string kernel_text(std::string_view file) {
  std::string text;
  std::set<std::string, std::less<>> seen;
  expand(file, seen, text);
  return text;
}

}  // namespace ocldnn
