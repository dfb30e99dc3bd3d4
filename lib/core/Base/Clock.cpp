//===- Clock.cpp - the clock of this processor ----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Clock.h"
#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>

using namespace glow;

/// The compiler cannot reason about the value after this call.
static void hide(uint64_t &x) { __asm__ volatile("" : "+r"(x)); }

/// Dependent operations per second: each takes the result of the last one.
template <typename Next> static double rateOf(Next next) {
  // A short run, so that some runs are not interrupted.
  constexpr int64_t count = 25000, unrolled = 8;
  double best = 1;
  for (int turn = 0; turn < 16; ++turn) {
    uint64_t x = 0x9e3779b97f4a7c15, y = 3;
    hide(y);
    auto start = std::chrono::steady_clock::now();
    for (int64_t i = 0; i < count; ++i) {
#pragma GCC unroll 8
      for (int64_t k = 0; k < unrolled; ++k) {
        next(x, y);
        hide(x);
      }
    }
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::max(best, double(count * unrolled) / time.count());
  }
  return best;
}

/// The median of three rates. A core may do some operations of one kind, such
/// as additions, without a cycle, or with two.
static double measure() {
  std::array rates = {
      rateOf([](uint64_t &x, uint64_t y) { x += y; }),
      rateOf([](uint64_t &x, uint64_t y) { x ^= y; }),
      rateOf([](uint64_t &x, uint64_t) { x = std::rotl(x, 5); })};
  std::ranges::sort(rates);
  return rates[1];
}

double glow::cyclesPerSecond() {
  static const double cycles = measure();
  return cycles;
}
