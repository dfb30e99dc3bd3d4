//===- AssembleTile.h - tiles without a compiler --------------*- C++ -*-===//

#ifndef GLOW_BACKENDS_CPU_ASSEMBLETILE_H
#define GLOW_BACKENDS_CPU_ASSEMBLETILE_H

#include "Tile.h"

namespace glow::cpu {

/// The machine code of a tile's function, which takes the arguments of
/// `TileArgument` as C does: what LLVM makes of it, to the last bit of a sum,
/// in a hundredth of the time. Calls nothing and reads no memory of its own, so
/// that it may lie anywhere. Empty where this is no x86-64 with AVX2, for
/// weights that are not f32, and for formulas of other functions than sums,
/// products and limits.
std::string assembleTile(const Target &target, const Tile &tile);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_ASSEMBLETILE_H
