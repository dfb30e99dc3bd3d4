//===- Tile.h - sums of products kept in registers ------------*- C++ -*-===//
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
enum class Form {
  F32,
  F24,       ///< weights of 24 bits (Float24.h)
  Pairs,     ///< pairs of bf16 (Halves.h)
  Tiles,     ///< the same for the processor's tiles (MatrixTiles.h)
  SplitTiles ///< the same, followed by the rounding remainders as bf16
};
inline bool isOfTiles(Form form) {
  return form == Form::Tiles || form == Form::SplitTiles;
}

/// Elements of a packing for a channel, or a pair of channels, of `blocks`
/// vectors.
int64_t packedSize(Form form, int64_t blocks);

/// The computation after the sums.
struct Epilogue {
  bool bias = false;
  Formula formula;                   ///< x0 is the sum
  std::vector<BroadcastKind> extras; ///< broadcasts of x1, x2...
};

/// The properties that determine the code of a tile. Offsets are in elements.
struct Tile {
  int64_t width = 1, blocks = 1;
  int64_t lastLanes = lanes; ///< lanes of the last block; the others are full
  int64_t inPixel = lanes;   ///< from a pixel to the next
  int64_t outPixel = lanes;
  int64_t taps = 1;        ///< number of taps along s
  int64_t inTap = 0;       ///< from a tap to the next, in the image
  int64_t count = lanes;   ///< channels of a block; 0 if known only at run time
  int64_t weightStep = 0;  ///< from a channel to the next; 0 for packed ones
  Form form = Form::F32;   ///< F24 only for packed weights of one tap
  bool outer = true;       ///< whether there are blocks of `count` channels
  bool rows = false;       ///< whether there is a loop over r
  int64_t planeRows = 0;   ///< rows of a filter plane, for a loop over q
  bool tail = false;       ///< whether the last block has fewer than `count`
  bool stream = false;     ///< whether to fetch weights long before their use
  bool next = false;       ///< whether to fetch others, TileCall::next
  bool difference = false; ///< whether TileCall::minus is subtracted
  int64_t starts = 0;      ///< sums that are added, TileCall::starts
  bool ahead = false;      ///< whether to fetch pixels, TileCall::ahead; then
                           ///< `count` is known
  int64_t lines = 0; ///< with forms of tiles, pixels that they are set to, at
                     ///< least `width`; of others nothing is kept
  /// Pixels of each tap that lie inside the image; empty when all do.
  std::vector<std::pair<int64_t, int64_t>> inside;
  Epilogue epilogue;

  std::string key() const;
};

/// The arguments of a tile. Absent values may be null.
struct TileCall {
  llvm::Value *in = nullptr, *weights = nullptr, *bias = nullptr;
  llvm::Value *out = nullptr;
  llvm::Value *outBlock = nullptr; ///< from a block of the result to the next
  llvm::Value *outer = nullptr, *inOuter = nullptr, *weightsOuter = nullptr;
  llvm::Value *firstRow = nullptr, *endRow = nullptr, *inRow = nullptr;
  llvm::Value *firstPlane = nullptr, *endPlane = nullptr, *inPlane = nullptr;
  llvm::Value *tail = nullptr;  ///< channels of the last block
  llvm::Value *ahead = nullptr; ///< from pixels to those that are read later
  llvm::Value *next = nullptr;  ///< a vector is fetched from here each channel
  /// The values subtracted from weights, in their order, and the address to
  /// store the differences; both may be the same.
  llvm::Value *minus = nullptr, *kept = nullptr;
  /// With Form::SplitTiles, the offset from pixels to their rounding
  /// remainders.
  llvm::Value *rest = nullptr;
  llvm::SmallVector<llvm::Value *> starts; ///< [width][blocks][16]
  llvm::SmallVector<llvm::Value *> extras;
};

/// With forms of tiles: the bytes of a thread's scratch that tiles use, at its
/// begin.
int64_t tileScratchBytes(const Target &target, Form form);
/// Configures the processor's tiles for so many pixels, for all tiles until
/// `emitTileRelease`. Does nothing with other forms.
void emitTileLines(Emitter &code, Form form, int64_t lines);
void emitTileRelease(Emitter &code, Form form);

/// Calls the tile, making its function when it is the first of its kind.
void emitTile(Emitter &code, const Tile &tile, const TileCall &call);

/// The number of `units` of a chunk, which has about 4 million products and
/// takes some tens of microseconds.
int64_t chooseBand(int64_t productsOfUnit, int64_t units);

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

/// The width of tiles over `pixels` with the least waste.
int64_t chooseWidth(const Target &target, int64_t pixels, int64_t blocks);

/// A width of at most `most` for which tiles over `pixels` are about equally
/// wide.
int64_t evenWidth(int64_t pixels, int64_t most);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILE_H
