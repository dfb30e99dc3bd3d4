//===- Iterations.h - shared parts of Loop and Scan -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_HOSTOPERATORS_ITERATIONS_H
#define GLOW_LIB_HOSTOPERATORS_ITERATIONS_H

#include "glow/Values/HostCall.h"

namespace glow {

/// Whether an input is present and has a value.
bool isGiven(const HostCall &call, unsigned index);

/// The last outputs of a body that never ran on such `arguments`, one for each
/// of `axes`, along which values are stacked. Each is empty, with the value's
/// other sizes. Where the body does not declare these, its first stage is
/// compiled.
Result<HostValue::Sequence> noneOfAll(const HostCall &call,
                                      HostValue::Sequence arguments,
                                      const Ints &axes);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_ITERATIONS_H
