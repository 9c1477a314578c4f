#include "runtime/habits.hpp"

#include <algorithm>
#include <array>

namespace ocldnn {

const Habits& habits_of(std::string_view platform) noexcept {
  static constexpr Habits none;
  static constexpr std::array known{
      Habits{.platform = "Portable Computing Language", .compiles_when_run = true},
      Habits{.platform = "Intel(R) OpenCL", .waiting_threads_work = true},
      // 21.10 runs wrongly what LLVM makes of conditions in vectors (an extended <n x i1> is 255, not 1).
      Habits{.platform = "Oclgrind", .build_options = " -cl-opt-disable"},
  };
  const auto* found = std::ranges::find(known, platform, &Habits::platform);
  return found == known.end() ? none : *found;
}

}  // namespace ocldnn
