#pragma once

namespace ocldnn::tf {

/// AddN and ZerosLike of variants that hold lists of tensors: gradients of loops sum and clear them. Without these
/// kernels the lists' elements would travel to the CPU and back.
void register_variants(const char* device_type);

}  // namespace ocldnn::tf
