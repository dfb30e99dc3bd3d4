//===- Code.h - kernels in OpenCL C -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_DEVICE_CODE_H
#define GLOW_BACKENDS_OPENCL_DEVICE_CODE_H

#include "glow/Program/Launches.h"

namespace glow::opencl {

/// The code of this backend. Kernels are OpenCL C, which the driver of a device
/// compiles when the program is loaded.
struct OpenclCode : LaunchCode {
  std::string prelude;              ///< functions that kernels call
  std::vector<std::string> sources; ///< of each kernel
  bool usesDoubles = false;         ///< whether kernels need cl_khr_fp64
};

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_DEVICE_CODE_H
