#pragma once

#include <string>

#include "check/case.hpp"

namespace ocldnn::check {

Cases all_cases();  // made by the build from the *_cases.cpp files

/// Runs the example at an odd offset and at an aligned one, twice each, and says what was wrong: outputs away from the
/// reference, guards overwritten, inputs changed, different bits the second time. Empty: nothing was.
std::string test(Device& device, const Example& example);

/// Seconds one run takes: the mean over a batch long enough to time, the median of several batches.
double measure(Device& device, const Example& example);

/// Elements of all inputs and outputs.
int64_t elements(const Example& example);

}  // namespace ocldnn::check
