//===- HalfImage.cpp - images and weights as pairs of bf16 for tiles ------===//
// SPDX-License-Identifier: MIT
//
// Numbers are rounded by integer operations on their bits. So no special
// instruction is needed and denormal numbers are kept. Finite numbers stay
// finite if a remainder corrects the rounding.
//
//===----------------------------------------------------------------------===//

#include "Halves.h"
#include "codegen/tile/HalfTile.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

static constexpr uint32_t sign = 0x80000000, upper = 0xffff0000;
/// The largest magnitudes that are rounded to: the largest finite one, so that
/// the remainder of infinity is infinity; or any.
static constexpr uint32_t mostFinite = 0x7f7f0000, mostOfAll = 0x7fff0000;

/// To bf16, the nearest even, with zeros below.
static uint32_t rounded(uint32_t bits, uint32_t most) {
  uint32_t magnitude = bits & ~sign;
  magnitude += 0x7fff + (magnitude >> 16 & 1);
  return std::min(magnitude & upper, most) | (bits & sign);
}

SplitFloat::SplitFloat(float value)
    : high(rounded(std::bit_cast<uint32_t>(value), mostFinite)) {
  float rest = value - std::bit_cast<float>(high);
  low = rounded(std::bit_cast<uint32_t>(rest), mostOfAll);
}

void cpu::packPair(WeightForm form, ArrayRef<float> low, ArrayRef<float> high,
                   float *to) {
  auto pair = [](uint32_t first, uint32_t second) {
    return std::bit_cast<float>(first >> 16 | second);
  };
  for (size_t i = 0; i < low.size(); ++i) {
    if (form == WeightForm::Tiles) {
      to[i] = halvesOf(low[i], high[i]);
      continue;
    }
    SplitFloat first(low[i]), second(high[i]);
    to[i] = pair(first.high, second.high);
    to[low.size() + i] = pair(first.low, second.low);
  }
}

static Value *rounded(Emitter &code, Value *bits, uint32_t most) {
  auto splat = [&](uint32_t value) {
    return code.CreateVectorSplat(lanes, code.getInt32(value));
  };
  Value *magnitude = code.CreateAnd(bits, splat(~sign));
  Value *odd = code.CreateAnd(code.CreateLShr(magnitude, 16), splat(1));
  magnitude = code.CreateAdd(code.CreateAdd(magnitude, splat(0x7fff)), odd);
  magnitude = code.CreateBinaryIntrinsic(
      Intrinsic::umin, code.CreateAnd(magnitude, splat(upper)), splat(most));
  return code.CreateOr(magnitude, code.CreateAnd(bits, splat(sign)));
}

SmallVector<Value *, 2> cpu::emitPairs(Emitter &code, WeightForm form,
                                       Value *low, Value *high) {
  auto *integers = FixedVectorType::get(code.getInt32Ty(), lanes);
  bool isSplit = form == WeightForm::SplitTiles;
  SmallVector<Value *, 2> parts[2];
  Value *values[] = {low, high};
  for (auto [i, value] : enumerate(values)) {
    Value *bits = rounded(code, code.CreateBitCast(value, integers),
                          isSplit ? mostFinite : mostOfAll);
    parts[i].push_back(bits);
    if (!isSplit)
      continue;
    Value *rest = code.CreateFSub(value, code.CreateBitCast(bits, code.vector));
    parts[i].push_back(
        rounded(code, code.CreateBitCast(rest, integers), mostOfAll));
  }
  SmallVector<Value *, 2> pairs;
  for (auto [first, second] : zip(parts[0], parts[1]))
    pairs.push_back(code.CreateBitCast(
        code.CreateOr(code.CreateLShr(first, 16), second), code.vector));
  return pairs;
}

int64_t cpu::bytesOfPairs(WeightForm form, const HalfImage &image) {
  // Tiles also read pixels after the last one; their results are not kept.
  int64_t parts = form == WeightForm::SplitTiles ? 2 : 1;
  return expr::multiply(expr::add(expr::multiply(parts, image.elements()),
                                  halfTileLines * image.step * lanes),
                        4);
}

namespace {

class PairEmitter {
public:
  PairEmitter(CodeModule &module, const Operand &buffer, const HalfImage &image,
              WeightForm form, const Twine &name)
      : image(image), form(form), code(module, module.addStep(name + ".round")),
        from(code.buffer(buffer)), to(code.buffer(buffer.shared())) {}

  void emit(NativeStep &step) {
    // A chunk takes some microseconds.
    int64_t band = std::clamp<int64_t>(
        16384 / std::max<int64_t>(image.width * image.channels, 1), 1,
        image.rows());
    code.loop(code.function->getArg(2), code.function->getArg(3),
              [&](Value *chunk) {
                Value *first = code.times(chunk, band);
                Value *end = code.smaller(code.add(first, code.integer(band)),
                                          code.integer(image.rows()));
                code.loop(first, end, [&](Value *row) { emitRow(row); });
              });
    code.CreateRetVoid();
    step.phases.insert(step.phases.begin(),
                       {code.function, (image.rows() + band - 1) / band});
    step.sharedBytes = std::max(step.sharedBytes, bytesOfPairs(form, image));
  }

private:
  void emitRow(Value *row) {
    Value *in = rowAt(row);
    int64_t line = (image.before + image.width + image.after) * lanes;
    Value *out = code.at(to, code.times(row, line));
    auto emitBlock = [&](Value *block, int64_t channels) {
      Value *blockIn = code.at(in, code.times(block, 2 * image.blockStep));
      Value *blockOut = code.at(out, code.times(block, image.rows() * line));
      code.loop(code.integer(0), code.integer(image.width), [&](Value *x) {
        Value *pixel = code.at(blockIn, code.times(x, image.pixelStep));
        Value *low = code.loadVector(pixel, std::min(channels, lanes));
        Value *high = ConstantAggregateZero::get(code.vector);
        if (channels > lanes)
          high = code.loadVector(code.at(pixel, image.blockStep),
                                 channels - lanes);
        Value *place =
            code.add(code.times(x, lanes), code.integer(image.before * lanes));
        store(emitPairs(code, form, low, high), code.at(blockOut, place));
      });
      Value *zero = ConstantAggregateZero::get(code.vector);
      Value *zeros[] = {zero, zero};
      for (int64_t x = 0; x < image.before + image.after; ++x)
        store(zeros, code.at(blockOut,
                             (x < image.before ? x : x + image.width) * lanes));
    };
    int64_t full = image.channels / (2 * lanes);
    if (full)
      code.loop(code.integer(0), code.integer(full),
                [&](Value *block) { emitBlock(block, 2 * lanes); });
    if (int64_t rest = image.channels % (2 * lanes))
      emitBlock(code.integer(full), rest);
  }

  void store(ArrayRef<Value *> pairs, Value *place) {
    code.storeVector(pairs[0], place);
    if (form == WeightForm::SplitTiles)
      code.storeVector(pairs[1], code.at(place, image.elements()));
  }

  /// The address of the image row for a row of the result.
  Value *rowAt(Value *row) {
    Value *y = code.CreateURem(row, code.integer(image.height));
    Value *plane = code.CreateUDiv(row, code.integer(image.height));
    Value *z = code.CreateURem(plane, code.integer(image.depth));
    Value *n = code.CreateUDiv(plane, code.integer(image.depth));
    return code.at(from, code.add(code.add(code.times(n, image.imageStep),
                                           code.times(z, image.planeStep)),
                                  code.times(y, image.rowStep)));
  }

  const HalfImage &image;
  const WeightForm form;
  Emitter code;
  Value *from, *to;
};

} // namespace

void cpu::pairFirst(CodeModule &module, const Operand &buffer,
                    const HalfImage &image, WeightForm form, const Twine &name,
                    NativeStep &step) {
  PairEmitter(module, buffer, image, form, name).emit(step);
}
