#pragma once

#include <functional>
#include <string_view>

namespace ocldnn {

/// The library never prints: it hands each line to one function, set by the host. Default: lines are dropped.
enum class Level { debug, info, warning, error };
using LogFunction = std::function<void(Level, std::string_view)>;
void set_log(LogFunction function);
void log(Level level, std::string_view line) noexcept;

}  // namespace ocldnn
