#pragma once

#include <span>
#include <string_view>

namespace ocldnn {

/// A file that the build put into the library (cmake/embed.cmake): its path under src/, and its bytes.
struct EmbeddedFile {
  std::string_view path, text;
};
std::span<const EmbeddedFile> embedded_files();

}  // namespace ocldnn
