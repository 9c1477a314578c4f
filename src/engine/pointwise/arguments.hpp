#pragma once

// What the host side of generated kernels shares.

#include <span>
#include <vector>

#include "engine/pointwise/loop.hpp"
#include "runtime/launch.hpp"

namespace ocldnn {

/// The arguments of a generated kernel, in the order of FrameCode::macros; then its own.
class FrameArguments {
 public:
  explicit FrameArguments(bool index_64) : index_64_(index_64) { list_.reserve(64); }
  void add(const View& view) { list_.emplace_back(view); }
  void add(Type compute, const Scalar& scalar) {
    list_.push_back(is_floating(compute) ? ocldnn::scalar(compute, scalar.real)
                                         : ocldnn::scalar(compute, scalar.integer));
  }
  void add(int64_t index) {
    if (index_64_) list_.emplace_back(index);
    else list_.emplace_back(static_cast<int32_t>(index));
  }
  /// Sizes and strides; the first `operands` views run over the folded dimensions too.
  void add(const Loop& loop, int operands) {
    const int outer = loop.outer();
    for (int d = 1; d + 1 < loop.rank; ++d)
      if (d != outer) add(loop.size[d]);
    for (int v = 0; v < loop.views; ++v) {
      for (int d = 0; d < (v < operands ? loop.rank - 1 : outer); ++d) add(loop.stride[v][d]);
      if (loop.step(v) == Step::strided) add(loop.stride[v][loop.rank - 1]);
    }
  }
  std::span<const Argument> list() const { return list_; }

 private:
  bool index_64_;
  std::vector<Argument> list_;
};

/// Throws `unimplemented` where float64 is asked of a device without it. `results` have a member `view`.
template <class Results>
void require_arithmetic(Device& device, std::string_view op, Type compute, std::span<const Operand> operands,
                        const Results& results) {
  bool doubles = compute == Type::f64;
  for (const auto& operand : operands) doubles |= operand.view.type == Type::f64;
  for (const auto& result : results) doubles |= result.view.type == Type::f64;
  if (doubles && !device.supports(Feature::fp64))
    fail(Code::unimplemented, "{}: {} has no float64 arithmetic", op, device.info().name);
}

}  // namespace ocldnn
