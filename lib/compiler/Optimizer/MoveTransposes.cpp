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
    for (FuncOp function : getOperation().getOps<FuncOp>())
      while (moveOne(function)) {
      }
  }

private:
  static bool moveOne(FuncOp function) {
    for (auto transpose : function.block().getOps<Transpose>()) {
      AxisRegion region(transpose);
      region.grow();
      if (region.gains()) {
        region.rewrite();
        // The list of transposes is another one now: the search begins anew.
        return true;
      }
    }
    return false;
  }
};

} // namespace
} // namespace glow
