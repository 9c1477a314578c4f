#include "check/arrays.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace ocldnn::check {
namespace {

uint16_t to_half(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520) return sign | 0x7c00;
  if (magnitude == 0) return sign;  // frexp() gives it the exponent of 0.5
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int quantum = std::max(exponent - 11, -24);  // weight of the last place
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -quantum)));
  if (quantum == -24) return static_cast<uint16_t>(sign | units);
  return static_cast<uint16_t>(sign | (((quantum + 25) << 10) + (units - 1024)));
}

double from_half(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 0    ? std::ldexp(mantissa, -24)
                 : exponent == 31 ? (mantissa ? std::numeric_limits<double>::quiet_NaN() : INFINITY)
                                  : std::ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

// One rounding from double: through float with the discarded bits folded into the lowest kept one.
uint16_t to_bfloat(double value) {
  if (std::isnan(value)) return 0x7fc0;
  auto narrow = static_cast<float>(value);
  auto bits = std::bit_cast<uint32_t>(narrow);
  if (static_cast<double>(narrow) != value && std::isfinite(narrow)) {
    if (std::fabs(static_cast<double>(narrow)) > std::fabs(value)) --bits;
    bits |= 1;
  }
  if (!std::isfinite(narrow)) return static_cast<uint16_t>(bits >> 16);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <class T>
void put(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof value);
}
template <class T>
T get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
T integer(double value) {
  // What a 64-bit integer near its end is as a double may lie beyond it.
  if (value >= 0x1p64) return std::numeric_limits<T>::max();
  if constexpr (std::is_unsigned_v<T>)
    if (value >= 0) return static_cast<T>(static_cast<uint64_t>(value));
  if (value >= 0x1p63) return std::numeric_limits<T>::max();
  return static_cast<T>(static_cast<int64_t>(value));
}

void store(std::byte* at, Type type, double value) {
  switch (type) {
    case Type::f32: return put(at, static_cast<float>(value));
    case Type::f64: return put(at, value);
    case Type::f16: return put(at, to_half(value));
    case Type::bf16: return put(at, to_bfloat(value));
    case Type::i8: return put(at, integer<int8_t>(value));
    case Type::i16: return put(at, integer<int16_t>(value));
    case Type::i32: return put(at, integer<int32_t>(value));
    case Type::i64: return put(at, integer<int64_t>(value));
    case Type::u8: return put(at, integer<uint8_t>(value));
    case Type::u16: return put(at, integer<uint16_t>(value));
    case Type::u32: return put(at, integer<uint32_t>(value));
    case Type::u64: return put(at, integer<uint64_t>(value));
    case Type::boolean: return put(at, static_cast<uint8_t>(value != 0));
  }
}

double load(const std::byte* at, Type type) {
  switch (type) {
    case Type::f32: return get<float>(at);
    case Type::f64: return get<double>(at);
    case Type::f16: return from_half(get<uint16_t>(at));
    case Type::bf16: return std::bit_cast<float>(static_cast<uint32_t>(get<uint16_t>(at)) << 16);
    case Type::i8: return get<int8_t>(at);
    case Type::i16: return get<int16_t>(at);
    case Type::i32: return get<int32_t>(at);
    case Type::i64: return static_cast<double>(get<int64_t>(at));
    case Type::u8:
    case Type::boolean: return get<uint8_t>(at);
    case Type::u16: return get<uint16_t>(at);
    case Type::u32: return get<uint32_t>(at);
    case Type::u64: return static_cast<double>(get<uint64_t>(at));
  }
  return 0;
}

// Calls f(logical index, physical index) for every element.
template <class F>
void for_each(const Shape& shape, const Strides& strides, F f) {
  Dims at = Dims::filled(shape.rank(), 0);
  for (int64_t i = 0, n = shape.elements(), physical = 0; i < n; ++i) {
    f(i, physical);
    for (int d = shape.rank() - 1; d >= 0; --d) {
      physical += strides[d];
      if (++at[d] < shape[d]) break;
      physical -= shape[d] * strides[d];
      at[d] = 0;
    }
  }
}

}  // namespace

double rounded(Type type, double value) {
  std::byte bytes[8];
  store(bytes, type, value);
  return load(bytes, type);
}

Strides strides_of(const Shape& shape, const Dims& order) {
  if (order.empty()) return dense_strides(shape);
  Strides strides = shape;
  int64_t step = 1;
  for (int i = order.rank() - 1; i >= 0; --i) {
    const auto axis = static_cast<int>(order[i]);
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

std::vector<std::byte> encode(const Array& array, const Dims& order) {
  const size_t width = size_of(array.type);
  std::vector<std::byte> bytes(static_cast<size_t>(array.shape.elements()) * width);
  for_each(array.shape, strides_of(array.shape, order), [&](int64_t logical, int64_t physical) {
    store(bytes.data() + static_cast<size_t>(physical) * width, array.type, array[logical]);
  });
  return bytes;
}

Array decode(std::span<const std::byte> bytes, Type type, const Shape& shape, const Dims& order) {
  Array array{type, shape, std::vector<double>(static_cast<size_t>(shape.elements()))};
  for_each(shape, strides_of(shape, order), [&](int64_t logical, int64_t physical) {
    array[logical] = load(bytes.data() + static_cast<size_t>(physical) * size_of(type), type);
  });
  return array;
}

Array draw(const Input& input, std::mt19937_64& random) {
  Array array{input.type, input.shape, input.values};
  const auto count = static_cast<size_t>(input.shape.elements());
  if (!array.values.empty() || count == 0) {
    if (array.values.size() != count)
      fail(Code::internal, "case: {} values for shape {}", array.values.size(), input.shape.text());
    for (auto& value : array.values) value = rounded(input.type, value);
    return array;
  }
  array.values.resize(count);
  std::uniform_real_distribution<double> real(input.low, input.high);
  const auto lowest = static_cast<int64_t>(std::ceil(input.low)),
             highest = static_cast<int64_t>(std::floor(input.high));
  std::uniform_int_distribution<int64_t> whole(lowest, std::max(lowest, highest));
  for (auto& value : array.values) {
    if (input.type == Type::boolean) value = real(random) >= (input.low + input.high) / 2;
    else value = is_floating(input.type) ? real(random) : static_cast<double>(whole(random));
    value = rounded(input.type, value);
  }
  return array;
}

}  // namespace ocldnn::check
