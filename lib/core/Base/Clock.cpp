//===- Clock.cpp - the clock of this processor ----------------------------===//

#include "glow/Base/Clock.h"
#include <algorithm>
#include <chrono>
#include <cstdint>

using namespace glow;

static double measure() {
  // Short, so that some are not interrupted.
  constexpr int64_t count = 200000;
  double best = 1;
  for (int turn = 0; turn < 16; ++turn) {
    auto start = std::chrono::steady_clock::now();
    uint64_t x = 1, y = 3;
    // Some processors add a constant without a cycle, none a register.
    for (int64_t i = 0; i < count; ++i) {
      x += y;
      __asm__ volatile("" : "+r"(x), "+r"(y));
      x ^= y;
      __asm__ volatile("" : "+r"(x), "+r"(y));
    }
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::max(best, 2 * double(count) / time.count());
  }
  return best;
}

double glow::cyclesPerSecond() {
  static const double cycles = measure();
  return cycles;
}
