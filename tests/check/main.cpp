// Every case of every op on one device: tests by default, measurements with --bench.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "check/check.hpp"
#include "ocldnn/log.hpp"

using namespace ocldnn;
using namespace ocldnn::check;

namespace {

class CaseTest : public testing::Test {
 public:
  CaseTest(Device& device, const Example& example) : device_(device), example_(example) {}
  void TestBody() override {
    std::string fault;
    try {
      fault = test(device_, example_);
    } catch (const std::exception& e) {
      fault = e.what();
    }
    if (!fault.empty()) ADD_FAILURE() << example_.name << ": " << fault;
  }

 private:
  Device& device_;
  const Example& example_;
};

Device& choose(const std::string& platform) {
  for (auto* device : devices())
    if (device->info().platform.find(platform) != std::string::npos) return *device;
  std::string found;
  for (auto* device : devices()) found += fmt::format(" '{}'", device->info().platform);
  fail(Code::device, "no device of platform '{}'; found:{}", platform, found.empty() ? " none" : found);
}

void bench(Device& device, const Cases& cases, const std::string& filter) {
  fmt::print("{:60} {:>12} {:>10} {:>10}\n", "case", "us", "GFLOP/s", "GB/s");
  for (const auto& example : cases) {
    if (example.flops + example.bytes == 0 || example.name.find(filter) == std::string::npos) continue;
    const double seconds = measure(device, example);
    fmt::print("{:60} {:12.2f} {:10.2f} {:10.2f}\n", example.name, seconds * 1e6, example.flops / seconds * 1e-9,
               example.bytes / seconds * 1e-9);
  }
}

int run_tests(Device& device, const Cases& cases, const std::string& filter, int64_t largest) {
  int chosen = 0;
  for (const auto& example : cases) {
    if (example.benchmark_only || example.name.find(filter) == std::string::npos || elements(example) > largest) continue;
    const auto slash = example.name.find('/');
    testing::RegisterTest(example.name.substr(0, slash).c_str(), example.name.substr(slash + 1).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__, [&device, &example]() -> testing::Test* { return new CaseTest(device, example); });
    ++chosen;
  }
  if (chosen == 0) {
    fmt::print(stderr, "no case matches '{}'\n", filter);
    return 1;
  }
  return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App app{"Runs the cases of all ops on one OpenCL device"};
  std::string platform, filter;
  int64_t largest = INT64_MAX;
  bool measuring = false, talk = false;
  app.add_option("--platform", platform, "part of the platform's name; another device is a failure")->required();
  app.add_option("--filter", filter, "part of a case's name");
  app.add_option("--largest", largest, "leave out cases with more elements than this");
  app.add_flag("--bench", measuring, "measure the cases that state flops or bytes");
  app.add_flag("--log", talk, "print the library's log");
  CLI11_PARSE(app, argc, argv);
  if (talk) set_log([](Level, std::string_view line) { fmt::print(stderr, "{}\n", line); });
  try {
    auto& device = choose(platform);
    fmt::print("device: {} | {} | driver {}\n", device.info().name, device.info().platform, device.info().driver_version);
    static const Cases cases = all_cases();
    if (!measuring) return run_tests(device, cases, filter, largest);
    bench(device, cases, filter);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
