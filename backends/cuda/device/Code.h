//===- Code.h - kernels in PTX ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_DEVICE_CODE_H
#define GLOW_BACKENDS_CUDA_DEVICE_CODE_H

#include "glow/Program/Launches.h"

namespace glow::cuda {

/// The code of this backend.
struct CudaCode : LaunchCode {
  /// All kernels, which the driver of a device compiles when the program is
  /// loaded, and the LLVM IR that they were printed from, in comments.
  std::string ptx;
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_DEVICE_CODE_H
