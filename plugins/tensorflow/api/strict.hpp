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

/// Variables of types that no kernel of ours takes: complex numbers, and double where a device cannot compute with it.
/// They are made on the CPU, unless a device is asked for: there they are refused, since an op on a variable must be
/// where the variable is. In strict mode they are on the device, so that each op on them is an error.
void leave_variables_to_cpu(const char* device_type, bool has_f64);

}  // namespace ocldnn::tf
