#pragma once

#include <fmt/format.h>

#include <utility>

#include "ocldnn/log.hpp"

namespace ocldnn {

template <class... A>
void log(Level level, fmt::format_string<A...> text, A&&... arguments) noexcept {
  try {
    log(level, std::string_view(fmt::format(text, std::forward<A>(arguments)...)));
  } catch (...) {
    log(level, std::string_view("a line that could not be formatted"));
  }
}

/// Whether OCLDNN_LOG asks for a line a launch; queues are then made with profiling on.
bool logs_launches() noexcept;

}  // namespace ocldnn
