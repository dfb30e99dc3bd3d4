//===- Tile.h - the sizes of a node's tiles ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_TILE_H
#define GLOW_GRAPH_TILE_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node that a backend runs in tiles. It holds the tile
/// sizes, by the names of the cuts in the Tiling record: {rows = 7 : i64}.
inline constexpr llvm::StringLiteral tileSizes = "glow.tile";

/// The tile size of `cut`; fails after a diagnostic if it is missing or below
/// 1.
mlir::FailureOr<int64_t> tileSize(mlir::Operation *node, llvm::StringRef cut);

} // namespace glow

#endif // GLOW_GRAPH_TILE_H
