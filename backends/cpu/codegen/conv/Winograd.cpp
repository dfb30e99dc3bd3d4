//===- Winograd.cpp - 3x3 convolution with fewer products -----------------===//
// SPDX-License-Identifier: MIT
//
// Winograd's F(m x m, 3 x 3), m = 4 or 2: a tile of m x m pixels of the result
// takes (m + 2)^2 products a channel instead of 9 m^2.
//
//   V = B' d B   for the tile's pixels d    (a block of 16 channels at a time)
//   U = G g G'   for the filter g           (of a constant: when compiled)
//   M = sum over channels of U * V          (a product of matrices a point)
//   Y = A' M A   and the formula
//
// A. Lavin, S. Gray, Fast Algorithms for Convolutional Neural Networks, 2016.
//
// With a stride of 2, a row of the result is the sum of two rows of stride 1:
// the even pixels by the first and last tap, and the odd pixels by the middle
// tap. The row of even pixels is F(m, 2), with m + 1 points, and each odd pixel
// is a point of its own: (2 m + 1)^2 products a channel instead of 9 m^2, 0.56
// of them with m = 4. All points of odd pixels share a point of U.
//
// Tiles are processed in blocks, in the order of images, rows, columns. If the
// filter is large compared with the image, all tiles are one block, so that U
// is read once. Otherwise V of a block stays in the second-level cache.
//
// A filter of several planes is a sum over planes, too. V is computed once for
// a tile of each image plane, and read for every result plane that a filter
// plane leads to. So a block has its tiles of all planes.
//
// U of a constant is computed when the program is compiled, though it is 1.8 or
// 4 times as large as the filter. Alternatives were slower:
// - Transforming in each inference, a part of the channels at a time: VGG-19's
//   layers of 14 x 14 pixels took 1.55 times as long, and layers of 28 x 28
//   pixels 1.2 times, because of 36 streams of stores.
// - Transforming at each read, 16 or 32 output channels at a time: layers of
//   14 x 14 and 7 x 7 pixels took 1.3 to 1.5 times as long. The products take
//   half a cycle a vector, and writing a vector of the filter takes one for
//   each 16 tiles that read it.
// - Fixed-point numbers of 24 bits, with the same error as f32: 1.1 to 1.25
//   times as long, because unpacking costs more than the saved bytes.
// A filter that a run gives, as a weight in training, is transformed in the
// run: of a single block by the thread that multiplies the panel, else by a
// phase for all blocks.
//
//===----------------------------------------------------------------------===//

#include "Winograd.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvCall, calls::CpuConvTransposeCall;

namespace {

class WinogradEmitter {
public:
  WinogradEmitter(CodeModule &module, const ConvOperands &call, WinogradSizes w,
                  Epilogue epilogue, const Twine &name)
      : module(module), call(call), w(w), epilogue(std::move(epilogue)),
        name(name.str()) {
    panel = w.panel;
    panels = (w.outBlocks() + panel - 1) / panel;
  }

  NativeStep emit() {
    NativeStep step;
    if (w.isOneBlock()) {
      step.phases.push_back({emitTransforms(), w.inBlocks()});
      step.phases.push_back({emitProducts(), panels});
      step.sharedBytes = w.bytesOfV();
      step.scratchBytes = w.bytesOfM() + w.bytesOfU();
    } else {
      if (w.inRun)
        step.phases.push_back({emitFilters(), panels * w.inBlocks()});
      step.sharedBytes = w.sharedBytesOfU();
      step.phases.push_back({emitBlocks(), blocks().range().high});
      step.scratchBytes = w.bytesOfV() + w.bytesOfM();
    }
    packings(step);
    std::string m = std::to_string(w.size);
    int64_t width = chooseWidth(module.target, blockTiles(), panel);
    step.choice =
        tileChoice("F(" + m + "x" + m + ")" + (w.stride == 2 ? "/2" : ""),
                   "cnhw16c", width, panel);
    step.work =
        tileWork(width, panel, productsOf(w), resultsOf(w), epilogue.formula);
    step.work->transforms = transformsOf(w);
    return step;
  }

private:
  int64_t blockTiles() const { return std::min(w.blockTiles, w.mostTiles()); }
  Length blocks() const {
    return quotient(w.tiles() + w.blockTiles - 1, w.blockTiles);
  }

  /// The tiles of a block.
  struct TileCount {
    int64_t most;        ///< tiles in memory, of each plane
    Value *run;          ///< tiles that there are
    bool isFixed = true; ///< whether each run has the most
  };
  /// All tiles, of a single block.
  TileCount allTiles(Emitter &code) const {
    return {w.mostTiles(), valueOf(code, w.tiles()), w.tiles().isFixed()};
  }

  /// The first phase for blocks of tiles: U of a filter that a run gives. A
  /// chunk is a block of input channels of a panel.
  Function *emitFilters() {
    Emitter code(module, module.addStep(name + ".filter"));
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *block = code.CreateURem(chunk, code.integer(w.inBlocks()));
          Value *kernel = code.CreateUDiv(chunk, code.integer(w.inBlocks()));
          Value *u = code.at(code.buffer(call.packedFilter()),
                             code.times(kernel, w.elementsOfU(panel)));
          transformFilter(code, kernel, block, u);
        });
    code.CreateRetVoid();
    return code.function;
  }
  /// U of a panel for one block of input channels.
  void transformFilter(Emitter &code, Value *kernel, Value *block, Value *u) {
    Value *from = code.at(code.buffer(call.filter),
                          code.times(kernel, panel * lanes * w.filter.out));
    const int64_t last = w.outBlocks() - (panels - 1) * panel;
    const int64_t rest = (w.channels - 1) % lanes + 1;
    if (last == panel && rest == lanes)
      return emitFilterTransform(code, w, from, block, panel, lanes, u);
    Value *isLast = code.CreateICmpEQ(kernel, code.integer(panels - 1));
    code.when(isLast, [&] {
      emitFilterTransform(code, w, from, block, last, rest, u);
    });
    if (panels > 1)
      code.when(code.CreateNot(isLast), [&] {
        emitFilterTransform(code, w, from, block, panel, lanes, u);
      });
  }

  /// Phase 1 of a single block: a chunk is a block of channels.
  Function *emitTransforms() {
    Emitter code(module, module.addStep(name + ".in"));
    Value *shared = code.buffer(call.out.shared());
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *channels) {
                transformChannels(code, shared, channels, code.integer(0),
                                  allTiles(code));
              });
    code.CreateRetVoid();
    return code.function;
  }

  /// Phase 2 of a single block: a chunk is a panel of output channels.
  Function *emitProducts() {
    Emitter code(module, module.addStep(name));
    Value *shared = code.buffer(call.out.shared());
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *kernel) {
                emitAnyPanel(code, shared, code.scratch(), kernel,
                             code.integer(0), allTiles(code));
              });
    code.CreateRetVoid();
    return code.function;
  }

  /// A chunk is a block of tiles.
  Function *emitBlocks() {
    Emitter code(module, module.addStep(name));
    auto ofFixed = [&](int64_t count) {
      return TileCount{count, code.integer(count)};
    };
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *block) {
          if (!w.tiles().isFixed())
            return emitBlock(code, block, openTiles(code, block));
          int64_t last = w.tiles().fixed() % w.blockTiles;
          if (!last)
            return emitBlock(code, block, ofFixed(w.blockTiles));
          Value *isLast = code.CreateICmpEQ(
              block, code.integer(w.tiles().fixed() / w.blockTiles));
          code.when(isLast, [&] { emitBlock(code, block, ofFixed(last)); });
          code.when(code.CreateNot(isLast),
                    [&] { emitBlock(code, block, ofFixed(w.blockTiles)); });
        });
    code.CreateRetVoid();
    emitMeasure(code, blocks());
    return code.function;
  }
  /// The tiles of a block if a run gives their number.
  TileCount openTiles(Emitter &code, Value *block) const {
    Value *left = code.CreateNSWSub(valueOf(code, w.tiles()),
                                    code.times(block, w.blockTiles));
    return {w.blockTiles, code.smaller(left, code.integer(w.blockTiles)),
            /*isFixed=*/false};
  }

  void emitBlock(Emitter &code, Value *block, const TileCount &count) {
    Value *v = code.scratch();
    Value *m = code.at(v, w.bytesOfV() / 4);
    Value *first = code.times(block, w.blockTiles);
    code.loop(code.integer(0), code.integer(w.inBlocks()),
              [&](Value *channels) {
                transformChannels(code, v, channels, first, count);
              });
    code.loop(code.integer(0), code.integer(panels), [&](Value *kernel) {
      emitAnyPanel(code, v, m, kernel, first, count);
    });
  }

  /// V of one block of channels and `count` tiles of each plane from `first`
  /// on.
  void transformChannels(Emitter &code, Value *v, Value *channels, Value *first,
                         const TileCount &count) {
    const Length plane = w.height * w.width * lanes, image = plane * w.depth;
    Value *in =
        code.at(code.buffer(call.in), times(code, channels, w.images * image));
    Value *to = code.at(v, code.times(channels, w.depth * count.most * lanes));
    code.loop(code.integer(0), count.run, [&](Value *t) {
      TilePlace place(code, w, code.add(first, t));
      Value *from = code.at(in, times(code, place.image, image));
      code.loop(code.integer(0), code.integer(w.depth), [&](Value *z) {
        Value *tile = code.add(code.times(z, count.most), t);
        emitInputTransform(code, w, code.at(from, times(code, z, plane)), place,
                           code.at(to, code.times(tile, lanes)),
                           w.pointOfV(count.most));
      });
    });
  }

  void emitAnyPanel(Emitter &code, Value *v, Value *m, Value *kernel,
                    Value *first, const TileCount &count) {
    anyPanel(code, kernel, w.outBlocks(), panel, [&](int64_t blocks) {
      emitPanel(code, v, m, kernel, first, count, blocks);
    });
  }

  void emitPanel(Emitter &code, Value *v, Value *m, Value *kernel, Value *first,
                 const TileCount &count, int64_t blocks) {
    int64_t slices = w.inChannels * w.planes, tiles = w.outDepth * count.most;
    Value *u = filterOf(code, kernel);
    Value *side = code.integer(w.side());
    auto ofFilter = [&](Value *i) {
      return code.smaller(i, code.integer(w.filterSide() - 1));
    };
    code.loop(code.integer(0), side, [&](Value *y) {
      code.loop(code.integer(0), side, [&](Value *x) {
        Value *point = code.add(code.times(y, w.side()), x);
        Value *pointOfU =
            code.add(code.times(ofFilter(y), w.filterSide()), ofFilter(x));
        emitPoint(code, code.at(v, code.times(point, w.pointOfV(count.most))),
                  code.at(u, code.times(pointOfU, slices * blocks * lanes)),
                  code.at(m, code.times(point, blocks * tiles * lanes)), count,
                  blocks);
      });
    });
    Value *channel = code.times(kernel, panel * lanes);
    code.loop(code.integer(0), code.integer(blocks), [&](Value *b) {
      Value *from = code.at(m, code.times(b, tiles * lanes));
      Value *block = code.add(code.times(kernel, panel), b);
      Value *bias = nullptr;
      Value *start = code.add(channel, code.times(b, lanes));
      if (epilogue.bias)
        bias = code.at(code.buffer(*call.bias), start);
      code.loop(code.integer(0), count.run, [&](Value *t) {
        TilePlace place(code, w, code.add(first, t));
        code.loop(code.integer(0), code.integer(w.outDepth), [&](Value *z) {
          Value *tile = code.add(code.times(z, count.most), t);
          finishTile(code, code.at(from, code.times(tile, lanes)),
                     blocks * tiles * lanes, bias, start, block, place, z);
        });
      });
    });
  }

  /// U of a panel.
  Value *filterOf(Emitter &code, Value *kernel) {
    if (!w.inRun || !w.isOneBlock())
      return code.at(code.buffer(call.packedFilter()),
                     code.times(kernel, w.elementsOfU(panel)));
    Value *u = code.bytesAt(code.scratch(), w.bytesOfM());
    code.loop(code.integer(0), code.integer(w.inBlocks()),
              [&](Value *block) { transformFilter(code, kernel, block, u); });
    return u;
  }

  /// The product of matrices of one point: [count, C] times [C, blocks * 16]
  /// for each plane of the result and of the filter that lie `z` - `padFront`
  /// apart.
  void emitPoint(Emitter &code, Value *v, Value *u, Value *m,
                 const TileCount &tiles, int64_t blocks) {
    const int64_t count = tiles.most;
    TileCall call;
    call.weights = u;
    call.outBlock = code.integer(w.outDepth * count * lanes);
    call.outer = code.integer(w.inBlocks());
    call.inOuter = code.integer(w.depth * count * lanes);
    call.inRow = code.integer(count * lanes);
    call.weightsOuter = code.integer(w.planes * lanes * blocks * lanes);
    call.ahead = code.integer(w.pointOfV(count)); // the rows of the next point
    for (int64_t z = 0; z < w.outDepth;) {
      PlaneRange inside = planesInside(w, z);
      int64_t end = z + 1;
      // Consecutive planes that read the same filter planes are one matrix.
      while (end < w.outDepth && planesInside(w, end) == inside)
        ++end;
      call.firstRow = code.integer(inside.first);
      call.endRow = code.integer(inside.second);
      int64_t front = (z - w.padFront) * count * lanes;
      call.in = code.at(v, front), call.out = code.at(m, z * count * lanes);
      emitRows(code, call, (end - z) * count,
               tiles.isFixed ? nullptr : tiles.run, blocks);
      z = end;
    }
  }

  /// `count` rows of these products, or at most so many if a run gives their
  /// number.
  void emitRows(Emitter &code, const TileCall &first, int64_t count,
                Value *ofRun, int64_t blocks) {
    Tile tile;
    tile.blocks = blocks;
    tile.stream = true;
    tile.ahead = true;
    tile.rows = w.isDeep();
    tile.width = chooseWidth(module.target, count, blocks);
    TileCall call = first;
    auto emitAt = [&](Value *row) {
      call.in = code.at(first.in, code.times(row, lanes));
      call.out = code.at(first.out, code.times(row, lanes));
      emitTile(code, tile, call);
    };
    if (ofRun)
      return overTiles(code, ofRun, tile.width, [&](Value *row, int64_t width) {
        tile.width = width;
        emitAt(row);
      });
    int64_t full = count / tile.width * tile.width;
    code.loop(code.integer(0), code.integer(count / tile.width),
              [&](Value *t) { emitAt(code.times(t, tile.width)); });
    tile.width = count - full;
    if (tile.width)
      emitAt(code.integer(full));
  }

  /// Computes Y of one tile of plane `z`, and the formula.
  void finishTile(Emitter &code, Value *m, int64_t step, Value *bias,
                  Value *channel, Value *block, const TilePlace &place,
                  Value *z) {
    const Length width = w.resultWidth();
    const Length plane = w.resultHeight() * width * lanes;
    Value *image = code.add(times(code, block, w.images), place.image);
    Value *start =
        times(code, code.add(code.times(image, w.outDepth), z), plane);
    Value *pixel =
        code.add(times(code, place.row, width * (w.size / w.poolRows)),
                 code.times(place.column, w.size / w.poolColumns));
    Value *out = code.add(start, code.times(pixel, lanes));
    emitOutputTransform(code, w, epilogue,
                        {place, m, step, bias, code.at(code.buffer(0), out),
                         extrasAt(code, call.extras, epilogue, out, channel)});
  }

  void packings(NativeStep &step) const {
    WinogradSizes w = this->w;
    if (!w.inRun)
      step.packings.push_back(
          {call.filter, w.elementsOfU(w.outBlocks()),
           [=](const float *from, float *to) { packWinograd(w, from, to); }});
    if (epilogue.bias)
      step.packings.push_back(packBias(w.channels, *call.bias));
  }

  CodeModule &module;
  const ConvOperands call;
  WinogradSizes w;
  Epilogue epilogue;
  std::string name;
  int64_t panel, panels; // blocks of output channels of a panel, and panels
};

} // namespace

/// Emits a convolution; nothing if another algorithm is faster.
static std::optional<NativeStep>
emitSizes(CodeModule &module, const ConvOperands &operands, const ConvSizes &c,
          const Epilogue &epilogue, const Twine &name) {
  WinogradSizes w{0,
                  c.images,
                  c.perGroup,
                  c.channels,
                  c.height,
                  c.width,
                  c.outHeight,
                  c.outWidth,
                  c.padTop,
                  c.padLeft,
                  c.strideY,
                  c.poolRows,
                  c.poolColumns,
                  c.depth,
                  c.planes,
                  c.outDepth,
                  c.padFront,
                  c.filter,
                  !operands.filter.known()};
  // Planes of a block lie apart in memory if a run gives the number of tiles.
  if (w.isDeep() && !(w.images * w.height * w.width).isFixed())
    return std::nullopt;
  std::optional<WinogradSizes> best = bestWinograd(module, w);
  if (!best)
    return std::nullopt;
  return WinogradEmitter(module, operands, *best, epilogue, name).emit();
}

std::optional<NativeStep> cpu::emitWinograd(CodeModule &module,
                                            const CpuConvCall &call,
                                            const Twine &name) {
  if (module.math == Math::Strict || isOfTiles(formOf(module, call)))
    return std::nullopt;
  return emitSizes(module, ConvOperands(call), sizesOf(call),
                   epilogueOf(call, convolvedShape(call), 0, /*blocked=*/true),
                   name);
}

std::optional<NativeStep> cpu::emitWinograd(CodeModule &module,
                                            const CpuConvTransposeCall &call,
                                            const Twine &name) {
  if (module.math == Math::Strict)
    return std::nullopt;
  return emitSizes(module, ConvOperands(call), phaseOf(sizesOf(call), 0, 0),
                   epilogueOf(call, call.out.shape(), 0, /*blocked=*/true),
                   name);
}
