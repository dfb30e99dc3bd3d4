//===- Compile.h - from instructions to steps -----------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_INTERPRETER_COMPILE_H
#define GLOW_BACKENDS_INTERPRETER_COMPILE_H

#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"

namespace glow {

/// Turns a placed program of instructions into steps that are called one by
/// one. Any backend with such a device may use it under its own name.
class StepBackend final : public Backend {
public:
  explicit StepBackend(std::string name) : backendName(std::move(name)) {}
  llvm::StringRef name() const override { return backendName; }
  mlir::FailureOr<Program>
  compile(ir::FuncOp function, std::shared_ptr<const void> owner,
          const CodeOptions &options = {}) const override;

private:
  std::string backendName;
};

/// Attaches the interpreter's kernels to the dialect, so that constants fold.
void addEvaluator(mlir::DialectRegistry &registry);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_COMPILE_H
