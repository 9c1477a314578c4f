#pragma once

#include <array>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/launch.hpp"
#include "runtime/opencl_device.hpp"

namespace ocldnn {

class CommandQueue final : public Queue {
 public:
  explicit CommandQueue(OpenclDevice& device);
  ~CommandQueue() override;

  Device& device() override { return device_; }
  void read(void* host, const void* address, size_t bytes) override;
  void write(void* address, const void* host, size_t bytes) override;
  void write_async(void* address, const void* host, size_t bytes) override;
  void copy(void* to, const void* from, size_t bytes) override;
  void fill(void* address, const void* pattern, size_t pattern_bytes, size_t bytes) override;
  std::unique_ptr<Event> record() override;
  void wait_for(Event& event) override;
  void wait_for(Queue& other) override;
  void finish() override;

  void launch(const KernelId& id, const Grid& grid, std::span<const Argument> arguments);
  OpenclDevice& opencl_device() { return device_; }

 private:
  /// What an argument of a kernel object was last set to. The generation tells buffers apart whose handles are equal.
  struct Bound {
    size_t size = 0;
    uint64_t bits = 0, generation = 0;
    bool operator==(const Bound&) const = default;
  };
  struct Slot {
    ClKernel kernel;
    std::vector<Bound> bound;
    std::string name, file;
    size_t max_group = 0;
    std::array<size_t, 3> fixed_group{};          // zeros: any
    std::vector<std::array<size_t, 4>> compiled;  // by finish_compiling(): group sizes, and whether the grid is large
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view key) const noexcept;
  };

  Slot& slot(const KernelId& id, std::unique_lock<std::mutex>& hold);
  Slot make_slot(const KernelId& id);
  void check_grid(const Slot& slot, const Grid& grid) const;
  void finish_compiling(Slot& slot, const Grid& grid);
  void bind(Slot& slot, cl_uint index, Bound value);
  void bind(Slot& slot, cl_uint& index, const View& view);
  void check_now(cl_int code, const char* call);
  /// Remembers a failure for the next finish() or read().
  void keep(std::string failure);
  void throw_kept();
  void check_late(cl_int code, const char* call);

  OpenclDevice& device_;
  const cl_icd_dispatch& calls_;
  ClQueue queue_;
  std::mutex lock_;  // what follows, and every call on queue_ that is not blocking
  std::unordered_map<std::string, Slot, Hash, std::equal_to<>> slots_;
  std::string kept_;
  unsigned unflushed_ = 0;
};

}  // namespace ocldnn
