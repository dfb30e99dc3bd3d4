//===- Tile.h - the sizes of a node's tiles ---------------------*- C++ -*-===//

#ifndef GLOW_GRAPH_TILE_H
#define GLOW_GRAPH_TILE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node that a backend does in tiles: their sizes, by the
/// names that its Tiling record gives the cuts: {rows = 7 : i64}.
inline constexpr llvm::StringLiteral tileSizes = "glow.tile";

/// One of them; fails after a diagnostic where it is not there, or below 1.
mlir::FailureOr<int64_t> tileSize(mlir::Operation *node, llvm::StringRef cut);

} // namespace glow

#endif // GLOW_GRAPH_TILE_H
