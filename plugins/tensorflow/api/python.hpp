#pragma once

#include <optional>

namespace ocldnn::tf {

/// Runs python/tensorflow_ocldnn/_startup.py, whose text is part of this library, where this process has a Python. The
/// interpreter is found by symbol, never linked. Does nothing in a program without Python, and never throws.
/// With `split_updates`, eager updates of variables are taken apart as graph/ does it (VariablePath::rewrite).
void run_python_startup(const char* device_type, bool split_updates) noexcept;

/// How many devices of a type TensorFlow has beside ours. Nothing where this process has no Python to ask it by.
std::optional<long> physical_devices(const char* device_type) noexcept;

/// Turns TensorFlow's remapper off in its configuration, for where graph/ cannot.
void turn_off_remapping() noexcept;

}  // namespace ocldnn::tf
