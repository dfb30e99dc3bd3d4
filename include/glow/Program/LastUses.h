//===- LastUses.h - the steps behind which outputs are complete -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_LASTUSES_H
#define GLOW_PROGRAM_LASTUSES_H

#include "glow/Program/Steps.h"

namespace glow {

/// An output of a program, and the last step of the entry that reads or writes
/// its memory.
struct LastUse {
  size_t step, output;
  auto operator<=>(const LastUse &) const = default;
};

/// The last uses of the outputs of a program in the order of the steps, and of
/// the outputs of one step. An output without steps has none. `code` has passed
/// checkSteps.
std::vector<LastUse> lastUses(const StepCode &code);

} // namespace glow

#endif // GLOW_PROGRAM_LASTUSES_H
