//===- MoveTransposes.cpp - fewer transposes, by other orders of axes -----===//
//
// An AxisRegion is a set of nodes behind a Transpose that can as well run on
// what the Transpose was made of: `permuted` of their records says how. The
// Transpose goes, and others appear or go at the edges of the region; where
// they cancel, all of them do.
//
// A rule that moves a transpose past one node does not know whether it will
// meet its inverse; pushed in either direction it may grow the graph, or never
// end. A region is measured whole, and changes only when fewer elements are
// moved by no more transposes.
//
//===----------------------------------------------------------------------===//

#include "AxisRegion.h"
#include "glow/Graph/ConstantTable.h"
#include "glow/Optimizer/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_MOVETRANSPOSES
#include "glow/Optimizer/Passes.h.inc"

namespace {

/// Runs regions of nodes in another order of axes where fewer elements are
/// transposed then.
///
/// Pinned after the rewrites, which merge transposes of transposes, and before
/// the last folding of constants, which does those that were put on constants.
/// Ends because each move leaves fewer elements to transpose by no more
/// Transposes, or as many by fewer; nodes stay as many as they were.
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
  /// Tries each transpose once, those that moves make too. Returns whether any
  /// moved: what was tried before may now.
  bool moveAll(Block &block) {
    llvm::SmallPtrSet<Operation *, 16> tried;
    bool moves = false;
    for (auto next = block.begin(); next != block.end();) {
      auto transpose = dyn_cast<Transpose>(*next++);
      if (!transpose || !tried.insert(transpose).second ||
          useless.contains(transpose) ||
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
      // The graph is another, and new transposes may be before this one.
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
