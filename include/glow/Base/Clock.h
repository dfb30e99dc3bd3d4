//===- Clock.h - the clock of this processor --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BASE_CLOCK_H
#define GLOW_BASE_CLOCK_H

namespace glow {

/// Clock rate of this processor in cycles per second. It is measured with
/// operations that depend on each other and take a cycle each. The first call
/// in a process measures, which takes some milliseconds.
double cyclesPerSecond();

} // namespace glow

#endif // GLOW_BASE_CLOCK_H
