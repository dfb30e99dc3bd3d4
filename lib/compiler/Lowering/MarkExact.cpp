//===- MarkExact.cpp - nodes before a discontinuity -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Continuity.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Lowering/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_MARKEXACT
#include "glow/Lowering/Passes.h.inc"

namespace {

/// Marks nodes of floats whose results may reach a step function.
///
/// Pinned after the passes that fuse nodes, which create them without marks,
/// and before generate-instrs, which copies the marks. Ends because it visits
/// each node once.
struct MarkExact : impl::MarkExactBase<MarkExact> {
  using MarkExactBase::MarkExactBase;

  void runOnOperation() override {
    auto mark = UnitAttr::get(&getContext());
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      auto exact = nodesBeforeSteps(function);
      for (Operation &node : function.block())
        if (exact.contains(&node) && computesFloats(node))
          node.setAttr(GlowDialect::exact, mark);
        else
          node.removeAttr(GlowDialect::exact);
    }
  }

private:
  /// Others have no shortcuts.
  static bool computesFloats(Operation &node) {
    return llvm::any_of(node.getOperandTypes(), [](Type type) {
      auto tensor = dyn_cast<ShapedType>(type);
      return tensor && isa<FloatType>(tensor.getElementType());
    });
  }
};

} // namespace
} // namespace glow
