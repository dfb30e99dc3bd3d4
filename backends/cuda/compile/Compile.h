//===- Compile.h - the compile half of the CUDA backend ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CUDA_COMPILE_COMPILE_H
#define GLOW_BACKENDS_CUDA_COMPILE_COMPILE_H

#include "glow/Backend/LaunchBackend.h"

namespace glow::cuda {

/// Prints the loops of instructions as PTX, by LLVM. The driver of a device
/// compiles the kernels when a program is loaded.
class CudaBackend final : public LaunchBackend {
public:
  llvm::StringRef name() const override { return "cuda"; }
  llvm::StringRef language() const override { return "PTX"; }
  void addFusionPasses(mlir::OpPassManager &passes,
                       const CodeOptions &options) const override;
  std::unique_ptr<KernelPrinter>
  printer(const CodeOptions &options) const override;
  const plans::PlanForms &forms() const override;
  bool hasFunction(llvm::StringRef function,
                   ElementKind computes) const override;
};

} // namespace glow::cuda

#endif // GLOW_BACKENDS_CUDA_COMPILE_COMPILE_H
