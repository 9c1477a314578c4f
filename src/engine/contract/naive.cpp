#include "engine/contract/family.hpp"
#include "engine/contract/frame.hpp"

namespace ocldnn::contract {
namespace {

constexpr int64_t group_size = 64;  // work-items; every device takes it

Refusal refuses(const Contraction& problem, Device& device) { return {}; }

void run(const Exec& exec, const Contraction& p) {
  bool product = p.direction == Direction::product;
  KernelId id("engine/contract/naive.cl", product ? "contract_naive_product" : "contract_naive_filter");
  define_frame(id, p, {.width = 1, .cpu_form = !wants_wide_groups(exec.queue.device())});
  auto arguments = problem_arguments(p);
  if (product) add_epilogue_arguments(arguments, p);
  int64_t elements = p.group_count() * p.cols * (product ? p.row_count() : p.tap_count() * p.depth);
  launch_groups(exec.queue, id, p, {(elements + group_size - 1) / group_size, 1, 1}, group_size, std::move(arguments));
}

}  // namespace

const Family naive{"naive", refuses, run};

}  // namespace ocldnn::contract
