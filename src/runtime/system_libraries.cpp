#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "runtime/system.hpp"
#include "runtime/text.hpp"

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
  Dl_info libc{};
  void* of_libc = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
  if (!of_libc || !dladdr(of_libc, &libc)) return false;
  // A program that is not position-independent (Ubuntu's Python) answers for functions whose address it takes, with a
  // jump to the real one and an undefined symbol: another function of the allocator tells then, since all are replaced.
  for (const auto* name : {"malloc", "memalign", "posix_memalign", "malloc_usable_size"}) {
    Dl_info info{};
    const ElfW(Sym)* symbol = nullptr;
    void* function = dlsym(RTLD_DEFAULT, name);
    if (!function ||
        !dladdr1(function, &info, reinterpret_cast<void**>(const_cast<ElfW(Sym)**>(&symbol)), RTLD_DL_SYMENT))
      continue;
    if (symbol && symbol->st_shndx == SHN_UNDEF) continue;
    return info.dli_fbase != libc.dli_fbase;
  }
  return false;
}

bool under_sanitizer() {
  return dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") || dlsym(RTLD_DEFAULT, "__msan_init");
}

namespace {

/// What an ELF file's dynamic section says it needs, and where it looks first.
struct Needs {
  std::vector<std::string> names, folders;
};

/// Reads here and there in a file: libraries of LLVM have hundreds of megabytes.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path, std::ios::binary) {}

  /// Zeros beyond the file's end.
  template <class Value>
  Value at(uint64_t offset) {
    Value value{};
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(&value), sizeof value)) value = Value{};
    return value;
  }
  std::string text(uint64_t offset) {
    std::string text;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    std::getline(file_, text, '\0');
    return text;
  }

 private:
  std::ifstream file_;
};

Needs read_needs(const std::string& path) {
  Needs needs;
  Reader file(path);
  auto header = file.at<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return needs;
  std::vector<Elf64_Phdr> segments;
  for (int i = 0; i < header.e_phnum; i++)
    segments.push_back(file.at<Elf64_Phdr>(header.e_phoff + static_cast<uint64_t>(i) * sizeof(Elf64_Phdr)));
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
      auto entry = file.at<Elf64_Dyn>(s.p_offset + i);
      if (entry.d_tag == DT_NEEDED) names.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH) folders.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
    }
  }
  for (auto offset : names) needs.names.push_back(file.text(strings + offset));
  auto own = fs::path(path).parent_path().string();
  for (auto offset : folders)
    for (auto folder : split(file.text(strings + offset), ':')) {
      if (folder.rfind("$ORIGIN", 0) == 0) folder = own + folder.substr(7);
      needs.folders.push_back(folder);
    }
  needs.folders.push_back(own);
  return needs;
}

/// (name, file) of every library in the loader's cache, which `ldconfig` writes.
std::vector<std::pair<std::string, std::string>> loader_cache() {
  constexpr std::string_view magic = "glibc-ld.so.cache1.1";
  constexpr size_t header = 48, entry = 24;
  std::vector<std::pair<std::string, std::string>> libraries;
  auto content = read_file("/etc/ld.so.cache");
  if (!content || content->compare(0, magic.size(), magic) != 0) return libraries;
  auto number = [&](size_t offset) {
    uint32_t value = 0;
    if (offset + sizeof value <= content->size()) std::memcpy(&value, content->data() + offset, sizeof value);
    return value;
  };
  auto text = [&](uint32_t offset) { return offset < content->size() ? content->c_str() + offset : ""; };
  for (uint32_t i = 0, count = number(magic.size()); i < count; i++) {
    size_t begin = header + i * entry;
    if (begin + entry > content->size()) break;
    libraries.emplace_back(text(number(begin + 4)), text(number(begin + 8)));
  }
  return libraries;
}

/// Where the loader looks for a bare name, after `first`.
std::string search(const std::string& name, const std::vector<std::string>& first) {
  const char* extra = std::getenv("LD_LIBRARY_PATH");
  auto folders = split(extra ? extra : "", ':');
  folders.insert(folders.end(), first.begin(), first.end());
  for (const auto& folder : folders)
    if (auto file = folder + "/" + name; is_file(file)) return file;
  static const auto* cache = new auto(loader_cache());
  for (const auto& [known, file] : *cache)
    if (known == name && is_file(file)) return file;
  // The cache knows a library by its soname alone; the loader also looks through the system's folders.
  std::set<std::string> system;
  for (const auto& [known, file] : *cache) system.insert(fs::path(file).parent_path().string());
  for (const auto& folder : system)
    if (auto file = folder + "/" + name; is_file(file)) return file;
  for (std::string folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"})
    if (auto file = folder + "/" + name; is_file(file)) return file;
  return name;
}

}  // namespace

std::string find_library(const std::string& name) {
  return name.find('/') == std::string::npos ? search(name, {}) : name;
}

bool needs_library(const std::string& path, std::string_view part) {
  std::vector<std::string> open{path};
  std::set<std::string> seen;
  while (!open.empty()) {
    auto file = open.back();
    open.pop_back();
    if (!seen.insert(file).second) continue;
    auto needs = read_needs(file);
    for (const auto& name : needs.names) {
      if (name.find(part) != std::string::npos) return true;
      open.push_back(name.find('/') == std::string::npos ? search(name, needs.folders) : name);
    }
  }
  return false;
}

std::string own_folder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void*>(&own_folder), &info) || !info.dli_fname) return "";
  return fs::path(real_path(info.dli_fname)).parent_path().string();
}

}  // namespace ocldnn::system
