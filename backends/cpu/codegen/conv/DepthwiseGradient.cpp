//===- DepthwiseGradient.cpp - the filter's gradient, channel by channel --===//
// SPDX-License-Identifier: MIT
//
// Each channel has its own filter: a tap's gradient is the sum over pixels of
// what the tap reads times the gradient of the result. A vector has the 16
// channels of a block. A chunk is a block of channels, so that no two threads
// add to one sum. It visits each row of results once, and adds it to the sums
// of all taps whose rows of the image are there. Some pixels of a row have sums
// of their own, so that additions do not wait; pixels of the image that several
// of them read are loaded once.
//
//===----------------------------------------------------------------------===//

#include "FilterGradient.h"
#include "codegen/tile/Shuffles.h"
#include <map>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvFilterGradientCall;

namespace {

class DepthwiseGradientEmitter {
public:
  DepthwiseGradientEmitter(CodeModule &module,
                           const CpuConvFilterGradientCall &call,
                           const Twine &name)
      : call(call), y(gradientAxis(call, 0)), x(gradientAxis(call, 1)),
        images(call.in.shape()[1]), blocks(call.in.shape()[0]),
        innerRows(y.inner()), innerColumns(x.inner()),
        most(module.target.vectorRegisters),
        parts(std::clamp<int64_t>(
            (innerColumns.second - innerColumns.first) / 4, 1,
            std::max<int64_t>(most * 3 / 4 / std::max<int64_t>(x.taps, 1), 1))),
        code(module, module.addStep(name)) {
    parts = std::min<int64_t>(parts, 4);
  }

  /// Whether code of a reasonable size has all pixels that read pads.
  static bool canEmit(const CodeModule &module,
                      const CpuConvFilterGradientCall &call) {
    constexpr int64_t mostAlone = 32;
    const GradientAxis y = gradientAxis(call, 0), x = gradientAxis(call, 1);
    return y.edges() * std::max<int64_t>(x.edges(), 1) * y.taps <=
               mostAlone * mostAlone &&
           y.edges() <= mostAlone && x.edges() <= mostAlone &&
           x.taps <= module.target.vectorRegisters / 2;
  }

  NativeStep emit() {
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *block) { emitBlock(block); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, blocks});
    step.sharedBytes = blocks * taps() * lanes * 4;
    step.choice = {"", std::to_string(parts) + "x16", "cnhw16c"};
    step.work = Work();
    step.work->products =
        double(images * y.out * x.out * blocks) * double(taps());
    return step;
  }

private:
  int64_t taps() const { return y.taps * x.taps; }

  void emitBlock(Value *block) {
    sums = code.at(code.buffer(call.out.shared()),
                   code.times(block, taps() * lanes));
    for (int64_t tap = 0; tap < taps(); ++tap)
      code.storeVector(Constant::getNullValue(code.vector),
                       code.at(sums, tap * lanes));
    code.loop(
        code.integer(0), code.integer(images),
        [&](Value *image) {
          Value *plane = code.add(code.times(block, images), image);
          in = code.at(code.buffer(call.in),
                       code.times(plane, y.in * x.in * lanes));
          out = code.at(code.buffer(call.gradient),
                        code.times(plane, y.out * x.out * lanes));
          emitImage();
        },
        /*maybeNone=*/true);
    emitFilter(block);
  }

  /// Adds an image: rows of results that read all rows of taps in a loop, and
  /// each of the others by itself.
  void emitImage() {
    auto alone = [&](int64_t first, int64_t end) {
      for (int64_t row = first; row < end; ++row)
        for (int64_t tap = 0; tap < y.taps; ++tap)
          if (auto [begin, last] = y.inside(tap); row >= begin && row < last)
            emitRow(code.integer(row), tap);
    };
    alone(0, innerRows.first);
    if (innerRows.first < innerRows.second)
      code.loop(code.integer(innerRows.first), code.integer(innerRows.second),
                [&](Value *row) {
                  for (int64_t tap = 0; tap < y.taps; ++tap)
                    emitRow(row, tap);
                });
    alone(innerRows.second, y.out);
  }

  /// Adds a row of results to the sums of a row of taps.
  void emitRow(Value *row, int64_t tap) {
    Value *top = code.add(code.times(row, y.stride),
                          code.integer(tap * y.dilation - y.pad));
    Value *image = code.at(in, code.times(top, x.in * lanes));
    Value *results = code.at(out, code.times(row, x.out * lanes));
    Value *to = code.at(sums, tap * x.taps * lanes);
    Emitter::Values each; // of part and tap
    for (int64_t part = 0; part < parts; ++part)
      for (int64_t s = 0; s < x.taps; ++s)
        each.push_back(part ? Constant::getNullValue(code.vector)
                            : code.loadVector(code.at(to, s * lanes)));
    for (int64_t column = 0; column < innerColumns.first; ++column)
      addPixels(image, results, column, 1, each);
    const int64_t tiles = (innerColumns.second - innerColumns.first) / parts;
    const int64_t done = innerColumns.first + tiles * parts;
    if (tiles > 0)
      each = code.loop(
          code.integer(0), code.integer(tiles), each,
          [&](Value *tile, Emitter::Values each) {
            addPixels(
                code.at(image, code.times(tile, parts * x.stride * lanes)),
                code.at(results, code.times(tile, parts * lanes)),
                innerColumns.first, parts, each);
            return each;
          });
    for (int64_t column = done; column < x.out; ++column)
      addPixels(image, results, column, 1, each);
    for (int64_t s = 0; s < x.taps; ++s) {
      Value *sum = each[size_t(s)];
      for (int64_t part = 1; part < parts; ++part)
        sum = code.CreateFAdd(sum, each[size_t(part * x.taps + s)]);
      code.storeVector(sum, code.at(to, s * lanes));
    }
  }

  /// Adds `count` results from a column on, each to sums of its own.
  void addPixels(Value *image, Value *results, int64_t column, int64_t count,
                 Emitter::Values &each) {
    std::map<int64_t, Value *> loaded; // by the column of the image
    for (int64_t part = 0; part < count; ++part) {
      const int64_t at = column + part;
      Value *gradient = code.loadVector(code.at(results, at * lanes));
      for (int64_t s = 0; s < x.taps; ++s) {
        const int64_t from = at * x.stride + s * x.dilation - x.pad;
        if (from < 0 || from >= x.in)
          continue;
        Value *&pixel = loaded[from];
        if (!pixel)
          pixel = code.loadVector(code.at(image, from * lanes));
        Value *&sum = each[size_t(part * x.taps + s)];
        sum = code.multiplyAdd(pixel, gradient, sum);
      }
    }
  }

  /// Moves the sums of a block to the filters of its channels.
  void emitFilter(Value *block) {
    Value *to = code.at(code.buffer(0), code.times(block, lanes * taps()));
    auto emitTaps = [&](int64_t rows) {
      for (int64_t first = 0; first < taps(); first += lanes) {
        const int64_t count = std::min(lanes, taps() - first);
        code.CreateCall(vectorsToRows(code.module, rows, count),
                        {code.at(sums, first * lanes), code.integer(lanes),
                         code.at(to, first), code.integer(taps())});
      }
    };
    const int64_t rest = call.channels % lanes;
    if (!rest)
      return emitTaps(lanes);
    Value *isLast = code.CreateICmpEQ(block, code.integer(blocks - 1));
    code.when(isLast, [&] { emitTaps(rest); });
    code.when(code.CreateNot(isLast), [&] { emitTaps(lanes); });
  }

  const CpuConvFilterGradientCall &call;
  const GradientAxis y, x;
  const int64_t images, blocks;
  const std::pair<int64_t, int64_t> innerRows, innerColumns;
  const int64_t most; // registers
  int64_t parts;      // pixels of a row with sums of their own
  Emitter code;
  Value *in = nullptr, *out = nullptr, *sums = nullptr; // of a chunk
};

} // namespace

std::optional<NativeStep>
cpu::emitDepthwiseGradient(CodeModule &module,
                           const CpuConvFilterGradientCall &call,
                           const Twine &name) {
  const int64_t bytes = call.in.shape()[0] * lanes * 4 *
                        gradientAxis(call, 0).taps * gradientAxis(call, 1).taps;
  if (!module.hasPlaceFor(bytes, 0) ||
      !DepthwiseGradientEmitter::canEmit(module, call))
    return std::nullopt;
  return DepthwiseGradientEmitter(module, call, name).emit();
}
