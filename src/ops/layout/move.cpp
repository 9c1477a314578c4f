#include "ops/layout/move.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "runtime/launch.hpp"

namespace ocldnn {
namespace {

void erase(Dims& dims, int at) {
  Dims kept;
  for (int i = 0; i < dims.rank(); ++i)
    if (i != at) kept.push_back(dims[i]);
  dims = kept;
}

void erase_dimension(Move& move, int at) {
  erase(move.shape, at);
  erase(move.to_steps, at);
  erase(move.from_steps, at);
}

void make_positive(Move& move) {
  const auto width = static_cast<int64_t>(move.width);
  for (int d = 0; d < move.shape.rank(); ++d) {
    if (move.to_steps[d] >= 0) continue;
    move.to += move.to_steps[d] * (move.shape[d] - 1) * width;
    if (move.from) move.from += move.from_steps[d] * (move.shape[d] - 1) * width;
    move.to_steps[d] = -move.to_steps[d];
    move.from_steps[d] = -move.from_steps[d];
  }
}

void sort_by_destination(Move& move) {
  std::array<int, max_rank> order{};
  const auto last = order.begin() + move.shape.rank();
  std::iota(order.begin(), last, 0);
  std::stable_sort(order.begin(), last, [&](int a, int b) { return move.to_steps[a] > move.to_steps[b]; });
  const Move before = move;
  for (int d = 0; d < move.shape.rank(); ++d) {
    move.shape[d] = before.shape[order[d]];
    move.to_steps[d] = before.to_steps[order[d]];
    move.from_steps[d] = before.from_steps[order[d]];
  }
}

void merge(Move& move) {
  for (int d = move.shape.rank() - 1; d > 0; --d) {
    const int64_t n = move.shape[d];
    if (move.to_steps[d - 1] != move.to_steps[d] * n || move.from_steps[d - 1] != move.from_steps[d] * n) continue;
    move.shape[d] *= move.shape[d - 1];
    erase_dimension(move, d - 1);
  }
}

// Whether two neighbours of the innermost dimension can be moved as one.
bool can_widen(const Move& move) {
  const int last = move.shape.rank() - 1;
  if (last < 0 || move.to_steps[last] != 1 || move.shape[last] % 2) return false;
  if (move.from && move.from_steps[last] != 1) return false;
  for (int d = 0; d < last; ++d)
    if (move.to_steps[d] % 2 || move.from_steps[d] % 2) return false;
  const auto aligned = [&](const char* address) {
    return reinterpret_cast<uintptr_t>(address) % (2 * move.width) == 0;
  };
  return aligned(move.to) && (!move.from || aligned(move.from));
}

void widen(Move& move, size_t widest) {
  while (move.width < widest && can_widen(move)) {
    const int last = move.shape.rank() - 1;
    move.width *= 2;
    move.shape[last] /= 2;
    for (int d = 0; d < last; ++d) {
      move.to_steps[d] /= 2;
      move.from_steps[d] /= 2;
    }
    if (move.shape[last] == 1) {
      erase_dimension(move, last);
      merge(move);
    }
  }
}

int64_t reach(const Shape& shape, const Strides& steps) {
  int64_t elements = 0;
  for (int d = 0; d < shape.rank(); ++d) elements += (shape[d] - 1) * std::abs(steps[d]);
  return elements;
}

void move_row(const Move& move, char* to, const char* from, uint64_t bits) {
  const int last = move.shape.rank() - 1;
  const auto width = static_cast<int64_t>(move.width);
  const int64_t n = last < 0 ? 1 : move.shape[last];
  const int64_t to_step = last < 0 ? 0 : move.to_steps[last] * width,
                from_step = last < 0 ? 0 : move.from_steps[last] * width;
  if (from && to_step == width && from_step == width) {
    std::memcpy(to, from, static_cast<size_t>(n * width));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    if (from) std::memcpy(to + i * to_step, from + i * from_step, move.width);
    else std::memcpy(to + i * to_step, &bits, move.width);
  }
}

}  // namespace

bool Move::contiguous() const {
  if (shape.rank() == 0) return true;
  return shape.rank() == 1 && to_steps[0] == 1 && (!from || from_steps[0] == 1);
}

bool Move::fits_32_bits() const {
  return !wants_long_indices(std::max({shape.elements(), reach(shape, to_steps), reach(shape, from_steps)}));
}

Move simplify(const View* from, const View& to, size_t widest) {
  Move move;
  if (to.elements() == 0) return move;
  move.width = size_of(to.type);
  move.to = static_cast<char*>(to.data);
  if (from) move.from = static_cast<const char*>(from->data);
  for (int d = 0; d < to.rank(); ++d) {
    if (to.shape[d] == 1) continue;
    if (to.strides[d] == 0) fail(Code::internal, "copy: the destination {} repeats dimension {}", to.shape.text(), d);
    move.shape.push_back(to.shape[d]);
    move.to_steps.push_back(to.strides[d]);
    move.from_steps.push_back(from ? from->strides[d] : 0);
  }
  // A fill reads nothing: give its source the strides that merge whenever the destination's do.
  if (!from) move.from_steps = move.to_steps;
  make_positive(move);
  if (!from) move.from_steps = move.to_steps;
  sort_by_destination(move);
  merge(move);
  widen(move, widest);
  return move;
}

void move_on_host(const Move& move, uint64_t bits) {
  if (move.empty()) return;
  const int outer = std::max(move.shape.rank() - 1, 0);
  const auto width = static_cast<int64_t>(move.width);
  Dims at = Dims::filled(outer, 0);
  char* to = move.to;
  const char* from = move.from;
  for (;;) {
    move_row(move, to, from, bits);
    int d = outer - 1;
    for (; d >= 0; --d) {
      to += move.to_steps[d] * width;
      if (from) from += move.from_steps[d] * width;
      if (++at[d] < move.shape[d]) break;
      to -= move.to_steps[d] * move.shape[d] * width;
      if (from) from -= move.from_steps[d] * move.shape[d] * width;
      at[d] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace ocldnn
