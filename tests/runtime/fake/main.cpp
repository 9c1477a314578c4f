// Runs the tests of faults on the fake driver, in a cache folder of their own.

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "fake/fake.hpp"
#include "ocldnn/log.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  auto cache =
      std::filesystem::path(testing::TempDir()) / ("ocldnn-faults-" + std::to_string(ocldnn::system::process()));
  setenv("OCLDNN_CACHE_DIR", cache.c_str(), 1);
  setenv("OCL_ICD_VENDORS", FAKE_DRIVER, 1);
  setenv("FAKE_OPENCL_DEVICES", "gpu/Fake GPU/OpenCL 3.0 fake;gpu/Fake other GPU/OpenCL 1.2", 1);
  setenv("OCLDNN_TRIAL", "none", 1);
  unsetenv("OCL_ICD_FILENAMES");
  unsetenv("OCLDNN_DEVICES");
  unsetenv("OCLDNN_LOG");
  ocldnn::set_log([](ocldnn::Level, std::string_view line) { ocldnn::test::log_lines().emplace_back(line); });
  int result = RUN_ALL_TESTS();
  std::filesystem::remove_all(cache);
  return result;
}
