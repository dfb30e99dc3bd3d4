//===- Library.cpp - the functions of NVIDIA's driver ---------------------===//
// SPDX-License-Identifier: MIT

#include "device/Library.h"
#include <dlfcn.h>

using namespace glow;
using namespace glow::cuda;

/// The first version of the driver with all functions; it reads PTX 7.4, and
/// kernels are PTX 7.0.
static constexpr int leastVersion = 11040;

static std::string textOf(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

/// The driver's version before any other function is looked up, since an old
/// driver lacks some of them.
static Status checkVersion(void *handle) {
  using GetVersion = driver::Error (*)(int *);
  auto get =
      reinterpret_cast<GetVersion>(::dlsym(handle, "cuDriverGetVersion"));
  int version = 0;
  if (get && get(&version) == driver::Success && version < leastVersion)
    return failure(Code::Unsupported, "the driver is of CUDA ", textOf(version),
                   ", but ", textOf(leastVersion),
                   " is the first that runs programs");
  return Status();
}

static Result<Library> load() {
  const char *file = "libcuda.so.1";
  void *handle = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return failure(Code::NotFound,
                   "NVIDIA's driver is not there: ", ::dlerror());
  if (Status status = checkVersion(handle); !status.ok())
    return status;
  Library library;
#define GLOW_CUDA_FUNCTION(name, arguments)                                    \
  library.name =                                                               \
      reinterpret_cast<decltype(library.name)>(::dlsym(handle, #name));        \
  if (!library.name)                                                           \
    return failure(Code::NotFound, file, " has no function '", #name, "'");
  GLOW_CUDA_FUNCTIONS(GLOW_CUDA_FUNCTION)
#undef GLOW_CUDA_FUNCTION
  if (driver::Error error = library.cuInit(0);
      error != driver::Success && error != driver::NoDevice)
    return failureOf(library, "cuInit", error);
  return library;
}

Result<const Library *> Library::open() {
  static const Result<Library> library = load();
  if (!library)
    return library.status();
  return &*library;
}

std::string cuda::versionOf(const Library &cuda) {
  int version = 0;
  cuda.cuDriverGetVersion(&version);
  return textOf(version);
}

int cuda::numberOf(const Library &cuda, driver::Device device,
                   driver::Attribute attribute) {
  int value = 0;
  cuda.cuDeviceGetAttribute(&value, attribute, device);
  return value;
}

Result<AllDevices> cuda::openDevices() {
  Result<const Library *> library = Library::open();
  if (!library)
    return library.status();
  const Library &cuda = **library;
  AllDevices all{cuda, {}};
  int count = 0;
  cuda.cuDeviceGetCount(&count);
  for (int i = 0; i < count; ++i) {
    FoundDevice found{};
    char name[256] = "";
    size_t bytes = 0;
    if (cuda.cuDeviceGet(&found.device, i) != driver::Success)
      continue;
    cuda.cuDeviceGetName(name, sizeof name - 1, found.device);
    cuda.cuDeviceTotalMem_v2(&bytes, found.device);
    found.name = name;
    found.memoryBytes = bytes;
    found.major = numberOf(cuda, found.device, driver::CapabilityMajor);
    found.minor = numberOf(cuda, found.device, driver::CapabilityMinor);
    all.devices.push_back(std::move(found));
  }
  if (all.devices.empty())
    return Status(Code::NotFound, "NVIDIA's driver finds no GPU");
  return all;
}

Status cuda::checkDevice(const FoundDevice &found) {
  if (found.major < 8)
    return failure(Code::Unsupported, "device '", found.name,
                   "' has compute capability ", found.major, ".", found.minor,
                   ", but kernels need 8.0");
  return Status();
}

Result<std::shared_ptr<const OwnContext>>
OwnContext::make(const Library &cuda, driver::Device device) {
  driver::Context context = nullptr;
  driver::Error error = cuda.cuCtxCreate_v2(&context, 0, device);
  if (error != driver::Success)
    return failureOf(cuda, "cuCtxCreate", error);
  return std::shared_ptr<const OwnContext>(new OwnContext(cuda, context));
}

OwnContext::~OwnContext() { cuda.cuCtxDestroy_v2(context); }

Status cuda::failureOf(const Library &cuda, const char *call,
                       driver::Error error) {
  Code code = Code::Internal;
  switch (error) {
  case driver::OutOfMemory:
    code = Code::OutOfMemory;
    break;
  case driver::Deinitialized:
  case driver::DeviceUnavailable:
  case driver::EccUncorrectable:
  case driver::IllegalAddress:
  case driver::LaunchTimeout:
  case driver::MisalignedAddress:
  case driver::InvalidAddressSpace:
  case driver::InvalidPc:
  case driver::LaunchFailed:
  case driver::Unknown:
    code = Code::DeviceLost;
    break;
  default:
    break;
  }
  const char *name = nullptr;
  cuda.cuGetErrorName(error, &name);
  return failure(code, "CUDA: ", call, " fails with error ", int(error), " (",
                 name ? name : "unknown", ")");
}
