#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>

#include "device_test.hpp"
#include "runtime/system.hpp"

namespace ocldnn::test {

/// A folder that goes with the object.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::path(testing::TempDir()) /
              ("ocldnn-" + name + "-" + std::to_string(system::process()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

/// Sets variables of the environment, and sets them back at its end. nullopt: not set at all.
class Environment {
 public:
  struct Variable {
    const char* name;
    std::optional<std::string> value;
  };
  explicit Environment(std::initializer_list<Variable> values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name);
      before_[name] = before ? std::optional<std::string>(before) : std::nullopt;
      set(name, value);
    }
  }
  ~Environment() {
    for (const auto& [name, value] : before_) set(name, value);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  static void set(const std::string& name, const std::optional<std::string>& value) {
    if (value) setenv(name.c_str(), value->c_str(), 1);
    else unsetenv(name.c_str());
  }
  std::map<std::string, std::optional<std::string>> before_;
};

/// What list_devices prints when it is run with `arguments`.
inline std::string list_devices(std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), LIST_DEVICES);
  auto outcome = system::run_program(arguments, 120);
  EXPECT_TRUE(outcome.ended_well) << outcome.how << "\n" << outcome.output << outcome.last_words;
  return outcome.output;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) found++;
  return found;
}

}  // namespace ocldnn::test
