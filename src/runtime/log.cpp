#include "ocldnn/log.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/environment.hpp"
#include "runtime/log.hpp"
#include "runtime/text.hpp"

namespace ocldnn {
namespace {

std::mutex lock;
std::shared_ptr<const LogFunction> current;

bool listed(const std::string& list, std::string_view word) {
  auto words = split(list, ',');
  return std::find(words.begin(), words.end(), word) != words.end();
}

Level least() {
  auto list = environment_value(environment::log);
  if (listed(list, "debug")) return Level::debug;
  if (listed(list, "info") || listed(list, "exec")) return Level::info;
  return listed(list, "error") ? Level::error : Level::warning;
}

}  // namespace

void set_log(LogFunction function) {
  auto next = function ? std::make_shared<const LogFunction>(std::move(function)) : nullptr;
  std::lock_guard hold(lock);
  current = std::move(next);
}

void log(Level level, std::string_view line) noexcept try {
  static const Level threshold = least();
  if (level < threshold) return;
  std::shared_ptr<const LogFunction> function;
  {
    std::lock_guard hold(lock);
    function = current;
  }
  if (function) (*function)(level, line);
} catch (...) {
  // A log that fails must not take down what it tells of.
}

bool logs_launches() noexcept {
  static const bool on = listed(environment_value(environment::log), "exec");
  return on;
}

}  // namespace ocldnn
