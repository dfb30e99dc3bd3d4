//===- CheckElements.cpp - elements that kernels have ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Shape.h"
#include "glow/IR/Access.h"
#include "glow/IR/Structure.h"
#include "glow/IRGen/IRGen.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_CHECKELEMENTS
#include "glow/IRGen/Passes.h.inc"

namespace {

/// Whether an instruction computes with quantised elements. A copy only moves
/// them.
bool readsScale(Operation *op) {
  return ir::isInstr(op) && !isa<ir::CopyInstr>(op) &&
         llvm::any_of(op->getOperandTypes(), [](Type type) {
           auto buffer = dyn_cast<ir::BufferType>(type);
           return buffer && isQuantized(buffer.getElementType());
         });
}

/// Checks that no instruction computes with quantised elements, whose scale no
/// kernel reads.
///
/// Pinned after generate-instrs, as the verification that opens the instruction
/// phase: text may begin there. Ends because it visits each instruction once.
struct CheckElements : impl::CheckElementsBase<CheckElements> {
  using CheckElementsBase::CheckElementsBase;

  void runOnOperation() override {
    WalkResult walked =
        getOperation().walk(
            [](Operation *op) {
              if (!readsScale(op))
                return WalkResult::advance();
              op->emitError()
                  << "'" << op->getName().stripDialect()
                  << "' has quantised elements, and no kernel reads a scale";
              return WalkResult::interrupt();
            });
    markAllAnalysesPreserved();
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
