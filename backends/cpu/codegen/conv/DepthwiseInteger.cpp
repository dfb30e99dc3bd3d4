//===- DepthwiseInteger.cpp - convolutions of each channel of bytes -------===//
// SPDX-License-Identifier: MIT
//
// Sixteen channels of a pixel are one vector. The sum of a window of bytes is
// less than 2^24, so that f32 is exact. A byte is converted to a real number
// once for all taps of a row that read it, and products are added in one
// instruction.
//
//===----------------------------------------------------------------------===//

#include "IntegerSizes.h"
#include "codegen/emit/ElementMemory.h"
#include "codegen/emit/OpenSizes.h"
#include "glow/Base/Functions.h"
#include <map>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;
using calls::CpuConvIntegerCall;

namespace {

class DepthwiseIntegerEmitter {
public:
  DepthwiseIntegerEmitter(CodeModule &module, const CpuConvIntegerCall &call,
                          const Twine &name)
      : call(call), c(module, call), extras(call),
        code(module, module.addStep(name)) {
    // The most sums that leave registers for a row of taps and a pixel.
    int64_t registers = module.target.vectorRegisters;
    int64_t most = std::clamp<int64_t>(registers - c.x.taps - 2, 1, 8);
    width = evenWidth(c.x.out, most);
    band = chooseBand(window() * c.x.out * lanes, c.rowsOut());
    bands = (c.rowsOut() + band - 1) / band;
  }

  NativeStep emit() {
    zero = code.splat(
        code.CreateTrunc(loadZero(code, call, c), code.getInt32Ty()));
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) { emitChunk(chunk); });
    code.CreateRetVoid();
    NativeStep step;
    step.phases.push_back({code.function, c.mostImages() * bands * c.blocks()});
    emitMeasure(code, c.images * (bands * c.blocks()));
    step.packings.push_back(packTaps());
    if (call.bias)
      step.packings.push_back(packIntegerBias(c, *call.bias));
    step.choice = tileChoice("", "nhwc", width, 1);
    double results =
        double(c.mostImages() * c.rowsOut() * c.x.out * c.blocks());
    step.work =
        tileWork(width, 1, results * double(window()), results, call.epilogue);
    // Bytes become real numbers, each for the taps of a row.
    step.work->operations += 0.35 * step.work->products;
    if (c.prepared)
      prepareFirst(code.module, call, c, code.function->getName(), step);
    return step;
  }

private:
  int64_t window() const { return c.rowTaps() * c.x.taps; }

  /// [block][sums of 16 channels, as i32; q][r][s][16], as f32.
  Packing packTaps() const {
    int64_t window = this->window(), columns = c.columns;
    int64_t step = (window + 1) * lanes;
    bool bytes = call.filter.kind() == ElementKind::I8;
    auto write = [=](const float *from, float *to) {
      for (int64_t d = 0; d < columns; ++d) {
        float *block = to + d / lanes * step + d % lanes;
        int32_t sum = 0;
        for (int64_t t = 0; t < window; ++t) {
          int64_t at = d * window + t;
          int32_t weight = bytes ? reinterpret_cast<const int8_t *>(from)[at]
                                 : reinterpret_cast<const int16_t *>(from)[at];
          block[(t + 1) * lanes] = float(weight);
          sum += weight;
        }
        block[0] = std::bit_cast<float>(sum);
      }
    };
    return {call.filter, c.blocks() * step, write};
  }

  /// A chunk is a block of channels of a band of an image. Consecutive chunks
  /// are blocks of one band, which read the same cache lines.
  void emitChunk(Value *chunk) {
    Value *block = code.CreateURem(chunk, code.integer(c.blocks()));
    Value *rest = code.CreateUDiv(chunk, code.integer(c.blocks()));
    Value *first = code.times(code.CreateURem(rest, code.integer(bands)), band);
    Value *image = code.CreateUDiv(rest, code.integer(bands));
    Value *end = code.smaller(code.add(first, code.integer(band)),
                              code.integer(c.rowsOut()));
    int64_t lastLanes = (c.columns - 1) % lanes + 1;
    if (lastLanes == lanes)
      return emitBand(image, block, first, end, lanes);
    Value *isLast = code.CreateICmpEQ(block, code.integer(c.blocks() - 1));
    code.when(isLast, [&] { emitBand(image, block, first, end, lastLanes); });
    code.when(code.CreateNot(isLast),
              [&] { emitBand(image, block, first, end, lanes); });
  }

  void emitBand(Value *image, Value *block, Value *first, Value *end,
                int64_t count) {
    channels = count;
    Value *channel = code.times(block, lanes);
    Value *in =
        code.add(code.times(image, c.imageRows() * c.rowBytes()), channel);
    image_ = elementAt(
        code, code.buffer(c.prepared ? call.in.shared() : unsigned(call.in)),
        in, ElementKind::U8);
    Value *filter = code.at(code.buffer(call.filter),
                            code.times(block, (window() + 1) * lanes));
    taps = code.at(filter, lanes);
    auto *integers = FixedVectorType::get(code.getInt32Ty(), lanes);
    auto loadIntegers = [&](Value *from) {
      return code.CreateAlignedLoad(integers, from, Align(4));
    };
    start = code.CreateNeg(code.CreateMul(zero, loadIntegers(filter)));
    if (call.bias)
      start = code.CreateAdd(
          start, loadIntegers(code.at(code.buffer(*call.bias), channel)));
    Value *place =
        code.add(code.times(image, c.rowsOut() * c.x.out * c.columns), channel);
    out = elementAt(code, code.buffer(0), place, call.out.kind());
    beside = extras.at(code, place, channel);
    code.loop(first, end, [&](Value *row) { emitRow(row); });
  }

  void emitRow(Value *row) {
    Value *pixels = code.times(rowIn(code, c, row), c.rowBytes());
    Value *results = code.times(row, c.x.out);
    int64_t full = c.x.out / width, rest = c.x.out % width;
    auto tileAt = [&](Value *x, int64_t size) {
      emitTile(code.add(pixels, code.times(x, c.x.stride * c.channels)),
               code.add(results, x), size);
    };
    if (full)
      code.loop(code.integer(0), code.integer(full),
                [&](Value *t) { tileAt(code.times(t, width), width); });
    if (rest)
      tileAt(code.integer(full * width), rest);
  }

  /// Emits `size` pixels, whose taps begin `pixel` bytes after the image.
  void emitTile(Value *pixel, Value *result, int64_t size) {
    Value *none = ConstantAggregateZero::get(code.vector);
    Emitter::Values sums(size_t(size), none);
    auto rows = [&](Value *pixel, Value *taps, Emitter::Values sums) {
      return code.loop(
          code.integer(0), code.integer(c.y.taps), sums,
          [&](Value *r, Emitter::Values sums) {
            Value *from =
                code.add(pixel, code.times(r, c.y.dilation * c.rowBytes()));
            return emitTaps(
                from, code.at(taps, code.times(r, c.x.taps * lanes)), sums);
          });
    };
    int64_t plane = c.z.dilation * c.planeRows() * c.rowBytes();
    if (c.z.taps == 1)
      sums = rows(pixel, taps, sums);
    else
      sums = code.loop(
          code.integer(0), code.integer(c.z.taps), sums,
          [&](Value *q, Emitter::Values sums) {
            return rows(
                code.add(pixel, code.times(q, plane)),
                code.at(taps, code.times(q, c.y.taps * c.x.taps * lanes)),
                sums);
          });
    auto *integers = FixedVectorType::get(code.getInt32Ty(), lanes);
    for (auto [x, sum] : enumerate(sums)) {
      Value *place =
          code.times(code.add(result, code.integer(int64_t(x))), c.columns);
      emitIntegerResult(code, extras.result,
                        code.CreateAdd(code.CreateFPToSI(sum, integers), start),
                        out, place, code.integer(0), channels, beside);
    }
  }

  /// Adds the taps of a row; each pixel is loaded once.
  Emitter::Values emitTaps(Value *from, Value *row, Emitter::Values sums) {
    std::map<int64_t, Value *> loaded; // by the pixel
    ElementKind kind = call.in.kind();
    for (int64_t s = 0; s < c.x.taps; ++s) {
      Value *tap = code.loadVector(code.at(row, s * lanes));
      for (int64_t x = 0; x < int64_t(sums.size()); ++x) {
        int64_t pixel = x * c.x.stride + s * c.x.dilation;
        Value *&value = loaded[pixel];
        if (!value)
          value = loadReals(code, image_,
                            code.add(from, code.integer(pixel * c.channels)),
                            kind, channels);
        sums[size_t(x)] = code.multiplyAdd(value, tap, sums[size_t(x)]);
      }
    }
    return sums;
  }

  const CpuConvIntegerCall &call;
  const IntegerSizes c;
  const IntegerExtras extras;
  Emitter code;
  int64_t width, band, bands; // pixels of a tile, rows of a chunk, chunks
  Value *zero = nullptr;
  // The state of the current block of channels.
  int64_t channels = lanes;
  Value *image_ = nullptr, *taps = nullptr, *start = nullptr, *out = nullptr;
  SmallVector<Value *> beside;
};

} // namespace

NativeStep cpu::emitDepthwiseInteger(CodeModule &module,
                                     const CpuConvIntegerCall &call,
                                     const Twine &name) {
  return DepthwiseIntegerEmitter(module, call, name).emit();
}
