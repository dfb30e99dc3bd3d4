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

/// The same for a called function: whether what it gives in port `to` may be in
/// the memory of what it takes in port `from`.
bool updatesInPlace(const StepCode &code, const StepCall &call, uint32_t from,
                    uint32_t to);

} // namespace glow

#endif // GLOW_PROGRAM_UPDATES_H
