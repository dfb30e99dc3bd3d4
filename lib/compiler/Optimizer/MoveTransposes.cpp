//===- MoveTransposes.cpp - fewer transposes, by other orders of axes -----===//
// SPDX-License-Identifier: MIT
//
// An AxisRegion is a set of nodes behind a Transpose that could run on the
// operand of the Transpose instead: `permuted` of their records describes how.
// The Transpose is removed, and others appear or go at the edges of the region;
// if they cancel, all of them go.
//
// A rule that moves a transpose past a single node cannot know whether it will
// meet its inverse. The graph may then grow in either direction, or the rule
// may never end. A region is measured as a whole, and changes only when fewer
// elements are moved by no more transposes.
//
//===----------------------------------------------------------------------===//

#include "AxisRegion.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Graph/Verify.h"
#include "glow/Optimizer/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_MOVETRANSPOSES
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Runs regions of nodes with permuted axes if that transposes fewer elements.
///
/// Pinned after the rewrites, which merge transposes of transposes, and before
/// the last folding of constants, which folds new transposes of constants. Ends
/// because each move leaves fewer elements to transpose by no more Transposes,
/// or as many by fewer; the number of other nodes does not change.
struct MoveTransposes : impl::MoveTransposesBase<MoveTransposes> {
  using MoveTransposesBase::MoveTransposesBase;

  void runOnOperation() override {
    ConstantTable constants(getOperation());
    for (FuncOp function : getOperation().getOps<FuncOp>()) {
      useless.clear();
      while (moveAll(function.block())) {
      }
    }
  }

private:
  /// Tries each transpose once, including new ones. Returns whether any was
  /// moved: transposes that failed before may then move.
  bool moveAll(Block &block) {
    llvm::SmallPtrSet<Operation *, 16> tried;
    bool moves = false;
    for (auto next = block.begin(); next != block.end();) {
      auto transpose = dyn_cast<Transpose>(*next++);
      if (!transpose || !tried.insert(transpose).second ||
          useless.contains(transpose) || takesLengths(transpose) ||
          !AxisRegion::mayGain(transpose, useless))
        continue;
      AxisRegion region(transpose);
      region.grow();
      if (!region.gains()) {
        useless.insert(transpose);
        continue;
      }
      moves = true;
      for (Operation *gone : region.rewrite())
        tried.erase(gone);
      // The graph has changed, and new transposes may come before this one.
      useless.clear();
      next = block.begin();
    }
    return moves;
  }

  /// Transposes that gained nothing since the last move, and nodes that no
  /// region gains by.
  llvm::SmallPtrSet<Operation *, 16> useless;
};

} // namespace
} // namespace glow
