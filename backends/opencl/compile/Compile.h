//===- Compile.h - the compile half of the OpenCL backend -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H
#define GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H

#include "glow/Backend/LaunchBackend.h"

namespace glow::opencl {

/// Prints the loops of instructions as OpenCL C. The driver of a device
/// compiles the kernels when a program is loaded.
class OpenclBackend final : public LaunchBackend {
public:
  llvm::StringRef name() const override { return "opencl"; }
  llvm::StringRef language() const override { return "OpenCL"; }
  void addFusionPasses(mlir::OpPassManager &passes,
                       const CodeOptions &options) const override;
  std::unique_ptr<KernelPrinter>
  printer(const CodeOptions &options) const override;
  const plans::PlanForms &forms() const override;
  bool hasFunction(llvm::StringRef function,
                   ElementKind computes) const override;
};

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H
