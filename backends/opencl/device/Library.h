//===- Library.h - the functions of OpenCL's library ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_DEVICE_LIBRARY_H
#define GLOW_BACKENDS_OPENCL_DEVICE_LIBRARY_H

#define CL_TARGET_OPENCL_VERSION 120
#include "glow/Base/Status.h"
#include <CL/cl.h>
#include <string>
#include <vector>

namespace glow::opencl {

#define GLOW_OPENCL_FUNCTIONS(X)                                               \
  X(clBuildProgram)                                                            \
  X(clCreateBuffer)                                                            \
  X(clCreateCommandQueue)                                                      \
  X(clCreateContext)                                                           \
  X(clCreateKernel)                                                            \
  X(clCreateProgramWithBinary)                                                 \
  X(clCreateProgramWithSource)                                                 \
  X(clEnqueueCopyBuffer)                                                       \
  X(clEnqueueNDRangeKernel)                                                    \
  X(clEnqueueReadBuffer)                                                       \
  X(clEnqueueWriteBuffer)                                                      \
  X(clFinish)                                                                  \
  X(clFlush)                                                                   \
  X(clGetDeviceIDs)                                                            \
  X(clGetDeviceInfo)                                                           \
  X(clGetKernelWorkGroupInfo)                                                  \
  X(clGetPlatformIDs)                                                          \
  X(clGetPlatformInfo)                                                         \
  X(clGetProgramBuildInfo)                                                     \
  X(clGetProgramInfo)                                                          \
  X(clReleaseCommandQueue)                                                     \
  X(clReleaseContext)                                                          \
  X(clReleaseKernel)                                                           \
  X(clReleaseMemObject)                                                        \
  X(clReleaseProgram)                                                          \
  X(clSetKernelArg)

/// The functions of libOpenCL.so.1, which is opened on first use and stays
/// open.
struct Library {
#define GLOW_OPENCL_FUNCTION(name) decltype(&::name) name = nullptr;
  GLOW_OPENCL_FUNCTIONS(GLOW_OPENCL_FUNCTION)
#undef GLOW_OPENCL_FUNCTION

  /// Fails with Code::NotFound if the process has no such library, or one that
  /// lacks a function.
  static Result<const Library *> open();
};

/// A device of a platform.
struct FoundDevice {
  cl_platform_id platform;
  cl_device_id device;
  std::string name; ///< "pthread-cpu of Portable Computing Language"
};

/// Fails with Code::Unsupported if no kernel runs on the device: its driver is
/// older than OpenCL 1.2, or has no compiler.
Status checkDevice(const Library &cl, const FoundDevice &found);

/// All devices of all platforms, in their order, and the library of them.
struct AllDevices {
  const Library &library;
  std::vector<FoundDevice> devices;
};
/// Opens the library. Fails with Code::NotFound if there is none, no platform,
/// or no device.
Result<AllDevices> openDevices();

/// A text property of a device.
std::string textOf(const Library &cl, cl_device_id device,
                   cl_device_info property);

/// A number of a device.
template <typename T>
T numberOf(const Library &cl, cl_device_id device, cl_device_info property) {
  T value{};
  cl.clGetDeviceInfo(device, property, sizeof value, &value, nullptr);
  return value;
}

/// The failure of a call: Code::OutOfMemory or Code::DeviceLost if the error
/// says so, else Code::Internal.
Status failureOf(const char *call, cl_int error);

/// A handle of OpenCL that is released with the object.
template <typename Handle> class Owned {
public:
  using Release = cl_int(CL_API_CALL *)(Handle);
  Owned() = default;
  Owned(Handle handle, Release release) : handle(handle), release(release) {}
  Owned(Owned &&other) noexcept { swap(other); }
  Owned &operator=(Owned &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Owned() {
    if (handle)
      release(handle);
  }
  Handle get() const { return handle; }
  Handle *address() { return &handle; }

private:
  void swap(Owned &other) {
    std::swap(handle, other.handle);
    std::swap(release, other.release);
  }
  Handle handle = nullptr;
  Release release = nullptr;
};

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_DEVICE_LIBRARY_H
