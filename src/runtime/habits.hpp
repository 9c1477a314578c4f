#pragma once

#include <string_view>

namespace ocldnn {

/// What a driver does that OpenCL leaves open or forbids, that it does not tell when asked, and that we work around.
struct Habits {
  std::string_view platform;  // its CL_PLATFORM_NAME
  /// Compiles a kernel for its group sizes when it runs it for the first time, and once more for large grids. With
  /// other commands behind it, that run has been seen to give wrong results; alone it does not.
  bool compiles_when_run = false;
  /// Keeps a thread less than there are cores and counts on the one that waits for a queue: it works on that queue's
  /// commands, on no other's.
  bool waiting_threads_work = false;
  /// For every build of a program.
  std::string_view build_options{};
};

/// Those of the driver with that platform; of a driver that is not known, none.
const Habits& habits_of(std::string_view platform) noexcept;

}  // namespace ocldnn
