//===- TileFormula.h - long formulas behind tiles -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A long formula is not unrolled for each sum of every tile. Beyond a limit the
// sums are stored on the stack, and one loop, which all tiles of a program
// share, computes the formula of each.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H

#include "Tile.h"

namespace glow::cpu {

/// Whether the formula of a tile needs the loop. Called when the function of
/// the tile is made.
bool needsFormulaLoop(CodeModule &module, const Tile &tile);

/// Emits the function of such a tile.
void emitInParts(CodeModule &module, llvm::Function *function,
                 const Tile &tile);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H
