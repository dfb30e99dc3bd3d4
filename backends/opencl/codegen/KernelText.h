//===- KernelText.h - OpenCL C of one kernel --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_CODEGEN_KERNELTEXT_H
#define GLOW_BACKENDS_OPENCL_CODEGEN_KERNELTEXT_H

#include "glow/DevicePlan/Kernels.h"

namespace glow::opencl {

/// The forms of kernels: all that plans have.
inline constexpr plans::PlanForms planForms;

/// A kernel, and the arguments of one launch of it, as in PrintedKernel. The
/// numbers begin with the byte offset of each tensor in its buffer.
struct KernelText {
  std::string body;              ///< without the name
  std::vector<unsigned> tensors; ///< tensors of the program, in order
  std::vector<int64_t> numbers;  ///< after the offsets of tensors
  std::array<uint64_t, 3> global = {1, 1, 1}, local = {1, 1, 1};
  uint64_t localFloats = 0; ///< floats of `factors`, in local memory
  bool needsGroup = false;  ///< whether work-items of a group wait for others
};

/// The kernels of a program, one after the other. Fails with Code::Unsupported
/// if OpenCL C has no function or element kind that the program needs.
Result<std::vector<KernelText>> kernelsOf(loops::Program &program);

/// Whether the prelude has a scalar function for a computation kind.
bool hasFunction(llvm::StringRef function, ElementKind computes);

/// The functions that kernels call, which come first in a source file.
std::string prelude();

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_CODEGEN_KERNELTEXT_H
