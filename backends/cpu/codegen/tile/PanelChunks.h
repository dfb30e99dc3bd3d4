//===- PanelChunks.h - work of a convolution for each thread ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_PANELCHUNKS_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_PANELCHUNKS_H

#include "Tile.h"

namespace glow::cpu {

/// A chunk: one image, one panel of output channels, and a band of units. Units
/// are rows, or tiles if the result is one row.
struct PanelChunk {
  llvm::Value *image, *kernel; ///< numbers of the image and of the panel
  llvm::Value *first, *end;    ///< units
  int64_t blocks;              ///< blocks of the panel
  bool isLast;                 ///< whether it is the last panel
};

/// The most rows, or other units, of a chunk. A thread then gets the same
/// quarters of an image in every step, and finds in its cache the data that it
/// wrote in the step before.
inline Length quarterOf(const Length &units) { return quotient(units + 3, 4); }

struct PanelChunks {
  int64_t panel = 1, panels = 1; ///< blocks of a panel, and number of panels
  Length units = 1;              ///< of an image
  Length band = 1, bands = 1;    ///< units of a chunk, chunks of a panel
  bool rowsFirst = false;        ///< whether all panels of a band come together

  /// Chooses panels of `blocks` of channels, in all groups.
  void choosePanels(const Target &target, int64_t blocks, int64_t groups);
  /// Chooses bands of an image of `ofImage` units, which have so many products.
  void chooseBands(const Length &ofImage, int64_t productsOfUnit);
  Length perImage() const { return bands * panels; }

  /// Emits the code of a chunk. The last panel may have fewer blocks. With
  /// `isAlike` it needs no separate code if it has as many blocks as the
  /// others.
  void emitChunk(Emitter &code, llvm::Value *chunk, int64_t blocks,
                 bool isAlike,
                 llvm::function_ref<void(const PanelChunk &)> body) const;
};

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_PANELCHUNKS_H
