//===- Float24.cpp - weights of 24 bits -----------------------------------===//
// SPDX-License-Identifier: MIT
//
// A product of few rows waits for its weights. With 24 bits each it reads three
// quarters of the bytes. Three vectors hold four: the last bytes of the first
// three hold the fourth, so that only shifts and masks are needed. Each vector
// is used before the next is loaded. In another order AVX2 has too few
// registers, and takes 1.4 times as long instead of 0.87.
//
// With AVX-512 the MLP of the benchmark takes 0.71 of the time, DLRM 0.80,
// VGG-19 0.96 and with two threads 0.94. A product with a matrix of 64 MiB
// takes 0.71, and with four rows 0.79. With eight rows, multiplying takes as
// long as reading; SSE takes twice as long. Packing such weights takes VGG-19
// 50 ms more. Two kinds of weights keep all bits. An LSTM took 0.87 to 0.91 of
// the time, but its errors add up over the time steps: a small element exceeded
// ONNX's tolerance. Rounding the filters of Winograd's F(4x4) gave an error of
// 1.7e-4 in a simulation with random numbers, and the mode allows 1e-4.
//
//===----------------------------------------------------------------------===//

#include "Float24.h"
#include <bit>

using namespace glow::cpu;
using namespace llvm;

/// The most rows for which weights of 24 bits pay. Measured on Zen 4, with
/// AVX-512: with weights in the third-level cache a product takes 0.7 of the
/// time for one row, 0.9 for two, and 1.05 for three. With weights in memory it
/// takes 0.7 to 0.8 for one to four rows, and the same time for six. AVX2 has
/// registers for the sums of one row.
static int64_t mostRows(const glow::cpu::Target &target, int64_t weights) {
  if (target.vectorRegisters < 32)
    return 1;
  return weights > (4 << 20) ? 4 : 2;
}

bool glow::cpu::usesFloat24(const CodeModule &module, int64_t rows,
                            int64_t inner, int64_t columns) {
  const glow::cpu::Target &target = module.target;
  constexpr int64_t leastWeights = 64 << 10; // less takes a few microseconds
  return module.math != Math::Strict && target.has("avx2") &&
         columns > (blocks24 - 1) * lanes && inner * columns >= leastWeights &&
         rows <= mostRows(target, inner * columns);
}

static constexpr uint32_t kept = 0xffffff00;

static uint32_t bits24(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t magnitude = bits & 0x7fffffff;
  // Rounds to nearest, halves to even: adds half of the last byte minus one
  // unit, plus one unit if the bit above is set.
  uint32_t rounded = bits + 0x7f + (bits >> 8 & 1);
  // The largest numbers would become infinite, and a NaN may be so only by its
  // last byte: both are not rounded.
  rounded = magnitude >= 0x7f800000 - 0x80 ? bits : rounded;
  rounded = magnitude > 0x7f800000 ? bits | 0x400000 : rounded;
  return rounded & kept;
}

float glow::cpu::round24(float value) {
  return std::bit_cast<float>(bits24(value));
}

void glow::cpu::pack24(const float *row, int64_t blocks, float *to) {
  for (; blocks >= blocks24; blocks -= blocks24) {
    std::array<uint32_t, blocks24 * lanes> bits;
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = bits24(row[i]);
    for (int64_t v = 0; v < 3; ++v)
      for (int64_t i = 0; i < lanes; ++i) {
        // Vector 0 carries the upper byte of the fourth vector, and vector 2
        // its lowest remaining byte.
        uint32_t byte = bits[3 * lanes + i] >> (24 - 8 * v) & 0xff;
        to[v * lanes + i] = std::bit_cast<float>(bits[v * lanes + i] | byte);
      }
    row += blocks24 * lanes;
    to += size24(blocks24);
  }
  // Unpacked columns are rounded as well, so that equal columns have equal
  // results.
  std::transform(row, row + blocks * lanes, to, round24);
}

void glow::cpu::load24(Emitter &code, Value *packed, UseVector use) {
  auto *integers = FixedVectorType::get(code.getInt32Ty(), lanes);
  auto pass = [&](int64_t index, Value *bits) {
    use(index, code.CreateBitCast(bits, code.vector));
  };
  Value *last = nullptr;
  for (int64_t v = 0; v < 3; ++v) {
    Value *place = code.at(packed, v * lanes);
    Value *bits = code.CreateBitCast(code.loadVector(place), integers);
    pass(v, code.CreateAnd(bits, kept));
    Value *byte = code.CreateShl(code.CreateAnd(bits, 0xff), 24 - 8 * v);
    last = last ? code.CreateOr(last, byte) : byte;
  }
  pass(3, last);
}
