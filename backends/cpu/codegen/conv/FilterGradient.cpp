//===- FilterGradient.cpp - the gradient of a convolution's filter --------===//
// SPDX-License-Identifier: MIT
//
// A tap's gradient is a product of matrices: sums over the pixels of the image
// that the tap reads, times the gradients of the results that read them. Both
// factors are read as they lie in memory, in blocks of channels: a tile has
// some input channels as its rows and a panel of output channels as its
// columns, and sums over pixels (Tile.h). Pixels outside of the image are left
// out: rows and columns by the bounds of loops.
//
// In groups, a panel is one block of output channels, with the blocks of input
// channels that its groups have. Products of two groups are left out as the
// sums become the filter.
//
// A chunk has one block of input channels, one panel of output channels, and
// one row of taps, so that no two threads add to one sum. The pixels come in
// bands that fit the first-level cache over all taps of the row. Sums of a band
// start with those of the band before, in shared memory, which a second phase
// transposes to the filter.
//
//===----------------------------------------------------------------------===//

#include "FilterGradient.h"
#include "codegen/tile/Shuffles.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvFilterGradientCall;

namespace {

class FilterGradientEmitter {
public:
  FilterGradientEmitter(CodeModule &module,
                        const CpuConvFilterGradientCall &call,
                        const Twine &name)
      : module(module), call(call), name(name.str()) {
    const Ints in = call.in.shape(), out = call.gradient.shape();
    y = gradientAxis(call, 0), x = gradientAxis(call, 1);
    images = in[1];
    lanesIn = in.back(), blocksIn = in[0], blocksOut = out[0];
    channels = call.channels, perBlock = lanesIn == 1 ? call.channelsIn : lanes;
    panel = choosePanel(module.target, blocksOut);
    // Few rows of a tile are multiplied by more columns.
    if (module.target.fits(perBlock, 2 * panel) && perBlock * panel < lanes / 2)
      panel = std::min(2 * panel, blocksOut);
    if (call.group > 1)
      panel = 1; // blocks of its outputs have other inputs
    panels = (blocksOut + panel - 1) / panel;
    for (int64_t block = 0; block < blocksOut && call.group > 1; ++block) {
      const int64_t last = std::min(channels, (block + 1) * lanes) - 1;
      const int64_t end = (last / ofGroup() + 1) * call.channelsIn;
      spanned = std::max(spanned, (end + lanes - 1) / lanes -
                                      block * lanes / ofGroup() *
                                          call.channelsIn / lanes);
    }
    width = gradientWidth(module.target, perBlock, panel);
    chooseBand();
  }

  /// Bytes of the sums of the whole filter.
  int64_t sharedBytes() const {
    return blocksOut * sources() * taps() * ofTap() * 4;
  }

  NativeStep emit() {
    NativeStep step;
    step.phases.push_back({emitSums(), panels * sources() * y.taps});
    step.phases.push_back({emitFilter(), panels * sources()});
    step.sharedBytes = sharedBytes();
    step.choice = tileChoice("", "cnhw16c", width, panel);
    const int64_t rows = call.group > 1 ? spanned * lanes : call.channelsIn;
    const double results = double(rows * taps() * blocksOut);
    step.work = tileWork(width, panel, results * double(images * y.out * x.out),
                         results, {});
    return step;
  }

private:
  /// Pixels of a band, whose factors take some 24 KiB.
  static constexpr int64_t bandPixels = 160;

  int64_t taps() const { return y.taps * x.taps; }
  /// The most blocks of input channels that a panel has products with; blocks
  /// of a single channel are one.
  int64_t sources() const {
    return call.group > 1 ? spanned : lanesIn == 1 ? 1 : blocksIn;
  }
  /// Output channels of a group.
  int64_t ofGroup() const { return channels / call.group; }
  /// The block of input channels with a number among those of a panel.
  Value *blockOf(Emitter &code, Value *kernel, Value *source) {
    if (call.group == 1)
      return source;
    Value *group =
        code.CreateUDiv(code.times(kernel, lanes), code.integer(ofGroup()));
    Value *first = code.CreateUDiv(code.times(group, call.channelsIn),
                                   code.integer(lanes));
    return code.add(first, source);
  }
  /// Elements of the sums of a tap, for one block of output channels.
  int64_t ofTap() const { return perBlock * lanes; }

  /// A band has rows of one image, or small images.
  void chooseBand() {
    bandRows = std::clamp<int64_t>(bandPixels / std::max<int64_t>(x.out, 1), 1,
                                   std::max<int64_t>(y.out, 1));
    bandImages = 1;
    if (bandRows == y.out)
      bandImages = std::clamp<int64_t>(
          bandPixels / std::max<int64_t>(x.out * y.out, 1), 1, images);
  }

  /// Phase 1: the sums of a block of input channels, a panel, and a row of
  /// taps.
  Function *emitSums() {
    Emitter code(module, module.addStep(name));
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *row = code.CreateURem(chunk, code.integer(y.taps));
                Value *rest = code.CreateUDiv(chunk, code.integer(y.taps));
                Value *source = code.CreateURem(rest, code.integer(sources()));
                Value *kernel = code.CreateUDiv(rest, code.integer(sources()));
                auto emitAll = [&] {
                  anyPanel(code, kernel, blocksOut, panel, [&](int64_t blocks) {
                    emitRow(code, kernel, source, row, blocks);
                  });
                };
                if (call.group == 1)
                  return emitAll();
                // The last panel may have fewer blocks of inputs.
                code.when(code.CreateICmpSLT(blockOf(code, kernel, source),
                                             code.integer(blocksIn)),
                          emitAll);
              });
    code.CreateRetVoid();
    return code.function;
  }

  /// The sums of a chunk, as [tap of all rows][channel][block][16].
  Value *sumsAt(Emitter &code, Value *kernel, Value *source, int64_t blocks) {
    Value *sums = code.buffer(call.out.shared());
    const int64_t ofSource = taps() * ofTap();
    sums = code.at(sums, code.times(kernel, panel * sources() * ofSource));
    return code.at(sums, code.times(source, blocks * ofSource));
  }

  void emitRow(Emitter &code, Value *kernel, Value *source, Value *row,
               int64_t blocks) {
    Value *sums = code.at(sumsAt(code, kernel, source, blocks),
                          code.times(row, x.taps * ofTap() * blocks));
    code.loop(code.integer(0), code.integer(x.taps * perBlock * blocks),
              [&](Value *i) {
                code.storeVector(Constant::getNullValue(code.vector),
                                 code.at(sums, code.times(i, lanes)));
              });
    Value *in = code.at(code.buffer(call.in),
                        code.times(blockOf(code, kernel, source), inBlock()));
    Value *out = code.at(code.buffer(call.gradient),
                         code.times(kernel, outBlock() * panel));
    // The image row of result row 0, and the result rows inside of the image.
    Value *top = code.add(code.times(row, y.dilation), code.integer(-y.pad));
    auto upwards = [&](Value *rows) {
      Value *count = code.CreateSDiv(code.add(rows, code.integer(y.stride - 1)),
                                     code.integer(y.stride));
      count = code.larger(count, code.integer(0));
      return code.smaller(count, code.integer(y.out));
    };
    Value *first = upwards(
        code.larger(code.CreateNSWSub(code.integer(0), top), code.integer(0)));
    Value *end = upwards(code.larger(code.CreateNSWSub(code.integer(y.in), top),
                                     code.integer(0)));
    in = code.at(in, code.times(top, x.in * lanesIn));
    auto overImages = [&](Value *image, Value *endImage) {
      auto overRows = [&](Value *firstRow, Value *endRow) {
        emitBand(code, {in, out, sums, image, endImage, firstRow, endRow},
                 blocks);
      };
      inBands(code, first, end, bandRows, overRows);
    };
    inBands(code, code.integer(0), code.integer(images), bandImages,
            overImages);
  }

  /// Calls `body` for parts of at most `band` numbers from `first` to `end`,
  /// which may be none.
  static void inBands(Emitter &code, Value *first, Value *end, int64_t band,
                      function_ref<void(Value *, Value *)> body) {
    Value *count = code.CreateNSWSub(end, first);
    count = code.CreateSDiv(code.add(count, code.integer(band - 1)),
                            code.integer(band));
    code.loop(
        code.integer(0), count,
        [&](Value *i) {
          Value *begin = code.add(first, code.times(i, band));
          body(begin, code.smaller(code.add(begin, code.integer(band)), end));
        },
        /*maybeNone=*/true);
  }

  /// The addresses of a chunk, and the images and rows of a band.
  struct Band {
    Value *in, *out, *sums;
    Value *firstImage, *endImage, *firstRow, *endRow;
  };

  /// Adds the pixels of a band to the sums of all taps of a row.
  void emitBand(Emitter &code, const Band &band, int64_t blocks) {
    TileCall sum;
    Value *image = band.firstImage;
    Value *in = code.at(band.in, code.times(image, inImage()));
    Value *out = code.at(band.out, code.times(image, outImage()));
    sum.outer = code.CreateNSWSub(band.endImage, image);
    sum.inOuter = code.integer(inImage());
    sum.weightsOuter = code.integer(outImage());
    sum.firstRow = band.firstRow, sum.endRow = band.endRow;
    sum.inRow = code.integer(x.in * lanesIn * y.stride);
    sum.outBlock = code.integer(lanes);
    for (int64_t s = 0; s < x.taps; ++s) {
      auto [first, end] = x.inside(s);
      if (first == end)
        continue;
      Tile tile = tileOf(end - first, blocks);
      const int64_t column = first * x.stride + s * x.dilation - x.pad;
      sum.weights = code.at(out, first * lanes);
      for (int64_t channel = 0; channel < perBlock; channel += width) {
        tile.width = std::min(width, perBlock - channel);
        sum.in = code.at(in, column * lanesIn + channel * tile.inPixel);
        sum.out = code.at(band.sums, (s * perBlock + channel) * blocks * lanes);
        sum.starts = {sum.out};
        emitTile(code, tile, sum);
      }
    }
  }

  /// A tile that sums over so many pixels of a row.
  Tile tileOf(int64_t pixels, int64_t blocks) const {
    Tile tile;
    tile.blocks = blocks;
    tile.inPixel = lanesIn == 1 ? inBlock() : 1;
    tile.outPixel = blocks * lanes;
    tile.count = pixels;
    tile.inStep = x.stride * lanesIn;
    tile.weightStep = lanes;
    tile.weightBlock = outBlock();
    tile.weightRow = x.out * lanes;
    tile.rows = true;
    tile.starts = 1;
    return tile;
  }

  /// Phase 2: the sums of a block of input channels and a panel become a part
  /// of the filter.
  Function *emitFilter() {
    Emitter code(module, module.addStep(name + ".filter"));
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *source = code.CreateURem(chunk, code.integer(sources()));
                Value *kernel = code.CreateUDiv(chunk, code.integer(sources()));
                if (call.group > 1)
                  return emitGroups(code, kernel, source);
                anyPanel(code, kernel, blocksOut, panel, [&](int64_t blocks) {
                  emitPart(code, kernel, source, blocks);
                });
              });
    code.CreateRetVoid();
    return code.function;
  }

  void emitPart(Emitter &code, Value *kernel, Value *source, int64_t blocks) {
    Value *sums = sumsAt(code, kernel, source, blocks);
    const int64_t size = call.channelsIn * taps();
    Value *out =
        code.at(code.buffer(0), code.times(kernel, panel * lanes * size));
    out = code.at(out, code.times(source, lanes * taps()));
    // Channels of the block.
    Value *left =
        code.add(code.integer(call.channelsIn), code.times(source, -lanes));
    Value *count = code.smaller(left, code.integer(perBlock));
    Value *block = code.times(kernel, panel);
    for (int64_t b = 0; b < blocks; ++b) {
      Value *from = code.at(sums, b * lanes);
      Value *to = code.at(out, b * lanes * size);
      auto emitRows = [&](int64_t rows) {
        code.loop(code.integer(0), count, [&](Value *i) {
          emitTaps(code, code.at(from, code.times(i, blocks * lanes)),
                   code.at(to, code.times(i, taps())), rows, blocks);
        });
      };
      const int64_t rest = channels % lanes;
      if (!rest)
        emitRows(lanes);
      else {
        Value *isLast = code.CreateICmpEQ(code.add(block, code.integer(b)),
                                          code.integer(blocksOut - 1));
        code.when(isLast, [&] { emitRows(rest); });
        code.when(code.CreateNot(isLast), [&] { emitRows(lanes); });
      }
    }
  }

  /// The same for groups: each output channel takes the sums of the inputs of
  /// its group, which are some of the block.
  void emitGroups(Emitter &code, Value *kernel, Value *source) {
    Value *sums = sumsAt(code, kernel, source, 1);
    Value *firstIn = code.times(blockOf(code, kernel, source), lanes);
    Value *firstOut = code.times(kernel, lanes);
    Value *rows =
        code.smaller(code.CreateNSWSub(code.integer(channels), firstOut),
                     code.integer(lanes));
    code.loop(code.integer(0), rows, [&](Value *row) {
      Value *channel = code.add(firstOut, row);
      Value *group = code.CreateUDiv(channel, code.integer(ofGroup()));
      // Input channels of the group, counted from the first of the block.
      Value *begin =
          code.CreateNSWSub(code.times(group, call.channelsIn), firstIn);
      Value *end = code.add(begin, code.integer(call.channelsIn));
      Value *first = code.larger(begin, code.integer(0));
      Value *count =
          code.CreateNSWSub(code.smaller(end, code.integer(lanes)), first);
      Value *to = code.at(code.buffer(0),
                          code.times(channel, call.channelsIn * taps()));
      to = code.at(to, code.times(code.CreateNSWSub(first, begin), taps()));
      Value *from = code.at(code.at(sums, row), code.times(first, lanes));
      code.loop(
          code.integer(0), count,
          [&](Value *i) {
            for (int64_t tap = 0; tap < taps(); ++tap)
              code.CreateStore(
                  code.loadElement(
                      code.at(from, code.add(code.times(i, lanes),
                                             code.integer(tap * ofTap())))),
                  code.at(to,
                          code.add(code.times(i, taps()), code.integer(tap))));
          },
          /*maybeNone=*/true);
    });
  }

  /// Moves all taps of one input channel for `rows` output channels.
  void emitTaps(Emitter &code, Value *from, Value *to, int64_t rows,
                int64_t blocks) {
    const int64_t step = perBlock * blocks * lanes;
    for (int64_t first = 0; first < taps(); first += lanes) {
      const int64_t count = std::min(lanes, taps() - first);
      code.CreateCall(vectorsToRows(module, rows, count),
                      {code.at(from, first * step), code.integer(step),
                       code.at(to, first),
                       code.integer(call.channelsIn * taps())});
    }
  }

  /// Elements of an image, and of a block of channels of all images.
  int64_t inImage() const { return y.in * x.in * lanesIn; }
  int64_t inBlock() const { return images * inImage(); }
  int64_t outImage() const { return y.out * x.out * lanes; }
  int64_t outBlock() const { return images * outImage(); }

  CodeModule &module;
  const CpuConvFilterGradientCall &call;
  const std::string name;
  GradientAxis y, x;
  int64_t images, lanesIn, blocksIn, blocksOut, channels;
  int64_t perBlock;      // input channels of a block
  int64_t panel, panels; // blocks of output channels of a panel, and panels
  int64_t width;         // input channels of a tile
  int64_t bandImages, bandRows;
  int64_t spanned = 0; // blocks of inputs of a panel of groups
};

} // namespace

std::optional<NativeStep>
cpu::emitFilterGradient(CodeModule &module,
                        const CpuConvFilterGradientCall &call,
                        const Twine &name) {
  FilterGradientEmitter emitter(module, call, name);
  if (!module.hasPlaceFor(emitter.sharedBytes(), 0))
    return std::nullopt;
  return emitter.emit();
}
