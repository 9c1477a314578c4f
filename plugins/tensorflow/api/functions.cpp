#include "api/functions.hpp"

#include <cstdio>
#include <utility>

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

bool version_at_least(int major, int minor) {
  std::pair<int, int> running{0, 0};
  if (tf.Version) std::sscanf(tf.Version(), "%d.%d", &running.first, &running.second);
  return running >= std::pair(major, minor);
}

}  // namespace ocldnn::tf
