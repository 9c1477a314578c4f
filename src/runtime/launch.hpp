#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Names one specialised kernel: a file of `.cl` text, an entry in it, and what is fixed when it is compiled.
/// Fix classes (type, vector width, layout, algorithm, index width); sizes and reals are arguments.
/// Two ids with the same file, entry, defines and code key are the same kernel and are compiled once a device.
class KernelId {
 public:
  /// `file` is the path under src/ that the build embedded, as "ops/softmax/softmax.cl".
  KernelId(std::string_view file, std::string_view entry);

  KernelId& define(std::string_view name, int64_t value);
  KernelId& define(std::string_view name, std::string_view text);
  /// NAME = the storage type's OpenCL C name, and NAME_IS_F32 (F64, F16, BF16, BOOLEAN, ...) = 1: see cl/types.cl.
  KernelId& type(std::string_view name, Type type);
  /// OpenCL C put in front of the file's text. `key` stands for it in the id; `make` runs only when the kernel is
  /// built.
  KernelId& code(std::string_view key, std::function<std::string()> make);

  const std::string& key() const { return key_; }
  /// The key without the entry: the kernels of a file that are compiled alike share a program.
  std::string_view program_key() const { return std::string_view(key_).substr(entry_size_ + 1); }
  std::string_view file() const { return std::string_view(key_).substr(entry_size_ + 1, file_size_); }
  std::string_view entry() const { return std::string_view(key_).substr(0, entry_size_); }
  std::string options() const;
  std::string generated() const { return make_ ? make_() : std::string(); }

 private:
  std::string key_;
  size_t entry_size_, file_size_;
  std::function<std::string()> make_;
};

/// Work-groups and the work-items of one, by dimension.
struct Grid {
  std::array<size_t, 3> groups{1, 1, 1};
  std::array<size_t, 3> local{1, 1, 1};
};

/// One argument of a kernel. A View becomes two: `global T *x, long x_offset`, the offset counted in elements of the
/// view's type; strides are the op's own to pass. Scalars arrive as int, long, uint, ulong, float or double.
using Argument = std::variant<View, int32_t, int64_t, uint32_t, uint64_t, float, double>;

/// Queues the kernel. Does nothing when a group count is 0. Checks local size and group count against the device before
/// the driver sees them; a build failure throws `internal` with op, device, options and the driver's log.
void launch(Queue& queue, const KernelId& id, const Grid& grid, std::span<const Argument> arguments);

template <class... A>
void launch(Queue& queue, const KernelId& id, const Grid& grid, const A&... arguments) {
  const std::array<Argument, sizeof...(A)> list{Argument(arguments)...};
  launch(queue, id, grid, std::span<const Argument>(list));
}

/// A scalar of the kernel's compute type: int64 stays exact, f16 and bf16 become float.
Argument scalar(Type type, double value);
Argument scalar(Type type, int64_t value);

/// Whether the device wants work-groups of many items that share local memory (GPUs), or groups of one that loop over
/// vectors (CPUs and their kind, which run a group on one thread). OCLDNN_GROUPS=wide or narrow overrules, so that each
/// form of a kernel can be tested on any device.
bool wants_wide_groups(const Device& device);

/// Whether a kernel that forms indices up to `largest` holds them in 64 bits (index_t of cl/types.cl): from 2^30 on,
/// half of what an int holds, as kernels round up to whole groups and step past the end by a tile. OCLDNN_INDEX=64 says
/// so of every size, so that this form is tested without tensors of gigabytes.
bool wants_long_indices(int64_t largest);

/// The text of an embedded `.cl` file with its `#include "..."` lines (paths under src/) replaced by what they name,
/// each file once. A file of the same path under OCLDNN_KERNEL_PATH takes its place.
std::string kernel_text(std::string_view file);

}  // namespace ocldnn
