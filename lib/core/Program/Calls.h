//===- Calls.h - checks of steps that call functions ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_CORE_PROGRAM_CALLS_H
#define GLOW_LIB_CORE_PROGRAM_CALLS_H

#include "glow/Program/Steps.h"

namespace glow {

/// Checks the calls of all steps, whose buffers exist. Fails with
/// Code::InvalidArgument, naming the node.
Status checkCalls(const StepCode &code);

} // namespace glow

#endif // GLOW_LIB_CORE_PROGRAM_CALLS_H
