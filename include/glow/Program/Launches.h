//===- Launches.h - a program as launches of kernels ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_LAUNCHES_H
#define GLOW_PROGRAM_LAUNCHES_H

#include "glow/Program/Steps.h"
#include <array>
#include <string>
#include <vector>

namespace glow {

/// One launch of a kernel, or a copy of bytes.
struct Launch {
  static constexpr uint32_t copy = ~0u;

  uint32_t kernel = copy; ///< index into LaunchCode::kernels, or `copy`
  uint32_t step = 0;      ///< index into LaunchCode::steps
  /// Indices into LaunchCode::buffers, in the order of the kernel's arguments.
  /// The destination of a copy comes first.
  std::vector<uint32_t> buffers{};
  /// The first of the kernel's numbers in LaunchCode::numbers: the number of
  /// the step and 1, the byte offset of each buffer, and sizes. A copy has the
  /// byte offsets in destination and source, and the number of bytes.
  uint64_t first = 0;
  /// Work-items of the launch and of a group, in three dimensions.
  std::array<uint64_t, 3> global{}, local{};
  bool needsGroup = false; ///< whether work-items of a group wait for others
};

/// A step of the program, for messages and reports.
struct LaunchedStep {
  std::string node, instruction;
  std::vector<uint32_t> results{}; ///< indices into LaunchCode::buffers
};

/// The code of a backend whose kernels a driver compiles. All launches are on
/// one queue, in order. A backend adds the text of its kernels.
struct LaunchCode : ProgramCode {
  std::vector<BufferPlace> buffers;
  std::vector<LaunchedStep> steps;
  std::vector<Launch> launches;
  std::vector<std::string> kernels;  ///< names of functions
  std::vector<uint32_t> kernelSteps; ///< the first step that uses each kernel
  std::vector<int64_t> numbers;
};

/// The message of a step whose kernel found an index outside of its tensor.
inline constexpr const char *outOfRange = "an index is out of range";

} // namespace glow

#endif // GLOW_PROGRAM_LAUNCHES_H
