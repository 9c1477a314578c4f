#pragma once

// One description of an op, read by the test, the benchmark and the tuner. `<op>_cases.cpp` stands beside the op and
// defines `void <op>_cases(ocldnn::check::Cases&)`; the build collects them.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ocldnn/device.hpp"

namespace ocldnn::check {

/// Host values, row major in the logical order of `shape`, whatever the memory order on the device.
struct Array {
  Type type = Type::f32;
  Shape shape;
  std::vector<double> values;
  double& operator[](int64_t i) { return values[static_cast<size_t>(i)]; }
  double operator[](int64_t i) const { return values[static_cast<size_t>(i)]; }
};

/// An input: drawn uniformly from [low, high] (whole numbers for integer types) and rounded to `type`, or `values`.
struct Input {
  Type type = Type::f32;
  Shape shape;
  double low = -2, high = 2;
  std::vector<double> values = {};
  Dims order = {};  // memory order of the dimensions, outermost first; empty is row major
};

/// An output and how far it may be from the reference: |got - want| <= tolerance * max(1, |want|). 0 means exactly.
/// Negative: a default for the type, 16 units in the last place.
struct Output {
  Type type = Type::f32;
  Shape shape;
  double tolerance = -1;
  Dims order = {};
  bool initialised = false;  // the op updates this output: it starts from values drawn from [low, high]
  double low = -2, high = 2;
};

struct Example {
  std::string name;  // "softmax/f32/7x33": family first; benchmarks are chosen by it
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  /// Views lie at odd offsets inside larger allocations with guards around them; outputs hold NaN (or ones) before.
  std::function<void(const Exec&, std::span<const View> in, std::span<const View> out)> run;
  /// In double precision, written the plainest way.
  std::function<void(std::span<const Array> in, std::span<Array> out)> reference;
  double flops = 0, bytes = 0;  // of one run; either makes it a benchmark too
  bool benchmark_only = false;  // too large to check every element in a test
};

using Cases = std::vector<Example>;

}  // namespace ocldnn::check
