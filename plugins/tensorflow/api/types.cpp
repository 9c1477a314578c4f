#include "api/types.hpp"

namespace ocldnn::tf {
namespace {

constexpr TF_DataType table[type_count]{TF_FLOAT, TF_DOUBLE, TF_HALF,   TF_BFLOAT16, TF_INT8,   TF_INT16, TF_INT32,
                                        TF_INT64, TF_UINT8,  TF_UINT16, TF_UINT32,   TF_UINT64, TF_BOOL};

}  // namespace

TF_DataType data_type(Type type) { return table[static_cast<int>(type)]; }

std::optional<Type> type_of(TF_DataType type) {
  for (int i = 0; i < type_count; ++i)
    if (table[i] == type) return static_cast<Type>(i);
  return std::nullopt;
}

}  // namespace ocldnn::tf
