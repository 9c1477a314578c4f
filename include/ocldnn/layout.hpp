#pragma once

#include <span>
#include <string_view>

#include "ocldnn/device.hpp"

namespace ocldnn {

/// Where the data of a layout function lies: on a queue's device, or in host memory, where the work is done before the
/// function returns.
class Place {
 public:
  Place(Queue& queue) : queue_(&queue) {}
  static Place host() { return {}; }
  Queue* queue() const { return queue_; }  // null for the host

 private:
  Place() = default;
  Queue* queue_ = nullptr;
};

/// to[i] = from[i] for every index i; the shapes and the element sizes are equal. Bytes are moved, so any type will do.
/// Transpose, slice, concatenation and broadcast are copies between views: see View's members. Only here and in fill()
/// may strides be negative (flipped()). The views share no memory.
void copy(Place place, const View& from, const View& to);

/// to[i] = the low size_of(to.type) bytes of `bits`.
void fill(Place place, const View& to, uint64_t bits);

/// The same elements with `axis` counted from its end.
View flipped(const View& x, int axis);

/// The parts one after the other along `axis` (TF: ConcatV2), and back (TF: SplitV). A part's size may be 0.
void concat(Place place, std::span<const View> parts, int axis, const View& to);
void split(Place place, const View& from, int axis, std::span<const View> parts);

/// `from` at `before` in `to`, and `bits` everywhere else (TF: PadV2).
void pad(Place place, const View& from, const Dims& before, const View& to, uint64_t bits);
/// As pad(), the border being a mirror image that repeats the edge or leaves it out (TF: MirrorPad SYMMETRIC, REFLECT).
enum class Mirror { symmetric, reflect };
void mirror_pad(Place place, Mirror mirror, const View& from, const Dims& before, const View& to);
/// dx of mirror_pad() from dy: what was repeated is summed.
void mirror_pad_gradient(Queue& queue, Mirror mirror, const View& dy, const Dims& before, const View& dx);

/// `from` repeated to fill `to`, whose sizes are multiples of from's (TF: Tile).
void tile(Place place, const View& from, const View& to);

/// to[..., (i + shift) mod n, ...] = from[..., i, ...] along each of `axes` (TF: Roll); an axis may occur twice.
void roll(Place place, const View& from, const Dims& shifts, const Dims& axes, const View& to);

/// Row b of `batch_axis` has its first lengths[b] elements along `axis` reversed. `lengths` is i32 or i64 on the
/// device; values outside [0, n] are clamped.
void reverse_sequence(Queue& queue, const View& from, const View& lengths, int axis, int batch_axis, const View& to);

/// to[n, h, w, (i * block + j) * C + c] = from[n, h * block + i, w * block + j, c], and back. Views are in the logical
/// order [N, H, W, C] whatever the layout in memory.
void space_to_depth(Place place, const View& from, int64_t block, const View& to);
void depth_to_space(Place place, const View& from, int64_t block, const View& to);

/// TF's SpaceToBatchND and BatchToSpaceND: `block` for dimensions 1, 2, ...; `before` are the zeros put in front (cut
/// away), the rest is seen from the shapes.
void space_to_batch(const Exec& exec, const View& from, const Dims& block, const Dims& before, const View& to);
void batch_to_space(const Exec& exec, const View& from, const Dims& block, const Dims& before, const View& to);

/// Diagonal k of the last two dimensions, as a view: element i is x[..., i, i + k] (k >= 0) or x[..., i - k, i].
View diagonal(const View& x, int64_t k);

/// to = from where row - column <= lower and column - row <= upper in the last two dimensions, else 0; a negative bound
/// is none (TF: MatrixBandPart).
void band_part(Queue& queue, const View& from, int64_t lower, int64_t upper, const View& to);

}  // namespace ocldnn
