//===- CheckGraph.cpp - the door of the room Graph ------------------------===//

#include "glow/Graph/Format.h"
#include "glow/Optimizer/Passes.h"

namespace glow {

#define GEN_PASS_DEF_CHECKGRAPH
#include "glow/Graph/Passes.h.inc"

namespace {

/// Checks what no node can check alone: that every read and every save names
/// storage of the module, of its type.
///
/// Pinned right after import or parsing: every later pass relies on it.
struct CheckGraph : impl::CheckGraphBase<CheckGraph> {
  using CheckGraphBase::CheckGraphBase;
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](mlir::Operation *op) {
      failed |= mlir::failed(verifyStorageUse(op));
    });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
