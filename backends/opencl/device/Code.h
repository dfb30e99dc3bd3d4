//===- Code.h - a program as launches of kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_DEVICE_CODE_H
#define GLOW_BACKENDS_OPENCL_DEVICE_CODE_H

#include "glow/Program/Steps.h"
#include <string>
#include <vector>

namespace glow::opencl {

/// One launch of a kernel, or a copy of bytes.
struct Launch {
  static constexpr uint32_t copy = ~0u;

  uint32_t kernel = copy; ///< index into OpenclCode::kernels, or `copy`
  uint32_t step = 0;      ///< index into OpenclCode::steps
  /// Indices into OpenclCode::buffers, in the order of the kernel's arguments.
  /// The destination of a copy comes first.
  std::vector<uint32_t> buffers{};
  /// The first of the kernel's numbers in OpenclCode::numbers: the number of
  /// the step and 1, the byte offset of each buffer, and sizes. A copy has the
  /// byte offsets in destination and source, and the number of bytes.
  uint64_t first = 0;
  std::vector<uint64_t> global{}, local{}; ///< of three dimensions
  bool needsGroup = false; ///< whether work-items of a group wait for others
};

/// A step of the program, for messages and reports.
struct LaunchedStep {
  std::string node, instruction;
  std::vector<uint32_t> results{}; ///< indices into OpenclCode::buffers
};

/// The code of this backend. Kernels are OpenCL C, which the driver of a device
/// compiles when the program is loaded. All launches are on one queue, in
/// order.
struct OpenclCode : ProgramCode {
  std::vector<BufferPlace> buffers;
  std::vector<LaunchedStep> steps;
  std::vector<Launch> launches;
  std::vector<std::string> kernels;  ///< names of functions
  std::vector<uint32_t> kernelSteps; ///< the first step that uses each kernel
  std::vector<int64_t> numbers;
  std::string prelude;              ///< functions that kernels call
  std::vector<std::string> sources; ///< of each kernel
  bool usesDoubles = false;         ///< whether kernels need cl_khr_fp64
};

/// The message of a step whose kernel found an index outside of its tensor.
inline constexpr const char *outOfRange = "an index is out of range";

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_DEVICE_CODE_H
