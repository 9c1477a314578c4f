#pragma once

#include <optional>
#include <span>

#include "api/functions.hpp"
#include "ocldnn/types.hpp"

namespace ocldnn::tf {

/// The element types a kernel is registered for. f64 is left out by itself where a device cannot compute with it.
using Types = std::span<const Type>;

///
/// TensorFlow keeps int32 in host memory on every accelerator: shapes and indices are int32. Its own kernels, or ours
/// with host arguments, serve it, so the lists of device kernels leave int32 out, all but `every` and those named for
/// it.
namespace lists {
using enum Type;
inline constexpr Type floats[]{f32, f16, bf16, f64};
inline constexpr Type integers[]{i8, i16, i64, u8, u16, u32, u64};
inline constexpr Type signed_integers[]{i8, i16, i64};
inline constexpr Type numbers[]{f32, f16, bf16, f64, i8, i16, i64, u8, u16, u32, u64};
inline constexpr Type signed_numbers[]{f32, f16, bf16, f64, i8, i16, i64};
inline constexpr Type all[]{f32, f16, bf16, f64, i8, i16, i64, u8, u16, u32, u64, boolean};
inline constexpr Type all_integers[]{i8, i16, i32, i64, u8, u16, u32, u64};
inline constexpr Type every[]{f32, f16, bf16, f64, i8, i16, i32, i64, u8, u16, u32, u64, boolean};
inline constexpr Type int32[]{i32};
inline constexpr Type indices[]{i32, i64};
}  // namespace lists
inline constexpr Types floats{lists::floats}, integers{lists::integers}, signed_integers{lists::signed_integers},
    numbers{lists::numbers}, signed_numbers{lists::signed_numbers}, all{lists::all}, all_integers{lists::all_integers},
    every{lists::every}, int32{lists::int32}, indices{lists::indices}, untyped{};

TF_DataType data_type(Type type);
/// Nothing for types that no kernel of ours is registered for: strings, complex numbers, resources.
std::optional<Type> type_of(TF_DataType type);

}  // namespace ocldnn::tf
