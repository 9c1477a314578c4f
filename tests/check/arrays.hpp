#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include "check/case.hpp"

namespace ocldnn::check {

/// `value` as it is after being stored in `type`: rounded to nearest even, wrapped for integers.
double rounded(Type type, double value);

/// Bytes of `array` laid out with dimensions in memory order `order` (empty: row major), and back.
std::vector<std::byte> encode(const Array& array, const Dims& order);
Array decode(std::span<const std::byte> bytes, Type type, const Shape& shape, const Dims& order);

/// Strides, in elements, of a dense tensor whose dimensions lie in memory in `order`.
Strides strides_of(const Shape& shape, const Dims& order);

Array draw(const Input& input, std::mt19937_64& random);

}  // namespace ocldnn::check
