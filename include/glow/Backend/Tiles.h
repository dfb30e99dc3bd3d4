//===- Tiles.h - tiles of nodes that fit a memory ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKEND_TILES_H
#define GLOW_BACKEND_TILES_H

#include "glow/Backend/Backend.h"
#include "glow/Base/Ints.h"

namespace glow {

/// A Tiling record. Tile sizes are in the order of its cuts.
struct TilingInfo {
  const char *backend, *node;
  std::vector<const char *> cuts;
  Ints multiples;                     ///< tile sizes are multiples of these
  std::vector<const char *> memories; ///< the memories that a tile needs
  /// The sizes of a node that are cut, one for each cut.
  Ints (*sizes)(mlir::Operation *node);
  /// Memory use of a tile in bytes, one number for each memory.
  Ints (*needs)(mlir::Operation *node, const Ints &tile);
  /// The cycles for all tiles of a node.
  int64_t (*cost)(mlir::Operation *node, const Ints &tile);
};

void registerTilings(std::span<const TilingInfo> tilings);

/// The backend's Tiling record for a node; null if it has none.
const TilingInfo *tilingOf(const BackendInfo &backend, mlir::Operation *node);

/// The cheapest tile that fits the memories; among equal ones, the largest.
/// Tiles that fit twice, for double buffering, are preferred unless the tile is
/// the whole node. Nothing if not even the smallest tile fits.
std::optional<Ints> tileFor(const BackendInfo &backend,
                            const TilingInfo &tiling, mlir::Operation *node);

/// The reason why no tile of a node fits: "its smallest tile needs 600 bytes of
/// memory 'pad', which has 512".
std::string whyNoTile(const BackendInfo &backend, const TilingInfo &tiling,
                      mlir::Operation *node);

} // namespace glow

#endif // GLOW_BACKEND_TILES_H
