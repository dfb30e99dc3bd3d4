//===- TileFunction.h - the parameters of a tile's function ---*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H

#include "Tile.h"
#include <numeric>

namespace glow::cpu {

/// The arguments of a tile's function: the members of TileCall (Tile.def).
enum class TileArgument : unsigned {
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT) ROW,
#include "Tile.def"
  End
};

/// The index of an argument, or of the first one of a list; of End, the number
/// of arguments of the tile's function.
inline unsigned indexOf(const Tile &tile, TileArgument argument) {
  const size_t counts[] = {
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT) size_t(COUNT),
#include "Tile.def"
  };
  return unsigned(
      std::accumulate(counts, counts + size_t(argument), size_t(0)));
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H
