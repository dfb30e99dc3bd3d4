//===- Compile.cpp - from instructions to a program that does nothing -----===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/StepBackend.h"

using namespace glow;

namespace {

/// Keeps the instructions as steps. A real backend would turn them into the
/// ProgramCode of its device.
class NullBackend final : public Backend {
public:
  llvm::StringRef name() const override { return "null"; }

  mlir::FailureOr<Program> compile(ir::FuncOp function,
                                   std::shared_ptr<const void> owner,
                                   const CodeOptions &options) const override {
    return StepBackend("null").compile(function, std::move(owner), options);
  }
};

} // namespace

static const NullBackend backend;
[[maybe_unused]] static const bool registered =
    (registerBackend(backend), true);
