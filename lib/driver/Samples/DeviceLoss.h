//===- DeviceLoss.h - devices that are lost while they run ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SAMPLES_DEVICELOSS_H
#define GLOW_LIB_SAMPLES_DEVICELOSS_H

#include "glow/Program/Program.h"
#include "glow/Values/Tensor.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace glow {

/// Lets a host lose the device of a program's backend in the middle of a run,
/// alone and beside another device. Returns the first error, or "". The request
/// that was on the device must have the outputs of `expected`, one after the
/// other. So must each request after the device came back. `inputs` are in the
/// program's order. Waits without limit for a device that never comes back.
std::string loseInTheMiddle(const Program &program,
                            llvm::ArrayRef<Tensor> inputs,
                            const std::string &expected);

} // namespace glow

#endif // GLOW_LIB_SAMPLES_DEVICELOSS_H
