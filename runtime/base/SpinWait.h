//===- SpinWait.h - before a thread sleeps ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_BASE_SPINWAIT_H
#define GLOW_RUNTIME_BASE_SPINWAIT_H

#include <chrono>

namespace glow::runtime {

/// A spin wait for `isThere`, which lasts no longer than the system takes to
/// wake a thread. It does not yield: on a busy machine other threads would run
/// for milliseconds.
template <typename IsThere> void spinWait(IsThere isThere) {
  using Clock = std::chrono::steady_clock;
  if (isThere())
    return; // reading the clock takes a good part of a short run
  const auto end = Clock::now() + std::chrono::microseconds(50);
  while (!isThere() && Clock::now() < end)
    ;
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_BASE_SPINWAIT_H
