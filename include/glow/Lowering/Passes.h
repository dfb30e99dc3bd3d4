//===- Passes.h - passes of phase lowering ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LOWERING_PASSES_H
#define GLOW_LOWERING_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace glow {

#define GEN_PASS_DECL
#include "glow/Lowering/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "glow/Lowering/Passes.h.inc"

struct RuleInfo;

/// Observer of the lowering of nodes.
class LoweringObserver {
public:
  virtual ~LoweringObserver() = default;
  /// `rule` replaced `node` by `made`. `node` is erased: it may only be
  /// compared.
  virtual void lowered(const mlir::Operation *node, const RuleInfo &rule,
                       llvm::ArrayRef<mlir::Operation *> made) = 0;
  /// The backend can neither run nor lower `node`. It is or came from `origin`,
  /// a node from before the lowering, which may only be compared.
  virtual void refused(const mlir::Operation *origin, mlir::Operation *node,
                       llvm::ArrayRef<std::string> reasons) = 0;
};

/// Lowers `root` and its results, as the pass does for a module. Nodes that the
/// backend can neither run nor lower are reported to the observer or, without
/// one, as one error each.
mlir::LogicalResult lowerForBackend(mlir::Operation *root,
                                    llvm::StringRef backend,
                                    LoweringObserver *observer = nullptr);

} // namespace glow

#endif // GLOW_LOWERING_PASSES_H
