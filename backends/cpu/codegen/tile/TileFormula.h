//===- TileFormula.h - long formulas behind tiles -------------*- C++ -*-===//
//
// A formula of many instructions is not written out for each sum of every tile:
// beyond some of them the sums go to the stack, and one loop, which all tiles
// of a program share, computes the formula of each.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H

#include "Tile.h"

namespace glow::cpu {

/// Whether the formula of the tile, whose function is to be made, has a loop of
/// its own.
bool needsFormulaLoop(CodeModule &unit, const Tile &tile);

/// Emits the function of such a tile.
void emitInParts(CodeModule &unit, llvm::Function *function, const Tile &tile);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFORMULA_H
