//===- Halves.cpp - products of bf16, two at a time -----------------------===//
// SPDX-License-Identifier: MIT

#include "Halves.h"
#include "codegen/tile/HalfTile.h"
#include "glow/Base/Functions.h"
#include "glow/Base/Half.h"
#include <cmath>

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// The fewest summed channels for rounding to bf16. Networks with few channels
/// are mostly small: they gain little and lose accuracy. With 96 ResNet-50 and
/// DenseNet-121 take as long as with 2.
static constexpr int64_t leastInner = 96;

/// Whether factors may be rounded to bf16: factors that are bf16 in the model,
/// which loses nothing, and with Math::Fast all factors.
static bool mayRound(const CodeModule &module, const ProductSizes &p) {
  return module.halfFactors
             ? module.math != Math::Strict
             : module.math == Math::Fast && p.inner >= leastInner;
}

static bool hasTiles(const cpu::Target &target) {
  return target.modelsTiles || target.has("amx-bf16");
}

int64_t cpu::linesOfTiles(int64_t line) {
  int64_t tiles = (line + halfTileLines - 1) / halfTileLines;
  return (line + tiles - 1) / tiles;
}

/// Cycles of a product by tiles. A tile of `n` pixels by 16 channels is
/// multiplied with 32 of each in n cycles; a line of weights comes from the
/// second-level cache in 1.5, one of pixels from the first in a half.
static double cyclesOfTiles(WeightForm form, const ProductSizes &p) {
  bool isSplit = form == WeightForm::SplitTiles;
  int64_t width = linesOfTiles(p.line), tiles = (p.line + width - 1) / width;
  int64_t panels = (p.columns + 2 * lanes - 1) / (2 * lanes);
  double products = double(2 * width) * (isSplit ? 3 : 1);
  double loads = (2 * lanes * 1.5 + double(width) * 0.5) * (isSplit ? 2 : 1);
  double steps = double(pairsOfTiles(p.inner) / lanes * p.taps);
  // Then sums are stored and loaded for the formula.
  double each = steps * std::max(products, loads) + 3 * double(2 * width) + 20;
  double rounding = double(p.copied) / lanes * (isSplit ? 8 : 4);
  constexpr double phase = 5000; // waiting for the phase before
  return each * double(tiles * p.lines * panels) + rounding + phase;
}

/// Vectors of f32 that are multiplied.
static double vectorsOf(const ProductSizes &p) {
  return double(p.line * p.lines * p.taps * p.inner) *
         double((p.columns + lanes - 1) / lanes);
}

/// Cycles of a product by vectors of f32, or by pairs, of which a vector has
/// twice as many. Weights come from the third-level cache, for which few rows
/// wait.
static double cyclesOfReals(const Processor &processor, const ProductSizes &p) {
  double weights = 4 * double(p.taps * p.inner * p.columns);
  return std::max(vectorsOf(p) / processor.realProducts,
                  weights / processor.thirdLevel);
}
static double cyclesOfPairs(const Processor &processor, const ProductSizes &p) {
  double weights = 2 * double(p.taps * p.inner * p.columns);
  double rounding = double(p.copied) / lanes * 2 * processor.operation;
  return std::max(vectorsOf(p) / 2 / processor.halfProducts,
                  weights / processor.thirdLevel) +
         rounding;
}

/// Whether the arena has space for the rounded copy.
static bool hasPlaceFor(const CodeModule &module, WeightForm form,
                        const ProductSizes &p) {
  if (form == WeightForm::Pairs)
    return module.hasPlaceFor((p.copied + 1) / 2 * 4, 0);
  return module.hasPlaceFor(bytesOfPairs(form, p.image),
                            tileScratchBytes(module.target, form) + p.scratch);
}

WeightForm cpu::formOf(const CodeModule &module, const ProductSizes &p) {
  const cpu::Target &target = module.target;
  const Processor &processor = target.processor;
  bool rounds = mayRound(module, p) && p.columns >= 2 * lanes;
  bool hasPairs =
      rounds && p.inner % 2 == 0 && target.has("avx512bf16") &&
      cyclesOfPairs(processor, p) < 0.9 * cyclesOfReals(processor, p) / p.saved;
  if (hasTiles(target) && module.math != Math::Strict) {
    // The factor by which the alternative is faster than plain f32.
    double saved = std::max(p.saved, hasPairs ? 2.0 : 1.0);
    WeightForm form = rounds ? WeightForm::Tiles : WeightForm::SplitTiles;
    if (cyclesOfTiles(form, p) <
            0.8 * vectorsOf(p) / processor.realProducts / saved &&
        hasPlaceFor(module, form, p))
      return form;
  }
  return hasPairs && hasPlaceFor(module, WeightForm::Pairs, p)
             ? WeightForm::Pairs
             : WeightForm::F32;
}

StepChoice cpu::choiceOfTiles(WeightForm form, const ProductSizes &p,
                              std::string layout) {
  return {form == WeightForm::SplitTiles ? "bf16 tiles x 3" : "bf16 tiles",
          std::to_string(linesOfTiles(p.line)) + "x" +
              std::to_string(halfTileBlocks * lanes),
          std::move(layout)};
}

Work cpu::workOfTiles(const cpu::Target &target, WeightForm form,
                      const ProductSizes &p) {
  Work work;
  work.factors = Factors::Tiles;
  work.products = cyclesOfTiles(form, p) * target.processor.tileProducts;
  return work;
}

/// Rounds to nearest, except for the largest numbers, which would become
/// infinite.
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

void cpu::roundFirst(CodeModule &module, const Operand &buffer,
                     const Twine &name, NativeStep &step) {
  int64_t elements = expr::prod(buffer.shape());
  int64_t vectors = elements / vectorPairs, rest = elements % vectorPairs;
  constexpr int64_t band = 1024; // vectors of a chunk
  int64_t chunks = std::max<int64_t>((vectors + band - 1) / band, 1);
  Emitter code(module, module.addStep(name + ".round"));
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
  // 2 bytes an element, rounded up to whole words.
  step.sharedBytes = std::max(step.sharedBytes, (elements + 1) / 2 * 4);
}
