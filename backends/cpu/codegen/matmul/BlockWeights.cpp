//===- BlockWeights.cpp - weights of few bits, packed ---------------------===//
// SPDX-License-Identifier: MIT

#include "BlockMatMul.h"
#include "glow/Base/Functions.h"

using namespace glow;
using namespace glow::cpu;

/// The largest block. A larger block of the model becomes several blocks with
/// the same scale, so that little padding is in the last one.
static constexpr int64_t largestBlock = 256;

/// The most elements of a part. If one element is far larger than all others,
/// their errors add up to at most 6e-5 of its product.
static constexpr int64_t largestPart = 32;

BlockSizes::BlockSizes(const calls::MatMulNBitsCall &call) {
  Ints lhs = call.lhs.shape(), codes = call.codes.shape();
  inner = lhs.back();
  rows = expr::prod(expr::take(lhs, expr::size(lhs) - 1));
  columns = codes[0], modelBlocks = codes[1];
  bits = call.bits, modelBlock = call.blockSize;
  block = std::min(modelBlock, largestBlock);
  part = std::min(block, largestPart);
  blocks = (inner + block - 1) / block;
  zero = call.zeros       ? CodeZero::Byte
         : call.realZeros ? CodeZero::Real
                          : CodeZero::Middle;
}

/// The numbers of `bits` bits with an even position in a word, packed together.
static uint32_t everyOther(uint32_t word, int64_t bits) {
  for (int64_t size = bits;; size *= 2) {
    // Alternating runs of `size` ones and zeros.
    uint32_t mask = uint32_t(0xffffffff) / ((uint32_t(1) << size) + 1);
    word &= mask;
    if (size == 16)
      return word;
    word |= word >> size;
  }
}

static void packCodes(const BlockSizes &s, const uint32_t *from, uint32_t *to) {
  int64_t words = s.blocks * s.words();
  int64_t row = s.modelBlocks * s.modelBlock / s.wordCodes();
  for (int64_t panel = 0; panel < s.panels(); ++panel) {
    int64_t first = panel * lanes;
    int64_t there = std::min(lanes, s.columns - first);
    for (int64_t lane = 0; lane < there; ++lane) {
      const uint32_t *word = from + (first + lane) * row;
      for (int64_t i = 0; i < words; ++i)
        to[i * lanes + lane] = everyOther(word[i], s.bits) |
                               everyOther(word[i] >> s.bits, s.bits) << 16;
    }
    to += words * lanes;
  }
}

/// Packs parameters that the model has once a block: scales or zero points.
template <typename T>
static void packParameters(const BlockSizes &s, const T *from, T *to) {
  for (int64_t panel = 0; panel < s.panels(); ++panel) {
    int64_t first = panel * lanes;
    int64_t there = std::min(lanes, s.columns - first);
    for (int64_t block = 0; block < s.blocks; ++block, to += lanes) {
      int64_t of = block * s.block / s.modelBlock;
      for (int64_t lane = 0; lane < there; ++lane)
        to[lane] = from[(first + lane) * s.modelBlocks + of];
    }
  }
}

void cpu::packBlocks(const calls::MatMulNBitsCall &call, const BlockSizes &s,
                     NativeStep &step) {
  int64_t places = s.panels() * s.blocks * lanes;
  step.packings.push_back(
      {call.codes, places * s.words(), [s](const float *from, float *to) {
         packCodes(s, reinterpret_cast<const uint32_t *>(from),
                   reinterpret_cast<uint32_t *>(to));
       }});
  auto reals = [s](const float *from, float *to) {
    packParameters(s, from, to);
  };
  step.packings.push_back({call.scales, places, reals});
  if (s.zero == CodeZero::Real)
    step.packings.push_back({*call.realZeros, places, reals});
  if (s.zero == CodeZero::Byte)
    step.packings.push_back(
        {*call.zeros, places / 4, [s](const float *from, float *to) {
           packParameters(s, reinterpret_cast<const uint8_t *>(from),
                          reinterpret_cast<uint8_t *>(to));
         }});
}
