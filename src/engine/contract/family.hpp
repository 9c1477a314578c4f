#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/contract/contraction.hpp"

namespace ocldnn::contract {

/// Why a family does not take a problem; none if it does.
using Refusal = std::optional<std::string>;

/// A way to compute contractions on some devices. The list in plan.cpp is tried in order; the first that does not
/// refuse runs.
struct Family {
  std::string_view name;
  Refusal (*refuses)(const Contraction& problem, Device& device);
  void (*run)(const Exec& exec, const Contraction& problem);
};

extern const Family naive, vector, vector_filter, depthwise, tile;

/// Runs the problem by the first family that takes it. The refusals of those before it go to the log (debug).
void run(const Exec& exec, Contraction problem);

/// While one lives, this thread's problems go to the named family, on any device, as long as the family can compute
/// them at all. For tests and the tuner.
class ForceFamily {
 public:
  explicit ForceFamily(std::string_view name);
  ForceFamily(const ForceFamily&) = delete;
  ForceFamily& operator=(const ForceFamily&) = delete;
  ~ForceFamily();
  /// The family that ran last on this thread: a test that forces one checks that it was not refused.
  static std::string_view last_run();
  /// The family's name if one is forced.
  static std::string_view forced();

 private:
  std::string_view before_;
};

}  // namespace ocldnn::contract
