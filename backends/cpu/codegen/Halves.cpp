//===- Halves.cpp - products of bf16, two at a time -----------------------===//

#include "Halves.h"
#include "glow/Base/Functions.h"
#include "glow/Base/Half.h"
#include <cmath>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Networks of few channels are mostly small ones, which win little and whose
/// results suffer; with 96 ResNet-50 and DenseNet-121 take as long as with 2.
static constexpr int64_t leastInner = 96;

bool cpu::usesHalves(const Target &target, int64_t inner, int64_t columns) {
  return target.math == Math::Fast && inner % 2 == 0 && inner >= leastInner &&
         columns >= 2 * lanes && target.has("avx512bf16");
}

/// The nearest, but for the largest numbers, which would become infinite.
static uint32_t finiteBits(float value) {
  uint16_t bits = BFloat16(value).bits;
  bool grew = (bits & 0x7fff) == 0x7f80 && std::isfinite(value);
  return uint16_t(grew ? bits - 1 : bits);
}

float cpu::halvesOf(float low, float high) {
  uint32_t bits = finiteBits(low) | finiteBits(high) << 16;
  return std::bit_cast<float>(bits);
}

static constexpr int64_t vectorPairs = 2 * lanes; // elements rounded at once

/// Rounds 32 elements from element `first` on, or the `count` that are left.
static void roundVector(Emitter &code, Value *from, Value *to, Value *first,
                        int64_t count) {
  Value *in = code.at(from, first);
  Value *low = code.loadVector(in, std::min(count, lanes));
  Value *high = ConstantAggregateZero::get(code.vector);
  if (count > lanes)
    high = code.loadVector(code.at(in, lanes), count - lanes);
  SmallVector<int> all(vectorPairs);
  std::iota(all.begin(), all.end(), 0);
  auto *halves = FixedVectorType::get(code.getBFloatTy(), vectorPairs);
  Value *rounded =
      code.CreateFPTrunc(code.CreateShuffleVector(low, high, all), halves);
  Value *place = code.CreateGEP(code.getBFloatTy(), to, first);
  code.storeVector(code.CreateBitCast(rounded, code.vector), place,
                   (count + 1) / 2);
}

void cpu::roundFirst(CodeModule &unit, const Operand &buffer, const Twine &name,
                     NativeStep &step) {
  int64_t elements = expr::prod(buffer.shape());
  int64_t vectors = elements / vectorPairs, rest = elements % vectorPairs;
  constexpr int64_t band = 1024; // vectors of a chunk
  int64_t chunks = std::max<int64_t>((vectors + band - 1) / band, 1);
  Emitter code(unit, unit.addStep(name + ".round"));
  Value *from = code.buffer(buffer), *to = code.buffer(buffer.shared());
  Value *begin = code.times(code.function->getArg(2), band);
  Value *end = code.smaller(code.times(code.function->getArg(3), band),
                            code.integer(vectors));
  code.loop(
      begin, end,
      [&](Value *v) {
        roundVector(code, from, to, code.times(v, vectorPairs), vectorPairs);
      },
      /*maybeNone=*/true);
  if (rest)
    code.when(code.CreateICmpEQ(code.function->getArg(3), code.integer(chunks)),
              [&] {
                roundVector(code, from, to, code.integer(vectors * vectorPairs),
                            rest);
              });
  code.CreateRetVoid();
  step.phases.insert(step.phases.begin(), {code.function, chunks});
  // Of 2 bytes an element, in whole words.
  step.sharedBytes = std::max(step.sharedBytes, (elements + 1) / 2 * 4);
}
