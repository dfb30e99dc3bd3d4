//===- Updates.h - states that are updated in place -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_UPDATES_H
#define GLOW_PROGRAM_UPDATES_H

#include "glow/Program/Steps.h"

namespace glow {

/// Whether the step copies a buffer as it is: no work if both are one.
bool copies(const Step &step);

/// Whether a run may have input and output of a pair in one buffer, and writes
/// the new elements alone: the output begins as a copy of the input, which no
/// other step reads.
bool updatesInPlace(const Program &program, const StatePair &pair);

} // namespace glow

#endif // GLOW_PROGRAM_UPDATES_H
