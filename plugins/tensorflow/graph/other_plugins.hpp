#pragma once

#include <string>

namespace ocldnn::tf {

/// The file of another plug-in that registers graph passes: one in this process, or one beside ours in
/// tensorflow-plugins, which TensorFlow may yet load. Empty if there is none.
std::string other_plugin_with_passes();

}  // namespace ocldnn::tf
