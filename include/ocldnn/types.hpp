#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ocldnn {

/// Element types of tensors. `boolean` is stored as one byte, 0 or 1. f16 and bf16 are storage types on every device;
/// arithmetic on them is done in f32.
enum class Type : uint8_t { f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64, boolean };
inline constexpr int type_count = 13;

/// Bytes of one element.
constexpr size_t size_of(Type type) {
  constexpr size_t sizes[type_count]{4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1};
  return sizes[static_cast<int>(type)];
}

/// NumPy's name, for messages: "float32", "bfloat16", "bool".
constexpr std::string_view name(Type type) {
  constexpr std::string_view names[type_count]{"float32", "float64", "float16", "bfloat16", "int8",   "int16", "int32",
                                               "int64",   "uint8",   "uint16",  "uint32",   "uint64", "bool"};
  return names[static_cast<int>(type)];
}

constexpr bool is_floating(Type type) { return type <= Type::bf16; }
constexpr bool is_integer(Type type) { return type >= Type::i8 && type <= Type::u64; }
constexpr bool is_signed(Type type) { return type <= Type::i64; }

/// The type arithmetic on `type` is done in: f32 for f16 and bf16, u8 for boolean, otherwise itself.
constexpr Type compute_type(Type type) {
  if (type == Type::f16 || type == Type::bf16) return Type::f32;
  return type == Type::boolean ? Type::u8 : type;
}

}  // namespace ocldnn
