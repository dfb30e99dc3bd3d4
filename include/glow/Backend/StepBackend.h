//===- StepBackend.h - from instructions to steps --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKEND_STEPBACKEND_H
#define GLOW_BACKEND_STEPBACKEND_H

#include "glow/Backend/Backend.h"

namespace glow {

/// Turns a placed program of instructions into steps that a device calls one by
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

} // namespace glow

#endif // GLOW_BACKEND_STEPBACKEND_H
