#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/contract/contraction.hpp"
#include "runtime/tuning.hpp"

namespace ocldnn::contract {

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
inline int64_t round_up(int64_t a, int64_t b) { return ceil_div(a, b) * b; }

/// The register tile of the `vector` family on a device, in elements of `type`.
struct Tile {
  int width = 8, vectors = 2, rows = 6;
  int columns() const { return width * vectors; }
};

/// 6 x 16 floats where vectors have 8 lanes (16 registers), 12 x 32 where they have 16 (32 registers). Measured on
/// AVX2 and AVX-512; rows may be lowered to fit few rows.
inline Tile tile_of(Device& device, Type compute) {
  int native = std::clamp(device.info().float_width, 4, 16);
  Tile tile;
  tile.width = size_of(compute) == 8 ? native / 2 : native;
  tile.rows = native == 16 ? 12 : native == 8 ? 6 : 4;
  auto values = tuned(device, "contract");
  tile.rows = static_cast<int>(values.get("vector_rows", tile.rows));
  tile.vectors = static_cast<int>(values.get("vector_vectors", tile.vectors));
  return tile;
}

}  // namespace ocldnn::contract
