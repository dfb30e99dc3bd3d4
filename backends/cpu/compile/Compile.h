//===- Compile.h - the compile half of this backend -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_COMPILE_H
#define GLOW_BACKENDS_CPU_COMPILE_H

#include "glow/Backend/Backend.h"

namespace glow::cpu {

/// Makes machine code of a placed program of instructions, and packs its
/// constants in the order in which the code reads them.
class CpuBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "cpu"; }
  void addGraphPasses(mlir::OpPassManager &passes,
                      const CodeOptions &options) const override;
  Settings settingsFor(const EmitRequest &request) const override;
  void addFusionPasses(mlir::OpPassManager &passes,
                       const CodeOptions &options) const override;
  mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const override;
  std::unique_ptr<loops::Program>
  loopsOf(mlir::Operation *instr) const override;
  Status planLoops(loops::Program &program, llvm::StringRef layer,
                   const CodeOptions &options) const override;
  std::vector<StepReport> report(const Program &program) const override;
  Status checkOptions(const CodeOptions &options) const override;
  std::string fingerprint(const CodeOptions &options) const override;
  Result<std::string> store(const Program &program) const override;
  Result<Program> restore(const StoredProgram &stored) const override;
  Result<std::vector<EmittedFile>>
  emit(std::span<const EntryPoint> entries,
       const EmitRequest &request) const override;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_COMPILE_H
