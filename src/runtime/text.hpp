#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace ocldnn {

/// The parts of a list, without empty ones.
inline std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(by, at), text.size());
    if (end > at) parts.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

inline std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace ocldnn
