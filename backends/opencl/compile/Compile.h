//===- Compile.h - the compile half of the OpenCL backend -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H
#define GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H

#include "glow/Backend/Backend.h"

namespace glow::opencl {

/// Prints the loops of instructions as OpenCL C. The driver of a device
/// compiles the kernels when a program is loaded.
class OpenclBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "opencl"; }
  void addFusionPasses(mlir::OpPassManager &passes,
                       const CodeOptions &options) const override;
  mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const override;
  /// Also the loops of a conversion, whose record has none.
  std::unique_ptr<loops::Program>
  loopsOf(mlir::Operation *instr) const override;
  Status planLoops(loops::Program &program, llvm::StringRef layer,
                   const CodeOptions &options) const override;
  std::vector<StepReport> report(const Program &program) const override;
};

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_COMPILE_COMPILE_H
