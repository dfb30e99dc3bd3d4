//===- TileNodes.cpp - nodes in parts that fit the chip -------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Tiles.h"
#include "glow/Graph/Tile.h"
#include "glow/Lowering/Passes.h"

using namespace mlir;

namespace glow {

#define GEN_PASS_DEF_TILENODES
#include "glow/Lowering/Passes.h.inc"

namespace {

/// Sets the tile sizes of nodes that the backend runs in tiles.
///
/// Pinned after the passes that create a backend's nodes, and before
/// generate-instrs, which makes the instructions of each tile. An existing size
/// stays. Ends because it visits each node once.
struct TileNodes : impl::TileNodesBase<TileNodes> {
  using TileNodesBase::TileNodesBase;

  void runOnOperation() override {
    const BackendInfo *info = findBackendInfo(backend);
    if (!info) {
      getOperation()->emitError() << "no backend is named '" << backend << "'";
      return signalPassFailure();
    }
    WalkResult walked = getOperation().walk([&](Operation *node) {
      const TilingInfo *tiling = tilingOf(*info, node);
      if (!tiling || node->hasAttr(tileSizes))
        return WalkResult::advance();
      std::optional<Ints> tile = tileFor(*info, *tiling, node);
      if (!tile) {
        node->emitError() << "'" << node->getName() << "' fits no tile: "
                          << whyNoTile(*info, *tiling, node);
        return WalkResult::interrupt();
      }
      NamedAttrList sizes;
      Builder builder(node);
      for (auto [cut, size] : llvm::zip_equal(tiling->cuts, *tile))
        sizes.append(cut, builder.getI64IntegerAttr(size));
      node->setAttr(tileSizes, sizes.getDictionary(&getContext()));
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
} // namespace glow
