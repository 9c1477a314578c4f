#include "runtime/file_cache.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/system.hpp"

namespace ocldnn {
namespace {

struct Header {
  char magic[8];
  uint64_t size, checksum;
};
constexpr char magic[8] = {'o', 'c', 'l', 'd', 'n', 'n', '0', '1'};

std::string make_cache_folder() {
  auto folder = environment_value(environment::cache_dir);
  if (folder.empty()) {
    folder = system::user_cache_folder();
    if (!folder.empty()) folder += "/ocldnn";
  }
  std::string why = "there is no home folder";
  if (!folder.empty() && system::private_folder(folder, why)) return folder;
  log(Level::warning, "nothing is cached on disk: {}", why);
  return "";
}

}  // namespace

const std::string& cache_folder() {
  static const auto* folder = new std::string(make_cache_folder());
  return *folder;
}

std::string digest(std::string_view text) {
  auto hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

FileCache::FileCache(std::string_view name, size_t limit) : limit_(limit) {
  if (cache_folder().empty()) return;
  auto folder = cache_folder() + "/" + std::string(name);
  std::string why;
  if (system::private_folder(folder, why)) folder_ = folder;
  else log(Level::warning, "{} are not cached on disk: {}", name, why);
}

std::optional<std::string> FileCache::get(const std::string& name) const {
  if (folder_.empty()) return std::nullopt;
  auto file = folder_ + "/" + name;
  auto bytes = system::read_file(file);
  if (!bytes) return std::nullopt;
  Header header{};
  if (bytes->size() >= sizeof header) std::memcpy(&header, bytes->data(), sizeof header);
  bool whole = std::memcmp(header.magic, magic, sizeof magic) == 0 && header.size == bytes->size() - sizeof header &&
               header.checksum == XXH3_64bits(bytes->data() + sizeof header, header.size);
  if (!whole) {
    log(Level::info, "{} is damaged and made anew", file);
    system::remove_file(file);
    return std::nullopt;
  }
  system::touch_file(file);  // used now: the last to be removed
  bytes->erase(0, sizeof header);
  return bytes;
}

void FileCache::put(const std::string& name, std::string_view bytes) {
  if (folder_.empty()) return;
  Header header{{}, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
  std::memcpy(header.magic, magic, sizeof magic);
  std::string whole(reinterpret_cast<const char*>(&header), sizeof header);
  whole.append(bytes);
  if (!system::write_file(folder_ + "/" + name, whole)) log(Level::info, "{}/{} cannot be written", folder_, name);
  trim();
}

void FileCache::remove(const std::string& name) {
  if (!folder_.empty()) system::remove_file(folder_ + "/" + name);
}

system::FileLock FileCache::lock(const std::string& name) const {
  if (folder_.empty()) return {};
  // A byte of one file for each name: files of their own would have to be removed, and could not safely be. Waited for
  // longer than the trial of a driver that hangs.
  return {folder_ + "-locks", XXH3_64bits(name.data(), name.size()), 90};
}

void FileCache::trim() {
  std::vector<system::FileUse> files;
  size_t total = 0;
  for (const auto& name : system::list_folder(folder_)) {
    files.push_back(system::file_use(folder_ + "/" + name));
    total += files.back().bytes;
  }
  if (total <= limit_) return;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  // Well below the limit, so that this is not done again at every file.
  for (const auto& file : files) {
    if (total <= limit_ / 4 * 3) break;
    system::remove_file(file.path);
    total -= file.bytes;
  }
}

}  // namespace ocldnn
