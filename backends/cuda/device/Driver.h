//===- Driver.h - declarations of NVIDIA's driver ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Names, numbers and arguments are those that NVIDIA documents for the driver's
// interface. The emulated driver of the tests includes this header, too.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CUDA_DEVICE_DRIVER_H
#define GLOW_BACKENDS_CUDA_DEVICE_DRIVER_H

#include <cstddef>
#include <cstdint>

namespace glow::cuda::driver {

using Device = int;
using Address = unsigned long long; ///< of memory on a device
using Context = struct ContextOfDriver *;
using Module = struct ModuleOfDriver *;
using Function = struct FunctionOfDriver *;
using Stream = struct StreamOfDriver *;
using Graph = struct GraphOfDriver *;
using GraphExec = struct GraphExecOfDriver *;

enum Error : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  Deinitialized = 4,
  DeviceUnavailable = 46,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  NoBinaryForGpu = 209,
  EccUncorrectable = 214,
  InvalidPtx = 218,
  UnsupportedPtxVersion = 222,
  InvalidHandle = 400,
  NameNotFound = 500,
  IllegalAddress = 700,
  LaunchOutOfResources = 701,
  LaunchTimeout = 702,
  MisalignedAddress = 716,
  InvalidAddressSpace = 717,
  InvalidPc = 718,
  LaunchFailed = 719,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  Unknown = 999,
};

enum Attribute : int {
  MaxThreadsPerBlock = 1,
  MultiprocessorCount = 16,
  CapabilityMajor = 75,
  CapabilityMinor = 76,
};

enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferBytes = 6 };
enum CaptureMode : int { ThreadLocal = 1 };

/// Name and arguments of each function; all return an Error.
#define GLOW_CUDA_FUNCTIONS(X)                                                 \
  X(cuInit, (unsigned flags))                                                  \
  X(cuDriverGetVersion, (int *version))                                        \
  X(cuDeviceGetCount, (int *count))                                            \
  X(cuDeviceGet, (driver::Device * device, int number))                        \
  X(cuDeviceGetName, (char *name, int bytes, driver::Device device))           \
  X(cuDeviceTotalMem_v2, (size_t *bytes, driver::Device device))               \
  X(cuDeviceGetAttribute,                                                      \
    (int *value, driver::Attribute attribute, driver::Device device))          \
  X(cuCtxCreate_v2,                                                            \
    (driver::Context * context, unsigned flags, driver::Device device))        \
  X(cuCtxDestroy_v2, (driver::Context context))                                \
  X(cuCtxSetCurrent, (driver::Context context))                                \
  X(cuStreamCreate, (driver::Stream * stream, unsigned flags))                 \
  X(cuStreamDestroy_v2, (driver::Stream stream))                               \
  X(cuStreamSynchronize, (driver::Stream stream))                              \
  X(cuModuleLoadDataEx,                                                        \
    (driver::Module * module, const void *image, unsigned options,             \
     driver::JitOption *names, void **values))                                 \
  X(cuModuleUnload, (driver::Module module))                                   \
  X(cuModuleGetFunction,                                                       \
    (driver::Function * function, driver::Module module, const char *name))    \
  X(cuMemAlloc_v2, (driver::Address * address, size_t bytes))                  \
  X(cuMemFree_v2, (driver::Address address))                                   \
  X(cuMemcpyHtoDAsync_v2, (driver::Address to, const void *from, size_t bytes, \
                           driver::Stream stream))                             \
  X(cuMemcpyDtoHAsync_v2,                                                      \
    (void *to, driver::Address from, size_t bytes, driver::Stream stream))     \
  X(cuMemcpyDtoDAsync_v2, (driver::Address to, driver::Address from,           \
                           size_t bytes, driver::Stream stream))               \
  X(cuLaunchKernel,                                                            \
    (driver::Function function, unsigned blocksX, unsigned blocksY,            \
     unsigned blocksZ, unsigned threadsX, unsigned threadsY,                   \
     unsigned threadsZ, unsigned sharedBytes, driver::Stream stream,           \
     void **arguments, void **extra))                                          \
  X(cuStreamBeginCapture_v2,                                                   \
    (driver::Stream stream, driver::CaptureMode mode))                         \
  X(cuStreamEndCapture, (driver::Stream stream, driver::Graph * graph))        \
  X(cuGraphInstantiateWithFlags,                                               \
    (driver::GraphExec * exec, driver::Graph graph, unsigned long long flags)) \
  X(cuGraphLaunch, (driver::GraphExec exec, driver::Stream stream))            \
  X(cuGraphExecDestroy, (driver::GraphExec exec))                              \
  X(cuGraphDestroy, (driver::Graph graph))                                     \
  X(cuGetErrorName, (driver::Error error, const char **name))

} // namespace glow::cuda::driver

#endif // GLOW_BACKENDS_CUDA_DEVICE_DRIVER_H
