#pragma once

#include <string>
#include <vector>

#include "ocldnn/device.hpp"
#include "runtime/opencl.hpp"

namespace ocldnn {

/// A file that may be an OpenCL driver, and who named it.
struct Candidate {
  std::string path, named_by;
};

/// The drivers to try, in order and without repeats (docs/environment.md says where from).
std::vector<Candidate> driver_candidates(const std::vector<std::string>& folders);

/// A driver's platforms and the file it came from.
struct Opened {
  std::string library;
  std::vector<cl_platform_id> platforms;
};
/// Throws Error with the reason if the driver must not be opened in this process, whatever it is elsewhere.
void check_openable(const Candidate& candidate);
/// Opens a driver; throws Error with the reason if it is none or must not be opened in this process.
Opened open_driver(const Candidate& candidate);

}  // namespace ocldnn
