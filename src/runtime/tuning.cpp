#include "runtime/tuning.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/embedded.hpp"
#include "runtime/environment.hpp"
#include "runtime/file_cache.hpp"
#include "runtime/log.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

struct Row {
  std::string_view scope, match, name;
  int64_t value = 0;
};

bool parse(std::string_view line, Row& row) {
  std::array<std::string_view, 4> cells;
  for (size_t i = 0; i < 4; i++) {
    auto comma = i < 3 ? line.find(',') : line.size();
    if (comma == line.npos) return false;
    cells[i] = line.substr(0, comma);
    line.remove_prefix(std::min(comma + 1, line.size()));
  }
  while (!cells[3].empty() && std::isspace(static_cast<unsigned char>(cells[3].back()))) cells[3].remove_suffix(1);
  row = {cells[0], cells[1], cells[2], 0};
  auto [end, error] = std::from_chars(cells[3].data(), cells[3].data() + cells[3].size(), row.value);
  return error == std::errc() && end == cells[3].data() + cells[3].size();
}

std::vector<Row> rows_of(std::string_view text, std::string_view file) {
  std::vector<Row> rows;
  for (int number = 1; !text.empty(); number++) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line[0] == '#') continue;
    Row row;
    if (parse(line, row)) rows.push_back(row);
    else log(Level::warning, "{}:{}: expected scope,match,name,number; got {}", file, number, line);
  }
  return rows;
}

bool has(std::string_view text, std::string_view part) {
  auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

std::string_view kind_name(Kind kind) {
  return kind == Kind::gpu ? "gpu" : kind == Kind::accelerator ? "accelerator" : "cpu";
}

/// How closely a row fits the device; 0 if not at all.
int closeness(const Row& row, const DeviceInfo& info) {
  if (row.scope == "device") return has(info.name, row.match) ? 6 : 0;
  if (row.scope == "platform") return has(info.platform, row.match) ? 5 : 0;
  if (row.scope == "vendor") return has(info.vendor, row.match) ? 4 : 0;
  if (row.scope == "kind" && row.match == fmt::format("{}/{}", kind_name(info.kind), info.float_width)) return 3;
  if (row.scope == "kind") return row.match == kind_name(info.kind) ? 2 : 0;
  return row.scope == "default" ? 1 : 0;
}

/// Adds rows of one file; within it the closest row wins, then the later one.
void add(std::string_view text, std::string_view file, const DeviceInfo& info, Tuned::Values& values) {
  std::map<std::string_view, std::pair<int, int64_t>> best;
  for (const auto& row : rows_of(text, file)) {
    int close = closeness(row, info);
    auto& [held, value] = best[row.name];
    if (close > 0 && close >= held) held = close, value = row.value;
  }
  for (const auto& [name, held] : best)
    if (held.first > 0) values[std::string(name)] = held.second;
}

std::string user_file(std::string_view engine) {
  auto folder = environment_value(environment::tuning);
  if (folder.empty() && !cache_folder().empty()) folder = cache_folder() + "/tuning";
  return folder.empty() ? "" : fmt::format("{}/{}.csv", folder, engine);
}

std::shared_ptr<const Tuned::Values> read(const DeviceInfo& info, std::string_view engine) {
  auto values = std::make_shared<Tuned::Values>();
  auto path = fmt::format("tuning/{}.csv", engine);
  for (const auto& file : embedded_files())
    if (file.path == path) add(file.text, path, info, *values);
  auto user = user_file(engine);
  if (user.empty()) return values;
  if (auto text = system::read_file(user)) add(*text, user, info, *values);
  return values;
}

struct Tables {
  std::mutex lock;
  std::map<std::pair<const Device*, std::string>, std::shared_ptr<const Tuned::Values>, std::less<>> read;
};
Tables& tables() {
  static auto* instance = new Tables;
  return *instance;
}

}  // namespace

Tuned tuned(Device& device, std::string_view engine) {
  auto& all = tables();
  std::lock_guard hold(all.lock);
  auto& values = all.read[{&device, std::string(engine)}];
  if (!values) values = read(device.info(), engine);
  return Tuned(values);
}

void override_tuned(Device& device, std::string_view engine, std::string_view name, std::optional<int64_t> value) {
  auto next = std::make_shared<Tuned::Values>(tuned(device, engine).values());
  if (value) {
    (*next)[std::string(name)] = *value;
  } else {
    auto plain = read(device.info(), engine);
    auto at = plain->find(name);
    if (at == plain->end()) next->erase(std::string(name));
    else (*next)[std::string(name)] = at->second;
  }
  auto& all = tables();
  std::lock_guard hold(all.lock);
  all.read[{&device, std::string(engine)}] = std::move(next);
}

bool save_tuned(Device& device, std::string_view engine, const Tuned::Values& values) {
  auto path = user_file(engine);
  if (path.empty()) return false;
  std::string why;
  system::private_folder(path.substr(0, path.rfind('/')), why);
  // A comma in a device's name would be one cell too many.
  auto match = device.info().name.substr(0, device.info().name.find(','));
  std::string text;
  auto old = system::read_file(path).value_or("");
  for (std::string_view rest = old; !rest.empty();) {
    auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    Row row;
    bool replaced = parse(line, row) && row.scope == "device" && row.match == match && values.contains(row.name);
    if (!replaced) text.append(line).push_back('\n');
  }
  for (const auto& [name, value] : values) text += fmt::format("device,{},{},{}\n", match, name, value);
  return system::write_file(path, text);
}

}  // namespace ocldnn
