#pragma once

#include <CL/cl_icd.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ocldnn/error.hpp"

namespace ocldnn {

/// The functions of the driver that made `object`: an OpenCL object begins with a pointer to them (cl_khr_icd). So no
/// loader library is needed, and drivers side by side never meet.
template <class Object>
const cl_icd_dispatch& driver(Object* object) {
  return **reinterpret_cast<const cl_icd_dispatch* const*>(object);
}

/// "CL_OUT_OF_RESOURCES" for -5; the number for codes the specification does not have.
std::string code_name(cl_int code);

/// The kind of failure an OpenCL code stands for.
Code kind_of(cl_int code) noexcept;

/// Throws unless `code` is CL_SUCCESS; `call` is the function's name.
void check(cl_int code, const char* call);

template <auto release>
struct Release {
  template <class Object>
  void operator()(Object* object) const noexcept {
    (driver(object).*release)(object);
  }
};
using ClContext = std::unique_ptr<_cl_context, Release<&cl_icd_dispatch::clReleaseContext>>;
using ClQueue = std::unique_ptr<_cl_command_queue, Release<&cl_icd_dispatch::clReleaseCommandQueue>>;
using ClMemory = std::unique_ptr<_cl_mem, Release<&cl_icd_dispatch::clReleaseMemObject>>;
using ClProgram = std::unique_ptr<_cl_program, Release<&cl_icd_dispatch::clReleaseProgram>>;
using ClKernel = std::unique_ptr<_cl_kernel, Release<&cl_icd_dispatch::clReleaseKernel>>;
using ClEvent = std::unique_ptr<_cl_event, Release<&cl_icd_dispatch::clReleaseEvent>>;

/// What a device says of itself: a number, or a text without its closing zero.
template <class Value>
Value device_value(cl_device_id device, cl_device_info what) {
  Value value{};
  check(driver(device).clGetDeviceInfo(device, what, sizeof value, &value, nullptr), "clGetDeviceInfo");
  return value;
}
std::string device_text(cl_device_id device, cl_device_info what);
std::string platform_text(cl_platform_id platform, cl_platform_info what);
std::vector<cl_device_id> devices_of(cl_platform_id platform);

}  // namespace ocldnn
