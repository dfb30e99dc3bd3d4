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

/// What a packing has in the place of weights.
enum class Form {
  F32,
  F24,       ///< weights of 24 bits (Float24.h)
  Pairs,     ///< pairs of bf16 (Halves.h)
  Tiles,     ///< the same for the processor's tiles (MatrixTiles.h)
  SplitTiles ///< and after them what rounding left, as bf16
};
inline bool isOfTiles(Form form) {
  return form == Form::Tiles || form == Form::SplitTiles;
}

/// Elements of a packing for a channel, or a pair of channels, of `blocks`
/// vectors.
int64_t packedSize(Form form, int64_t blocks);

/// What follows the sums.
struct Epilogue {
  bool bias = false;
  Formula formula;                   ///< x0 is the sum
  std::vector<BroadcastKind> extras; ///< of x1, x2...
};

/// All that code is made for. Offsets are in elements.
struct Tile {
  int64_t width = 1, blocks = 1;
  int64_t lastLanes = lanes; ///< of the last block; the others are full
  int64_t inPixel = lanes;   ///< from a pixel to the next
  int64_t outPixel = lanes;
  int64_t taps = 1;        ///< along s
  int64_t inTap = 0;       ///< from a tap to the next, in the image
  int64_t count = lanes;   ///< channels of a block; 0 if only a run knows
  int64_t weightStep = 0;  ///< from a channel to the next; 0 for packed ones
  Form form = Form::F32;   ///< F24 only of packed ones, of one tap
  bool outer = true;       ///< whether there are blocks of `count` channels
  bool rows = false;       ///< whether there is a loop over r
  int64_t planeRows = 0;   ///< of a filter, if there is a loop over q
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

/// What a call of a tile is given. Absent values may be null.
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
  /// What is subtracted from weights, in their order, and where to keep what
  /// comes out; both may be one.
  llvm::Value *minus = nullptr, *kept = nullptr;
  /// With Form::SplitTiles, from pixels to what rounding left of them.
  llvm::Value *rest = nullptr;
  llvm::SmallVector<llvm::Value *> starts; ///< [width][blocks][16]
  llvm::SmallVector<llvm::Value *> extras;
};

/// With forms of tiles: of a thread's memory, the first bytes are for these.
int64_t tileScratchBytes(const Target &target, Form form);
/// Sets the processor's tiles to so many pixels, which all tiles until
/// `emitTileRelease` have. Nothing with other forms.
void emitTileLines(Emitter &code, Form form, int64_t lines);
void emitTileRelease(Emitter &code, Form form);

/// Calls the tile, making its function when it is the first of its kind.
void emitTile(Emitter &code, const Tile &tile, const TileCall &call);

/// How many of `units`, of so many products each, make a chunk: about 4 million
/// products, some tens of microseconds.
int64_t chooseBand(int64_t productsOfUnit, int64_t units);

/// What a tile of so many pixels takes, in the products of a pixel: it also
/// loads its weights, and a narrow one waits for its own sums.
double tileCost(int64_t width, int64_t blocks);

/// What was chosen where tiles make products.
StepChoice tileChoice(std::string algorithm, std::string layout, int64_t width,
                      int64_t blocks);

/// What tiles of so many pixels do, of which all make `products` of vectors and
/// `results`, with the formula that follows.
Work tileWork(int64_t width, int64_t blocks, double products, double results,
              const Formula &formula);

/// The blocks of channels in a panel, of `blocks`.
int64_t choosePanel(const Target &target, int64_t blocks);

/// The width of tiles over `pixels` that wastes least.
int64_t chooseWidth(const Target &target, int64_t pixels, int64_t blocks);

/// At most `most`, such that tiles of so many pixels are about as wide.
int64_t evenWidth(int64_t pixels, int64_t most);

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_TILE_TILE_H
