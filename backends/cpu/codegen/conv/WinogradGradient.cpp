//===- WinogradGradient.cpp - filter gradients with fewer products --------===//
// SPDX-License-Identifier: MIT
//
// The gradient of a 3x3 filter of stride 1, by the reverse of Winograd's
// algorithm (Winograd.cpp): where a result is A' ((G g G') * (B' d B)) A, the
// gradient of g is
//
//   V = B' d B   for the pixels d of a tile of the image
//   Z = A y A'   for the gradients y of the tile's results
//   M = sum over tiles of V * Z        (a product of matrices a point)
//   G' M G
//
// A tile of m x m results takes (m + 2)^2 products instead of 9 m^2.
//
// V and Z are of all tiles, or of a part of them that stays in the third-level
// cache: phases of transforms and of products take turns, and later products
// begin with M of those before. A chunk of products is a point, whose V and Z
// are read once, or a panel of M with all points, so that M of a large filter
// stays in the second-level cache and becomes the filter at once. No two
// threads add to one sum.
//
//===----------------------------------------------------------------------===//

#include "FilterGradient.h"
#include "Winograd.h"
#include "codegen/emit/OpenSizes.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvFilterGradientCall;

namespace {

/// The sizes, and where products and transforms are in memory.
struct GradientSizes {
  WinogradSizes w;
  int64_t blocksIn, blocksOut, panel, panels, width;
  int64_t parts; ///< of the tiles
  bool ofPanels; ///< whether a chunk of products is a panel

  int64_t tilesOfPart() const { return (w.mostTiles() + parts - 1) / parts; }
  /// Elements from a point to the next: an odd number of cache lines.
  int64_t pointOf(int64_t blocks) const {
    return (blocks * tilesOfPart() | 1) * lanes;
  }
  int64_t elementsOfV() const { return w.points() * pointOf(blocksIn); }
  int64_t elementsOfZ() const { return w.points() * pointOf(blocksOut); }
  /// M of one block of input channels for so many blocks of results.
  int64_t elementsOfM(int64_t blocks) const {
    return w.points() * lanes * blocks * lanes;
  }
  int64_t sharedBytes() const {
    const int64_t m = ofPanels ? 0 : blocksIn * elementsOfM(blocksOut);
    return (elementsOfV() + elementsOfZ() + m) * 4;
  }
  int64_t scratchBytes() const { return ofPanels ? elementsOfM(panel) * 4 : 0; }
};

class WinogradGradientEmitter {
public:
  WinogradGradientEmitter(CodeModule &module,
                          const CpuConvFilterGradientCall &call,
                          const GradientSizes &g, const Twine &name)
      : module(module), call(call), g(g), w(g.w), name(name.str()) {}

  NativeStep emit() {
    NativeStep step;
    const int64_t most = g.tilesOfPart();
    for (int64_t first = 0; first < w.mostTiles(); first += most) {
      const int64_t count = std::min(most, w.mostTiles() - first);
      step.phases.push_back(
          {emitTransforms(first, count), g.blocksIn + g.blocksOut});
      if (!g.ofPanels)
        step.phases.push_back({emitPoints(first, count), w.points()});
    }
    step.phases.push_back({emitFilters(), g.panels * g.blocksIn});
    step.sharedBytes = g.sharedBytes();
    step.scratchBytes = g.scratchBytes();
    const std::string m = std::to_string(w.size);
    step.choice =
        tileChoice("F(" + m + "x" + m + ")", "cnhw16c", g.width, g.panel);
    const double sums =
        double(w.points() * g.blocksIn * lanes) * double(g.blocksOut);
    step.work = tileWork(g.width, g.panel, sums * double(w.mostTiles()),
                         sums * double(g.parts), {});
    step.work->transforms = transforms(g);
    return step;
  }

  /// Transformed points of 16 channels.
  static double transforms(const GradientSizes &g) {
    return double(g.w.points()) *
           (double(g.w.mostTiles() * (g.blocksIn + g.blocksOut)) +
            double(g.blocksIn * lanes * g.blocksOut));
  }

private:
  /// The phase that transforms `count` tiles of the image, and of the gradients
  /// of results. A chunk is a block of channels.
  Function *emitTransforms(int64_t first, int64_t count) {
    Emitter code(module, module.addStep(name + ".in"));
    auto transform = [&](const Operand &from, Value *block,
                         const Length &height, const Length &width, Value *to,
                         int64_t step, auto emit) {
      const Length image = height * width * lanes;
      Value *in =
          code.at(code.buffer(from), times(code, block, w.images * image));
      to = code.at(to, code.times(block, g.tilesOfPart() * lanes));
      code.loop(code.integer(0), code.integer(count), [&](Value *t) {
        TilePlace place(code, w, code.add(t, code.integer(first)));
        emit(code, w, code.at(in, times(code, place.image, image)), place,
             code.at(to, code.times(t, lanes)), step);
      });
    };
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *isInput = code.CreateICmpSLT(chunk, code.integer(g.blocksIn));
          code.when(isInput, [&] {
            transform(call.in, chunk, w.height, w.width, v(code),
                      g.pointOf(g.blocksIn), emitInputTransform);
          });
          code.when(code.CreateNot(isInput), [&] {
            Value *block = code.CreateNSWSub(chunk, code.integer(g.blocksIn));
            transform(call.gradient, block, w.outHeight, w.outWidth, z(code),
                      g.pointOf(g.blocksOut), emitResultTransform);
          });
        });
    code.CreateRetVoid();
    return code.function;
  }

  Value *v(Emitter &code) { return code.buffer(call.out.shared()); }
  Value *z(Emitter &code) { return code.at(v(code), g.elementsOfV()); }

  /// The phase of products whose chunks are points.
  Function *emitPoints(int64_t first, int64_t count) {
    Emitter code(module, module.addStep(name));
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *point) {
          // So many tiles of a panel stay in the second-level cache.
          const int64_t band = std::min(count, tilesOfBand);
          for (int64_t start = 0; start < count; start += band)
            code.loop(
                code.integer(0), code.integer(g.panels), [&](Value *kernel) {
                  anyPanel(
                      code, kernel, g.blocksOut, g.panel, [&](int64_t blocks) {
                        code.loop(code.integer(0), code.integer(g.blocksIn),
                                  [&](Value *source) {
                                    emitProduct(
                                        code, point, kernel, source, blocks,
                                        start, std::min(band, count - start),
                                        mAt(code, kernel, source, blocks),
                                        first + start > 0);
                                  });
                      });
                });
        });
    code.CreateRetVoid();
    return code.function;
  }

  /// M of a chunk in shared memory, as [point][channel][block][16].
  Value *mAt(Emitter &code, Value *kernel, Value *source, int64_t blocks) {
    Value *m = code.at(z(code), g.elementsOfZ());
    m = code.at(m, code.times(kernel, g.blocksIn * g.elementsOfM(g.panel)));
    return code.at(m, code.times(source, g.elementsOfM(blocks)));
  }

  /// M of one point for a block of input channels and a panel: the products of
  /// `count` tiles, added to those of earlier tiles if `more`.
  void emitProduct(Emitter &code, Value *point, Value *kernel, Value *source,
                   int64_t blocks, int64_t start, int64_t count, Value *m,
                   bool more) {
    const int64_t block = g.tilesOfPart() * lanes;
    Tile tile;
    tile.blocks = blocks;
    tile.inPixel = 1;
    tile.outPixel = blocks * lanes;
    tile.count = 0;
    tile.inStep = lanes;
    tile.weightStep = lanes;
    tile.weightBlock = block;
    tile.outer = false;
    tile.tail = true;
    tile.starts = more;
    TileCall sum;
    sum.tail = code.integer(count);
    sum.outBlock = code.integer(lanes);
    Value *in = code.at(v(code), code.times(point, g.pointOf(g.blocksIn)));
    in = code.at(in, code.times(source, block));
    Value *results =
        code.at(z(code), code.times(point, g.pointOf(g.blocksOut)));
    results = code.at(results, code.times(kernel, g.panel * block));
    sum.weights = code.at(results, start * lanes);
    Value *out = code.at(m, code.times(point, lanes * blocks * lanes));
    for (int64_t channel = 0; channel < lanes; channel += g.width) {
      tile.width = std::min(g.width, lanes - channel);
      sum.in = code.at(in, start * lanes + channel);
      sum.out = code.at(out, channel * blocks * lanes);
      if (more)
        sum.starts = {sum.out};
      emitTile(code, tile, sum);
    }
  }

  /// The last phase: M becomes the filter. A chunk is a panel of one block of
  /// input channels, and has products of its own where points have none.
  Function *emitFilters() {
    Emitter code(module, module.addStep(name + ".filter"));
    code.loop(
        code.function->getArg(2), code.function->getArg(3), [&](Value *chunk) {
          Value *source = code.CreateURem(chunk, code.integer(g.blocksIn));
          Value *kernel = code.CreateUDiv(chunk, code.integer(g.blocksIn));
          anyPanel(code, kernel, g.blocksOut, g.panel, [&](int64_t blocks) {
            emitPanel(code, kernel, source, blocks);
          });
        });
    code.CreateRetVoid();
    return code.function;
  }

  void emitPanel(Emitter &code, Value *kernel, Value *source, int64_t blocks) {
    Value *m = g.ofPanels ? code.scratch() : mAt(code, kernel, source, blocks);
    if (g.ofPanels)
      code.loop(code.integer(0), code.integer(w.points()), [&](Value *point) {
        emitProduct(code, point, kernel, source, blocks, 0, w.mostTiles(), m,
                    /*more=*/false);
      });
    const int64_t filter = w.inChannels * 9;
    Value *channel = code.times(source, lanes);
    Value *count =
        code.smaller(code.CreateNSWSub(code.integer(w.inChannels), channel),
                     code.integer(lanes));
    Value *block = code.times(kernel, g.panel);
    Value *to = code.at(code.buffer(0), code.times(block, lanes * filter));
    to = code.at(to, code.times(channel, 9));
    for (int64_t b = 0; b < blocks; ++b) {
      auto emitRows = [&](int64_t rows) {
        code.loop(code.integer(0), count, [&](Value *i) {
          Value *from = code.at(m, code.times(i, blocks * lanes));
          emitFilterOfPoints(
              code, w, code.at(from, b * lanes), lanes * blocks * lanes, rows,
              code.at(code.at(to, code.times(i, 9)), b * lanes * filter),
              filter);
        });
      };
      const int64_t rest = w.channels % lanes;
      if (!rest) {
        emitRows(lanes);
        continue;
      }
      Value *isLast = code.CreateICmpEQ(code.add(block, code.integer(b)),
                                        code.integer(g.blocksOut - 1));
      code.when(isLast, [&] { emitRows(rest); });
      code.when(code.CreateNot(isLast), [&] { emitRows(lanes); });
    }
  }

  /// Tiles of a panel that are multiplied at a time.
  static constexpr int64_t tilesOfBand = 512;

  CodeModule &module;
  const CpuConvFilterGradientCall &call;
  const GradientSizes &g;
  const WinogradSizes &w;
  const std::string name;
};

/// Bytes of V and Z of a part of the tiles, and the most parts; and the most
/// bytes that are worth their memory.
constexpr int64_t bytesOfPart = 4 << 20, mostParts = 8, mostBytes = 64 << 20;

/// Cycles of sums of so many products of vectors.
double cyclesOf(const Processor &processor, double products) {
  return products / (0.93 * processor.realProducts);
}

double costOfTiles(const CodeModule &module, const GradientAxis &y,
                   const GradientAxis &x, const GradientSizes &g) {
  auto pixels = [](const GradientAxis &axis) {
    int64_t count = 0;
    for (int64_t tap = 0; tap < axis.taps; ++tap) {
      auto [first, end] = axis.inside(tap);
      count += end - first;
    }
    return double(count);
  };
  return cyclesOf(module.target.processor,
                  double(g.w.images.fixed() * g.blocksIn * lanes) *
                      double(g.blocksOut) * pixels(y) * pixels(x));
}

double costOf(const CodeModule &module, const GradientSizes &g) {
  const Processor &processor = module.target.processor;
  const double factors = double(g.elementsOfV() + g.elementsOfZ()) * 4;
  const double sums = double(g.blocksIn * g.elementsOfM(g.blocksOut)) * 4;
  // Factors are written and read, by panels V many times. Sums are, too, of
  // each part of the tiles.
  double moved = 2 * processor.cyclesToMove(factors, factors) * double(g.parts);
  if (g.ofPanels)
    moved += double(g.panels - 1) *
             processor.cyclesToMove(double(g.elementsOfV()) * 4, factors);
  else
    moved += 2 * processor.cyclesToMove(sums, factors + sums) * double(g.parts);
  return cyclesOf(processor, double(g.w.points() * g.blocksIn * lanes) *
                                 double(g.blocksOut * g.w.mostTiles())) +
         WinogradGradientEmitter::transforms(g) * processor.transform + moved;
}

/// The fastest sizes; nothing if tiles of all products are as fast, or if the
/// arena has no space for others.
std::optional<GradientSizes> bestSizes(const CodeModule &module,
                                       const CpuConvFilterGradientCall &call) {
  const GradientAxis y = gradientAxis(call, 0), x = gradientAxis(call, 1);
  GradientSizes g = {};
  const Ints in = call.in.shape(), out = call.gradient.shape();
  g.w = {0,
         in[1],
         call.channelsIn,
         call.channels,
         y.in,
         x.in,
         y.out,
         x.out,
         y.pad,
         x.pad,
         1,
         1,
         1,
         1,
         1,
         1,
         0,
         {},
         true};
  g.blocksIn = in[0], g.blocksOut = out[0];
  g.panel = choosePanel(module.target, g.blocksOut);
  g.panels = (g.blocksOut + g.panel - 1) / g.panel;
  g.width = gradientWidth(module.target, lanes, g.panel);
  std::optional<GradientSizes> best;
  double least = 0.9 * costOfTiles(module, y, x, g);
  for (int64_t size : {2, 4})
    for (bool ofPanels : {false, true}) {
      g.w.size = size, g.ofPanels = ofPanels, g.parts = 1;
      const int64_t bytes = (g.elementsOfV() + g.elementsOfZ()) * 4;
      if (!ofPanels)
        g.parts = std::clamp<int64_t>(bytes / bytesOfPart, 1, mostParts);
      if (bytes / g.parts > mostBytes)
        continue;
      const double cost = costOf(module, g);
      if (cost < least && module.hasPlaceFor(g.sharedBytes(), g.scratchBytes()))
        least = cost, best = g;
    }
  return best;
}

} // namespace

std::optional<NativeStep>
cpu::emitWinogradGradient(CodeModule &module,
                          const CpuConvFilterGradientCall &call,
                          const Twine &name) {
  if (module.math == Math::Strict)
    return std::nullopt;
  const std::optional<GradientSizes> best = bestSizes(module, call);
  if (!best)
    return std::nullopt;
  return WinogradGradientEmitter(module, call, *best, name).emit();
}
