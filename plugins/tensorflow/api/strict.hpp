#pragma once

#include <string>
#include <string_view>

namespace ocldnn::tf {

/// Why an op belongs on the CPU whatever kernels there are: text, input pipelines, files. Empty if it does not.
/// The list is published: `python -m tensorflow_ocldnn --cpu-ops` prints it.
std::string_view cpu_only_reason(std::string_view op);

/// OCLDNN_STRICT=1: TensorFlow runs an op without a kernel of ours on the CPU and says nothing, and turning soft
/// placement off changes that only for ops pinned to a device. So each kernel that TensorFlow has for the CPU alone
/// gets a twin of ours that fails with words, all but those with a reason to be there. Called after all kernels are
/// registered.
bool strict_mode();
void register_refusals(const char* device_type);

/// TensorFlow's generic AssignAdd and AssignSub would run on the CPU with a device's address. So the types that no
/// kernel of ours takes are refused: complex numbers, and double where a device cannot compute with it.
void refuse_unsafe_updates(const char* device_type, bool has_f64);

}  // namespace ocldnn::tf
