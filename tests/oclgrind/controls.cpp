// Kernels with a known fault, launched as any other. Oclgrind must report each, or its silence about ours means
// nothing.
//   ocldnn_oclgrind_controls clean | out_of_bounds | race
#include <cstdio>
#include <string>
#include <vector>

#include "ocldnn/device.hpp"
#include "runtime/launch.hpp"

namespace {

// Each takes 64 floats, in one group of 16 items.
constexpr const char* text = R"(
kernel void control_clean(global float *x, long x_offset) { x[x_offset + get_global_id(0)] = 1; }

kernel void control_out_of_bounds(global float *x, long x_offset) { x[x_offset + 64 + get_global_id(0)] = 1; }

// Items read what their neighbours write without a barrier between; the one at the end keeps the stores alive.
kernel void control_race(global float *x, long x_offset) {
  local float shared_by_items[17];
  const int i = get_local_id(0);
  shared_by_items[i + 1] = i;
  const float neighbour = shared_by_items[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[x_offset + i] = neighbour + shared_by_items[i + 1];
}
)";

}  // namespace

int main(int argc, char** argv) {
  using namespace ocldnn;
  const std::string entry = std::string("control_") + (argc > 1 ? argv[1] : "clean");
  try {
    if (devices().empty()) {
      std::fprintf(stderr, "no device\n");
      return 1;
    }
    auto& device = *devices().front();
    std::printf("device: %s\n", device.info().platform.c_str());
    void* memory = device.allocate(64 * sizeof(float));
    auto queue = device.make_queue();
    const View x(memory, Type::f32, {64});
    launch(*queue, KernelId("cl/types.cl", entry).code("oclgrind controls", [] { return std::string(text); }),
           {.groups = {1, 1, 1}, .local = {16, 1, 1}}, x);
    queue->finish();
    device.deallocate(memory);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return 0;
}
