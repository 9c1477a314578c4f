// Every case of every op on one device: tests by default, measurements with --bench.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "check/check.hpp"
#include "ocldnn/log.hpp"
#include "ocldnn/pointwise.hpp"

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

/// Seconds that the device takes to move `bytes`, half in and half out: what an op bound by memory is held against.
double copy_seconds(Device& device, double bytes) {
  const auto elements = static_cast<int64_t>(bytes / 8);
  Example copy;
  copy.inputs = {{Type::f32, {elements}}};
  copy.outputs = {{Type::f32, {elements}}};
  copy.run = [](const Exec& exec, std::span<const View> in, std::span<const View> out) {
    pointwise(exec.queue, "copy", Type::f32, {{"x", in[0]}}, {{out[0], "x"}});
  };
  return measure(device, copy);
}

void bench(Device& device, const Cases& cases, const std::string& filter) {
  fmt::print("{:60} {:>12} {:>10} {:>10} {:>10}\n", "case", "us", "GFLOP/s", "GB/s", "of a copy");
  for (const auto& example : cases) {
    if (example.flops + example.bytes == 0 || example.name.find(filter) == std::string::npos) continue;
    const double seconds = measure(device, example);
    auto rate = [&](double amount) { return amount > 0 ? fmt::format("{:.2f}", amount / seconds * 1e-9) : "-"; };
    const bool moves_only = example.flops == 0 && example.bytes >= 8;
    fmt::print("{:60} {:12.2f} {:>10} {:>10} {:>10}\n", example.name, seconds * 1e6, rate(example.flops),
               rate(example.bytes),
               moves_only ? fmt::format("{:.0f} %", 100 * copy_seconds(device, example.bytes) / seconds) : "-");
  }
  fmt::print("of a copy: the time a copy of as many bytes takes on this device, in parts of the case's\n");
}

int run_tests(Device& device, const Cases& cases, const std::string& filter, int64_t largest) {
  int chosen = 0;
  for (const auto& example : cases) {
    if (example.benchmark_only || example.name.find(filter) == std::string::npos || elements(example) > largest)
      continue;
    const auto slash = example.name.find('/');
    testing::RegisterTest(example.name.substr(0, slash).c_str(), example.name.substr(slash + 1).c_str(), nullptr,
                          nullptr, __FILE__, __LINE__,
                          [&device, &example]() -> testing::Test* { return new CaseTest(device, example); });
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
    fmt::print("device: {} | {} | driver {}\n", device.info().name, device.info().platform,
               device.info().driver_version);
    static const Cases cases = all_cases();
    if (!measuring) return run_tests(device, cases, filter, largest);
    bench(device, cases, filter);
  } catch (const std::exception& e) {
    fmt::print(stderr, "{}\n", e.what());
    return 1;
  }
  return 0;
}
