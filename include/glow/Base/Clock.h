//===- Clock.h - the clock of this processor --------------------*- C++ -*-===//

#ifndef GLOW_BASE_CLOCK_H
#define GLOW_BASE_CLOCK_H

namespace glow {

/// Cycles in a second of this processor, by operations that wait for each
/// other: a cycle each on every one. Measured once in a process, which takes
/// some milliseconds.
double cyclesPerSecond();

} // namespace glow

#endif // GLOW_BASE_CLOCK_H
