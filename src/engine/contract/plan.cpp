#include "engine/contract/family.hpp"
#include "ocldnn/log.hpp"

namespace ocldnn::contract {
namespace {

/// Fastest first. A family refuses what it cannot do and what a later one does faster.
constexpr const Family* families[]{&depthwise, &tile, &vector, &vector_filter, &naive};

thread_local std::string_view forced_family, last_family;

}  // namespace

void run(const Exec& exec, Contraction problem) {
  simplify(problem);
  std::string refusals;
  for (const auto* family : families) {
    if (!forced_family.empty() && family->name != forced_family && family != &naive) continue;
    auto refusal = family->refuses(problem, exec.queue.device());
    if (!refusal) {
      if (!refusals.empty())
        log(Level::debug, fmt::format("{}: {} for {};{}", problem.op, family->name, problem.text(), refusals));
      last_family = family->name;
      family->run(exec, problem);
      return;
    }
    refusals += fmt::format(" {}: {}.", family->name, *refusal);
  }
  fail(Code::internal, "{}: no kernel family takes {};{}", problem.op, problem.text(), refusals);
}

ForceFamily::ForceFamily(std::string_view name) : before_(forced_family) { forced_family = name; }
ForceFamily::~ForceFamily() { forced_family = before_; }
std::string_view ForceFamily::last_run() { return last_family; }
std::string_view ForceFamily::forced() { return forced_family; }

}  // namespace ocldnn::contract
