//===- Library.cpp - the functions of OpenCL's library --------------------===//
// SPDX-License-Identifier: MIT

#include "device/Library.h"
#include <cstdio>
#include <dlfcn.h>

using namespace glow;
using namespace glow::opencl;

static Result<Library> load() {
  const char *file = "libOpenCL.so.1";
  void *handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return failure(Code::NotFound,
                   "OpenCL's library is not there: ", ::dlerror());
  Library library;
#define GLOW_OPENCL_FUNCTION(name)                                             \
  library.name =                                                               \
      reinterpret_cast<decltype(library.name)>(::dlsym(handle, #name));        \
  if (!library.name)                                                           \
    return failure(Code::NotFound, file, " has no function '", #name, "'");
  GLOW_OPENCL_FUNCTIONS(GLOW_OPENCL_FUNCTION)
#undef GLOW_OPENCL_FUNCTION
  return library;
}

Result<const Library *> Library::open() {
  static const Result<Library> library = load();
  if (!library)
    return library.status();
  return &*library;
}

std::string opencl::textOf(const Library &cl, cl_device_id device,
                           cl_device_info property) {
  size_t size = 0;
  if (cl.clGetDeviceInfo(device, property, 0, nullptr, &size) != CL_SUCCESS ||
      size == 0)
    return "";
  std::string text(size, '\0');
  cl.clGetDeviceInfo(device, property, size, text.data(), nullptr);
  text.resize(size - 1);
  return text;
}

static Result<std::vector<FoundDevice>> findDevices(const Library &cl) {
  cl_uint count = 0;
  cl_int error = cl.clGetPlatformIDs(0, nullptr, &count);
  if (error != CL_SUCCESS || count == 0)
    return Status(Code::NotFound,
                  "there is no OpenCL platform: no driver is installed");
  std::vector<cl_platform_id> platforms(count);
  cl.clGetPlatformIDs(count, platforms.data(), nullptr);
  std::vector<FoundDevice> found;
  for (cl_platform_id platform : platforms) {
    char name[256] = "";
    cl.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name,
                         nullptr);
    count = 0;
    cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    std::vector<cl_device_id> devices(count);
    if (count == 0 || cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count,
                                        devices.data(), nullptr) != CL_SUCCESS)
      continue;
    for (cl_device_id device : devices)
      found.push_back({platform, device,
                       textOf(cl, device, CL_DEVICE_NAME) + " of " + name});
  }
  if (found.empty())
    return Status(Code::NotFound, "no OpenCL platform has a device");
  return found;
}

Result<AllDevices> opencl::openDevices() {
  Result<const Library *> library = Library::open();
  if (!library)
    return library.status();
  Result<std::vector<FoundDevice>> devices = findDevices(**library);
  if (!devices)
    return devices.status();
  return AllDevices{**library, devices.take()};
}

Status opencl::checkDevice(const Library &cl, const FoundDevice &found) {
  unsigned major = 0, minor = 0;
  std::string version = textOf(cl, found.device, CL_DEVICE_VERSION);
  std::sscanf(version.c_str(), "OpenCL %u.%u", &major, &minor);
  if (major * 10 + minor < 12)
    return failure(Code::Unsupported, "device '", found.name, "' has ", version,
                   ", but kernels need OpenCL 1.2");
  if (!numberOf<cl_bool>(cl, found.device, CL_DEVICE_COMPILER_AVAILABLE))
    return failure(Code::Unsupported, "device '", found.name,
                   "' has no compiler of OpenCL C");
  if (!numberOf<cl_bool>(cl, found.device, CL_DEVICE_ENDIAN_LITTLE))
    return failure(Code::Unsupported, "device '", found.name,
                   "' has another order of bytes than tensors");
  return Status();
}

Status opencl::failureOf(const char *call, cl_int error) {
  Code code = Code::Internal;
  switch (error) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_HOST_MEMORY:
  case CL_INVALID_BUFFER_SIZE:
    code = Code::OutOfMemory;
    break;
  case CL_DEVICE_NOT_AVAILABLE:
  case CL_OUT_OF_RESOURCES:
  case CL_INVALID_COMMAND_QUEUE:
  case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
    code = Code::DeviceLost;
    break;
  default:
    break;
  }
  return failure(code, "OpenCL: ", call, " fails with error ", error);
}
