#include "ocldnn/layout.hpp"

#include <algorithm>
#include <vector>

#include "ops/form.hpp"
#include "ops/layout/move.hpp"

namespace ocldnn {
namespace {

constexpr int64_t bytes_per_group = 16 << 10;  // the least a group of one item is started for
constexpr int64_t groups_per_unit = 4;         // groups a compute unit, where there is enough work
constexpr int64_t shortest_tile = 8;           // below this many elements a side, tiles are mostly empty

// The parameters and arrays of `outer` dimensions: see copy.cl.
std::string geometry_text(int outer) {
  std::string parameters, sizes, to, from;
  for (int d = 0; d < outer; ++d) {
    parameters += fmt::format(", index_t size{0}, index_t to{0}, index_t from{0}", d);
    sizes += fmt::format("size{}, ", d);
    to += fmt::format("to{}, ", d);
    from += fmt::format("from{}, ", d);
  }
  if (outer == 0) sizes = to = from = "0";
  return fmt::format(
      "#define OUTER {}\n#define GEOMETRY {}\n"
      "#define GEOMETRY_ARRAYS const index_t size[] = {{{}}}, to_step[] = {{{}}}, from_step[] = {{{}}};\n",
      outer, parameters, sizes, to, from);
}

KernelId kernel_for(const Move& move, std::string_view file, std::string_view entry, int outer) {
  KernelId id(file, entry);
  id.type("WORD", word_of(move.width)).define("T", moved_type(move.width));
  if (!move.fits_32_bits()) id.define("INDEX_64", 1);
  id.code(fmt::format("outer{}", outer), [outer] { return geometry_text(outer); });
  return id;
}

void add_outer(Arguments& arguments, const Move& move, std::span<const int> dimensions) {
  for (int d : dimensions) arguments.index(move.shape[d]).index(move.to_steps[d]).index(move.from_steps[d]);
}

std::vector<int> all_but(int rank, int a, int b = -1) {
  std::vector<int> dimensions;
  for (int d = 0; d < rank; ++d)
    if (d != a && d != b) dimensions.push_back(d);
  return dimensions;
}

void add_source(Arguments& arguments, const Move& move, uint64_t bits) {
  if (move.from) arguments.add(words(move.from, move.width));
  else arguments.add(bits);
}

// Rows are the innermost dimension of `to`.
void move_rows(Queue& queue, const Move& move, uint64_t bits) {
  const int rank = move.shape.rank(), row = rank - 1, outer = std::max(rank - 1, 0);
  const int64_t length = rank ? move.shape[row] : 1, rows = move.shape.elements() / length;
  const int64_t to_step = rank ? move.to_steps[row] : 1, from_step = rank ? move.from_steps[row] : 1;
  const bool wide = wide_groups(queue);

  auto id = kernel_for(move, "ops/layout/copy.cl", wide ? "layout_copy_items" : "layout_copy_rows", outer);
  if (!move.from) id.define("FILL", 1);
  if (to_step == 1) id.define("TO_STEP", 1);
  if (from_step == 1 || from_step == 0) id.define("FROM_STEP", from_step);
  if (to_step == 1 && from_step == 1) id.define("CONTIGUOUS", 1);
  if (move.width <= 8) id.define("SCALAR", 1);

  Arguments arguments(move.fits_32_bits());
  add_source(arguments, move, bits);
  arguments.add(words(move.to, move.width));
  Grid grid;
  if (wide) {
    const int64_t items = group_items(queue);
    grid.groups[0] = static_cast<size_t>(ceil_div(rows * length, items));
    grid.local[0] = static_cast<size_t>(items);
    arguments.index(rows * length).index(length);
  } else {
    const auto width = static_cast<int64_t>(move.width);
    const int64_t most = groups_per_unit * queue.device().info().compute_units;
    const int64_t elements = std::max(ceil_div(bytes_per_group, width), ceil_div(rows * length, most));
    const int64_t piece = std::min(length, elements), pieces = ceil_div(length, piece);
    const int64_t rows_per_group = pieces > 1 ? 1 : std::min(rows, std::max<int64_t>(1, elements / length));
    grid.groups[0] = static_cast<size_t>(ceil_div(rows, rows_per_group) * pieces);
    arguments.index(rows).index(rows_per_group).index(length).index(piece);
  }
  arguments.index(to_step).index(from_step);
  add_outer(arguments, move, all_but(rank, row));
  launch(queue, id, grid, arguments.list());
}

// The dimension along which `from` is contiguous, if a tiled transpose is worth while; else -1.
int tiled_dimension(Queue& queue, const Move& move) {
  const int last = move.shape.rank() - 1;
  if (wide_groups(queue) && group_items(queue) < 256) return -1;
  if (last < 1 || !move.from || move.width > 8 || move.to_steps[last] != 1 || move.shape[last] < shortest_tile)
    return -1;
  for (int d = 0; d < last; ++d)
    if (move.from_steps[d] == 1 && move.shape[d] >= shortest_tile) return d;
  return -1;
}

void move_tiles(Queue& queue, const Move& move, int b) {
  const int rank = move.shape.rank(), a = rank - 1;
  const bool wide = wide_groups(queue);
  const auto outer = all_but(rank, a, b);
  auto id = kernel_for(move, "ops/layout/transpose.cl", wide ? "layout_transpose_tile" : "layout_transpose_block",
                       static_cast<int>(outer.size()));
  const int64_t tile_a = wide ? 32 : 64,
                tile_b = wide ? 32 : std::max<int64_t>(64 / static_cast<int64_t>(move.width), 8);
  id.define("TILE_A", tile_a).define("TILE_B", tile_b);
  Arguments arguments(move.fits_32_bits());
  arguments.add(words(move.from, move.width)).add(words(move.to, move.width));
  arguments.index(move.shape[a]).index(move.shape[b]).index(move.to_steps[b]).index(move.from_steps[a]);
  add_outer(arguments, move, outer);
  int64_t tiles = ceil_div(move.shape[a], tile_a) * ceil_div(move.shape[b], tile_b);
  for (int d : outer) tiles *= move.shape[d];
  Grid grid;
  grid.groups[0] = static_cast<size_t>(tiles);
  if (wide) grid.local = {32, 8, 1};
  launch(queue, id, grid, arguments.list());
}

void check_same(const View& from, const View& to) {
  if (from.shape == to.shape && size_of(from.type) == size_of(to.type)) return;
  fail(Code::internal, "copy: {} {} does not fit {} {}", name(from.type), from.shape.text(), name(to.type),
       to.shape.text());
}

// `bits` repeated to fill eight bytes.
uint64_t repeated(uint64_t bits, size_t width) {
  if (width >= 8) return bits;
  bits &= (uint64_t{1} << (8 * width)) - 1;
  for (size_t w = width; w < 8; w *= 2) bits |= bits << (8 * w);
  return bits;
}

size_t widest_for(Queue& queue) { return wide_groups(queue) ? 16 : 32; }

}  // namespace

void copy(Place place, const View& from, const View& to) {
  check_same(from, to);
  auto* queue = place.queue();
  const Move move = simplify(&from, to, queue ? widest_for(*queue) : 1);
  if (move.empty()) return;
  if (!queue) return move_on_host(move, 0);
  if (move.contiguous())
    return queue->copy(move.to, move.from, move.width * static_cast<size_t>(move.shape.elements()));
  if (const int b = tiled_dimension(*queue, move); b >= 0) return move_tiles(*queue, move, b);
  move_rows(*queue, move, 0);
}

void fill(Place place, const View& to, uint64_t bits) {
  bits = repeated(bits, size_of(to.type));
  auto* queue = place.queue();
  const Move move = simplify(nullptr, to, queue ? 8 : 1);
  if (move.empty()) return;
  if (!queue) return move_on_host(move, bits);
  if (move.contiguous())
    return queue->fill(move.to, &bits, move.width, move.width * static_cast<size_t>(move.shape.elements()));
  move_rows(*queue, move, bits);
}

View flipped(const View& x, int axis) {
  View result = x;
  if (x.shape[axis] == 0) return result;
  result.data =
      static_cast<char*>(x.data) + (x.shape[axis] - 1) * x.strides[axis] * static_cast<int64_t>(size_of(x.type));
  result.strides[axis] = -x.strides[axis];
  return result;
}

}  // namespace ocldnn
