//===- Shuffles.cpp - lanes that move between vectors ---------------------===//
// SPDX-License-Identifier: MIT

#include "Shuffles.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Exchanges lanes of two vectors, `step` lanes at a time: those of the second
/// half of `a` with those of the first half of `b`.
static std::pair<Value *, Value *> exchanged(Emitter &code, Value *a, Value *b,
                                             int64_t step) {
  SmallVector<int> low, high;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    low.push_back(int(lane & step ? lanes + lane - step : lane));
    high.push_back(int(lane & step ? lanes + lane : lane + step));
  }
  return {code.CreateShuffleVector(a, b, low),
          code.CreateShuffleVector(a, b, high)};
}

void cpu::transpose16(Emitter &code, MutableArrayRef<Value *> rows) {
  // A butterfly: each step exchanges halves of 8, 4, 2 and 1 lanes between rows
  // that are as many rows apart. It takes 4 x 16 shuffles of two vectors.
  for (int64_t step = lanes / 2; step; step /= 2)
    for (int64_t i = 0; i < lanes; ++i)
      if (!(i & step))
        std::tie(rows[i], rows[i + step]) =
            exchanged(code, rows[i], rows[i + step], step);
}

Value *cpu::sumsOfLanes(Emitter &code, ArrayRef<Value *> vectors) {
  // The same butterfly, but what is exchanged is added.
  SmallVector<Value *> rows(vectors);
  for (int64_t step = lanes / 2; step; step /= 2)
    for (int64_t i = 0; i < step; ++i) {
      auto [low, high] = exchanged(code, rows[i], rows[i + step], step);
      rows[i] = code.CreateFAdd(low, high);
    }
  return rows[0];
}
