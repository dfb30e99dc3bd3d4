//===- TileFunction.h - the parameters of a tile's function ---*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H

#include "Tile.h"

namespace glow::cpu {

/// The parameters of a tile's function: the members of TileCall, in this order.
/// Up to Out they are pointers, then i64; then pointers again up to the memory,
/// then i64.
struct TileArgument {
  enum Index : unsigned {
    In,
    Weights,
    Bias,
    Out,
    OutBlock,
    Outer,
    InOuter,
    WeightsOuter,
    FirstRow,
    EndRow,
    InRow,
    Tail,
    Ahead,
    FirstExtra // then starts, next, minus, kept, memory, rest, firstPlane,
               // endPlane, inPlane, if the tile has them
  };
};

/// The numbers of arguments that not all tiles have, and the number of
/// arguments.
inline unsigned firstStart(const Tile &tile) {
  return TileArgument::FirstExtra + unsigned(tile.epilogue.extras.size());
}
inline unsigned nextOf(const Tile &tile) {
  return firstStart(tile) + unsigned(tile.starts);
}
inline unsigned minusOf(const Tile &tile) { return nextOf(tile) + tile.next; }
/// The argument with the thread's scratch, which may hold a model of tiles.
inline unsigned memoryOf(const Tile &tile) {
  return minusOf(tile) + (tile.difference ? 2 : 0);
}
/// The first of the last i64 arguments.
inline unsigned restOf(const Tile &tile) {
  return memoryOf(tile) + isOfTiles(tile.form);
}
inline unsigned planesOf(const Tile &tile) {
  return restOf(tile) + (tile.form == Form::SplitTiles);
}
inline unsigned argumentsOf(const Tile &tile) {
  return planesOf(tile) + (tile.planeRows ? 3 : 0);
}

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILEFUNCTION_H
