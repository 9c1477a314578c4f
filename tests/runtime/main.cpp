// Runs the runtime's tests on the device whose platform's name holds OCLDNN_TEST_PLATFORM, or fails; on the first one
// where that is not set.

#include <cstdio>
#include <cstdlib>

#include "device_test.hpp"
#include "ocldnn/log.hpp"
#include "process.hpp"

namespace ocldnn::test {

Device& device() {
  static Device& chosen = []() -> Device& {
    const char* platform = std::getenv("OCLDNN_TEST_PLATFORM");
    for (auto* device : devices())
      if (!platform || device->info().platform.find(platform) != std::string::npos) return *device;
    std::fprintf(stderr, "no device of platform \"%s\"\n", platform ? platform : "");
    for (const auto& [what, why] : declined()) std::fprintf(stderr, "  %s: %s\n", what.c_str(), why.c_str());
    std::exit(3);
  }();
  return chosen;
}

}  // namespace ocldnn::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // A cache folder of its own: some tests damage what lies in it.
  ocldnn::test::Folder cache("runtime-tests");
  setenv("OCLDNN_CACHE_DIR", cache.path().c_str(), 1);
  ocldnn::set_log([](ocldnn::Level, std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  });
  const auto& info = ocldnn::test::device().info();
  std::printf("device: %s, platform: %s, %s, driver %s\n", info.name.c_str(), info.platform.c_str(),
              info.version.c_str(), info.driver_version.c_str());
  return RUN_ALL_TESTS();
}
