//===- DeviceLoss.h - devices that are lost while they run ------*- C++ -*-===//

#ifndef GLOW_LIB_SAMPLES_DEVICELOSS_H
#define GLOW_LIB_SAMPLES_DEVICELOSS_H

#include "glow/Program/Program.h"
#include "glow/Values/Tensor.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace glow {

/// Has a host lose the device of a program's backend in the middle of a run,
/// alone and beside another one. What is not so, or "": the request that was on
/// it has the outputs of `expected`, one after the other, and so has each after
/// the device came back. `inputs` are in the program's order. A device that
/// never comes back is waited for without end.
std::string loseInTheMiddle(const Program &program,
                            llvm::ArrayRef<Tensor> inputs,
                            const std::string &expected);

} // namespace glow

#endif // GLOW_LIB_SAMPLES_DEVICELOSS_H
