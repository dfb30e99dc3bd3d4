//===- StepConstants.h - constants of a loaded program ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_STEPCONSTANTS_H
#define GLOW_RUNTIME_DEVICE_STEPCONSTANTS_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"

namespace glow {

/// Appends the addresses of all constants, and gives their owners, which keep
/// the addresses valid. Fails with Code::OutOfMemory if one must be copied and
/// there is no memory for it.
Status keepConstants(const Program &program,
                     std::vector<const void *> &constants,
                     std::vector<std::shared_ptr<const void>> &owners);

/// The mapped files that hold constants.
std::vector<const void *> filesOf(const std::vector<Constant> &constants);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICE_STEPCONSTANTS_H
