//===- Look.h - before a thread sleeps --------------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_BASE_LOOK_H
#define GLOW_RUNTIME_BASE_LOOK_H

#include <chrono>

namespace glow::runtime {

/// Waits for `isThere` without sleeping, but no longer than the system takes to
/// wake a thread. To yield would give a busy machine's time to others for
/// milliseconds.
template <typename IsThere> void look(IsThere isThere) {
  using Clock = std::chrono::steady_clock;
  if (isThere())
    return; // to ask for the time takes a good part of a short run
  const auto end = Clock::now() + std::chrono::microseconds(50);
  while (!isThere() && Clock::now() < end)
    ;
}

} // namespace glow::runtime

#endif // GLOW_RUNTIME_BASE_LOOK_H
