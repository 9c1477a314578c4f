#include <bit>
#include <limits>

#include "ocldnn/index.hpp"
#include "ocldnn/layout.hpp"

namespace ocldnn {
namespace {

template <class T>
uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 8) return std::bit_cast<uint64_t>(value);
  else if constexpr (sizeof(T) == 4) return std::bit_cast<uint32_t>(value);
  else if constexpr (sizeof(T) == 2) return std::bit_cast<uint16_t>(value);
  else return std::bit_cast<uint8_t>(value);
}

template <class T>
uint64_t extreme(bool lowest) {
  return bits_of(lowest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
}

// The finite ends of a type, as TensorFlow has them.
uint64_t extreme_bits(Type type, bool lowest) {
  switch (type) {
    case Type::f32: return extreme<float>(lowest);
    case Type::f64: return extreme<double>(lowest);
    case Type::f16: return lowest ? 0xfbff : 0x7bff;
    case Type::bf16: return lowest ? 0xff7f : 0x7f7f;
    case Type::i8: return extreme<int8_t>(lowest);
    case Type::i16: return extreme<int16_t>(lowest);
    case Type::i32: return extreme<int32_t>(lowest);
    case Type::i64: return extreme<int64_t>(lowest);
    case Type::u16: return extreme<uint16_t>(lowest);
    case Type::u32: return extreme<uint32_t>(lowest);
    case Type::u64: return extreme<uint64_t>(lowest);
    default: return extreme<uint8_t>(lowest);
  }
}

uint64_t one_bits(Type type) {
  switch (type) {
    case Type::f32: return bits_of(1.0f);
    case Type::f64: return bits_of(1.0);
    case Type::f16: return 0x3c00;
    case Type::bf16: return 0x3f80;
    default: return 1;
  }
}

uint64_t neutral_bits(Update update, Type type) {
  switch (update) {
    case Update::multiply: return one_bits(type);
    case Update::maximum: return extreme_bits(type, true);
    case Update::minimum: return extreme_bits(type, false);
    default: return 0;
  }
}

}  // namespace

void segment(const Exec& exec, Update update, const View& x, const View& ids, const View& y) {
  fill(exec.queue, y, neutral_bits(update, y.type));
  if (ids.elements() > 0 && y.elements() > 0) scatter(exec, update, y, ids, x);
}

}  // namespace ocldnn
