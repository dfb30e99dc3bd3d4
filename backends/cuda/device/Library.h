//===- Library.h - the functions of NVIDIA's driver -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The part of the driver's interface that a device calls, declared here: no
// header of CUDA is needed. A size, an enumerator or a name with a version is
// as NVIDIA's documentation of the driver's interface has it.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CUDA_DEVICE_LIBRARY_H
#define GLOW_BACKENDS_CUDA_DEVICE_LIBRARY_H

#include "device/Driver.h"
#include "glow/Base/Status.h"
#include <memory>
#include <string>
#include <vector>

namespace glow::cuda {

/// The functions of libcuda.so.1, which is opened on first use and stays open.
struct Library {
#define GLOW_CUDA_FUNCTION(name, arguments)                                    \
  driver::Error(*name) arguments = nullptr;
  GLOW_CUDA_FUNCTIONS(GLOW_CUDA_FUNCTION)
#undef GLOW_CUDA_FUNCTION

  /// Fails with Code::NotFound if the process has no such library, or one that
  /// lacks a function; with Code::Unsupported if the driver is too old.
  static Result<const Library *> open();
};

/// A GPU of this machine.
struct FoundDevice {
  driver::Device device;
  std::string name;
  int major = 0, minor = 0; ///< compute capability
  uint64_t memoryBytes = 0;
};

/// All GPUs, in the driver's order, and its library.
struct AllDevices {
  const Library &library;
  std::vector<FoundDevice> devices;
};
/// Opens the library. Fails as Library::open, or with Code::NotFound if there
/// is no GPU.
Result<AllDevices> openDevices();

/// Fails with Code::Unsupported if no kernel runs on the GPU, which is too old.
Status checkDevice(const FoundDevice &found);

/// The driver's version: "13.0".
std::string versionOf(const Library &cuda);

/// A number of a device.
int numberOf(const Library &cuda, driver::Device device,
             driver::Attribute attribute);

/// The failure of a call: Code::OutOfMemory or Code::DeviceLost if the error
/// says so, else Code::Internal.
Status failureOf(const Library &cuda, const char *call, driver::Error error);

/// A context of the driver: memory, modules and streams of one device, and an
/// error that stays. It is destroyed with the object.
class OwnContext {
public:
  static Result<std::shared_ptr<const OwnContext>> make(const Library &cuda,
                                                        driver::Device device);
  ~OwnContext();
  OwnContext(const OwnContext &) = delete;
  /// For the calls of this thread.
  void makeCurrent() const { cuda.cuCtxSetCurrent(context); }

private:
  OwnContext(const Library &cuda, driver::Context context)
      : cuda(cuda), context(context) {}
  const Library &cuda;
  const driver::Context context;
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_DEVICE_LIBRARY_H
