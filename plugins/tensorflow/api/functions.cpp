#include "api/functions.hpp"

namespace ocldnn::tf {

constinit Functions tf{};

bool load_functions() {
  static const bool loaded = [] {
    // RTLD_NOLOAD finds what the process has loaded, also where Python opened it for itself only.
    Libraries libraries{dlopen("libtensorflow_framework.so.2", RTLD_LAZY | RTLD_NOLOAD),
                        dlopen("libtensorflow_cc.so.2", RTLD_LAZY | RTLD_NOLOAD)};
    tf = Functions{libraries};
    return tf.NewStatus && tf.NewKernelBuilder && tf.GetStream;
  }();
  return loaded;
}

}  // namespace ocldnn::tf
