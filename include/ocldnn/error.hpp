#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace ocldnn {

/// What went wrong, in the five kinds a front end can tell its user apart.
enum class Code { invalid_argument, unimplemented, out_of_memory, device, internal };

/// The one exception the library throws. The message names the op, what was expected and what came.
class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message) : std::runtime_error(message), code_(code) {}
  Code code() const noexcept { return code_; }

 private:
  Code code_;
};

template <class... A>
[[noreturn]] void fail(Code code, fmt::format_string<A...> text, A&&... arguments) {
  throw Error(code, fmt::format(text, std::forward<A>(arguments)...));
}

/// Throws `invalid_argument` with the formatted text unless `ok`.
template <class... A>
void require(bool ok, fmt::format_string<A...> text, A&&... arguments) {
  if (!ok) fail(Code::invalid_argument, text, std::forward<A>(arguments)...);
}

}  // namespace ocldnn
