//===- Tile.h - sums of products kept in registers ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The one kernel below convolutions and products of matrices. A tile computes
// `width` pixels (rows) x `blocks` vectors of channels (columns):
//
//   out[x, b] = formula(bias[b] + sum over o, q, r, s, c of
//                       in[o, q, r, s, x, c] * weights[o, q, r, s, c, b])
//
// `o` counts blocks of channels, `q`, `r` and `s` the taps of a filter. The
// sums stay in registers over the whole reduction.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_TILE_TILE_H
#define GLOW_BACKENDS_CPU_CODEGEN_TILE_TILE_H

#include "codegen/emit/Emit.h"
#include "common/BroadcastKind.h"
#include "common/Processor.h"
#include "device/Choice.h"

namespace glow::cpu {

/// The form of packed weights.
enum class WeightForm {
  F32,
  F24,       ///< weights of 24 bits (Float24.h)
  Pairs,     ///< pairs of bf16 (Halves.h)
  Tiles,     ///< the same for the processor's tiles (MatrixTiles.h)
  SplitTiles ///< the same, followed by the rounding remainders as bf16
};
inline bool isOfTiles(WeightForm form) {
  return form == WeightForm::Tiles || form == WeightForm::SplitTiles;
}

/// Elements of a packing for a channel, or a pair of channels, of `blocks`
/// vectors.
int64_t packedSize(WeightForm form, int64_t blocks);

/// The computation after the sums.
struct Epilogue {
  bool bias = false;
  Formula formula;                   ///< x0 is the sum
  std::vector<BroadcastKind> extras; ///< broadcasts of x1, x2...
};

/// Ranges [from, to) of pixels.
using PixelRanges = std::vector<std::pair<int64_t, int64_t>>;
using TileValues = llvm::SmallVector<llvm::Value *>;

/// The properties that determine the code of a tile (Tile.def). Offsets are in
/// elements.
struct Tile {
#define GLOW_TILE_PROPERTY(TYPE, NAME, DEFAULT) TYPE NAME = DEFAULT;
#include "Tile.def"

  std::string key() const;
};

/// The arguments of a tile (Tile.def). Absent values may be null.
struct TileCall {
#define GLOW_TILE_ARGUMENT(ROW, TYPE, NAME, KIND, COUNT) TYPE NAME = {};
#include "Tile.def"
};

/// With forms of tiles: the bytes of a thread's scratch that tiles use, at its
/// begin.
int64_t tileScratchBytes(const Target &target, WeightForm form);
/// Configures the processor's tiles for so many pixels, for all tiles until
/// `emitTileRelease`. Does nothing with other forms.
void emitTileLines(Emitter &code, WeightForm form, int64_t lines);
void emitTileRelease(Emitter &code, WeightForm form);

/// Calls the tile, making its function when it is the first of its kind.
void emitTile(Emitter &code, const Tile &tile, const TileCall &call);

/// The number of `units` of a chunk, which has about 4 million products and
/// takes some tens of microseconds.
int64_t chooseBand(int64_t productsOfUnit, int64_t units);

/// The time of two threads for a phase, as a part of that of one, divided by a
/// half: 1 if both have as much to do. A phase has `units` of work in chunks of
/// `chunk` units. A program is compiled once for any number of threads, so
/// that algorithms are chosen for one and for two.
double shareOfTwo(int64_t units, int64_t chunk = 1);

/// A `band` of `units` with one more band where few chunks, `others` for each
/// band, are an odd number, so that two threads have as much to do. Fewer than
/// a million products stay as they are.
int64_t evenBand(int64_t band, int64_t units, int64_t others,
                 int64_t productsOfUnit);

/// The time of a tile of so many pixels, in products of a pixel. It includes
/// the loads of weights, and the latency of sums in a narrow tile.
double tileCost(int64_t width, int64_t blocks);

/// The report of the choices for a step that uses tiles.
StepChoice tileChoice(std::string algorithm, std::string layout, int64_t width,
                      int64_t blocks);

/// The work of tiles of so many pixels that together make `products` of vectors
/// and `results`, with the formula after them.
Work tileWork(int64_t width, int64_t blocks, double products, double results,
              const Formula &formula);

/// The number of blocks of channels in a panel, out of `blocks`.
int64_t choosePanel(const Target &target, int64_t blocks);

/// Calls `body` with the number of blocks of panel number `kernel`, of panels
/// of `panel` out of `blocks`: the last one may have fewer.
void anyPanel(Emitter &code, llvm::Value *kernel, int64_t blocks, int64_t panel,
              llvm::function_ref<void(int64_t)> body);

/// The width of tiles over `pixels` with the least waste.
int64_t chooseWidth(const Target &target, int64_t pixels, int64_t blocks);

/// A width of at most `most` for which tiles over `pixels` are about equally
/// wide.
int64_t evenWidth(int64_t pixels, int64_t most);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILE_H
