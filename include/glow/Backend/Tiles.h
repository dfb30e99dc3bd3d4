//===- Tiles.h - parts of nodes that fit a backend's memories --*- C++ -*-===//

#ifndef GLOW_BACKEND_TILES_H
#define GLOW_BACKEND_TILES_H

#include "glow/Backend/Backend.h"
#include "glow/Base/Ints.h"

namespace glow {

/// A Tiling record. Sizes of tiles are in the order of its cuts.
struct TilingInfo {
  const char *backend, *node;
  std::vector<const char *> cuts;
  Ints multiples;                     ///< of the sizes of tiles, one a cut
  std::vector<const char *> memories; ///< that a tile needs
  /// What there is to cut of a node: one a cut.
  Ints (*sizes)(mlir::Operation *node);
  /// The bytes that a tile takes: one a memory.
  Ints (*needs)(mlir::Operation *node, const Ints &tile);
  /// The cycles of all tiles of a node.
  int64_t (*cost)(mlir::Operation *node, const Ints &tile);
};

void registerTilings(std::span<const TilingInfo> tilings);

/// How the backend tiles such a node; null where its records say nothing of it.
const TilingInfo *tilingOf(const BackendInfo &backend, mlir::Operation *node);

/// The tile of the least cost of those that fit the memories, twice where it is
/// not all of the node and there are such; of equal ones, the largest. None
/// where not even the smallest fits.
std::optional<Ints> tileFor(const BackendInfo &backend,
                            const TilingInfo &tiling, mlir::Operation *node);

/// Of a node of which no tile fits: "its smallest tile needs 600 bytes of
/// memory 'pad', which has 512".
std::string whyNoTile(const BackendInfo &backend, const TilingInfo &tiling,
                      mlir::Operation *node);

} // namespace glow

#endif // GLOW_BACKEND_TILES_H
