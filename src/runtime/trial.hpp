#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/drivers.hpp"

namespace ocldnn {

/// A device as its driver lists it, before the host's limits bound what it says of its memory.
struct Listed {
  DeviceInfo info;
  bool host_memory = false;  // its memory is the host's
  std::string unusable;      // why it cannot be used; empty if it can
  size_t platform = 0, index = 0;
};

/// What came of trying a driver.
struct Verdict {
  std::string broken;    // why the driver cannot be used; empty if it can
  bool threads = false;  // listing its devices starts threads, so that a fork() after that is not safe
  std::vector<Listed> devices;

  bool only_cpus() const;
  std::string text() const;
  static std::optional<Verdict> parse(const std::string& text);
};

/// The devices of an opened driver, as they say they are.
std::vector<Listed> list_devices(const Opened& driver);

/// Opens the driver in this process, lists its devices and runs a kernel on each. May crash: see verdict_on().
Verdict try_driver(const Candidate& candidate);

/// What try_driver() says in a process of its own (the program ocldnn-trial), or said when the driver was first seen:
/// remembered in the cache folder by the file, its time and what the machine is. Nothing where there is no such
/// program.
std::optional<Verdict> verdict_on(const Candidate& candidate);

}  // namespace ocldnn
