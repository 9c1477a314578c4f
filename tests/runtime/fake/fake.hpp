#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

#include "device_test.hpp"
#include "fake/control.hpp"
#include "runtime/system.hpp"

namespace ocldnn::test {

/// The fake driver's control, the one that the runtime has loaded.
inline FakeControl& control() {
  static auto* found = [] {
    devices();
    void* library = dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_NOLOAD);
    return library ? reinterpret_cast<FakeControlFunction>(dlsym(library, "fake_control"))() : nullptr;
  }();
  return *found;
}

/// What the library has logged.
inline std::vector<std::string>& log_lines() {
  static std::vector<std::string> lines;
  return lines;
}

// The first of the fake devices.
inline Device& device() { return *devices().front(); }

}  // namespace ocldnn::test
