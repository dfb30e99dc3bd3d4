//===- Iterations.h - what nodes that repeat a graph share ------*- C++ -*-===//

#ifndef GLOW_LIB_HOSTOPERATORS_ITERATIONS_H
#define GLOW_LIB_HOSTOPERATORS_ITERATIONS_H

#include "glow/Values/HostCall.h"

namespace glow {

/// Whether an input is there, and a value.
bool isGiven(const HostCall &call, unsigned index);

/// The last outputs of a body that never ran on such `arguments`, one for each
/// of `axes`, along which they are stacked: none of each, with its other sizes.
/// The body is looked at where it does not declare them.
Result<HostValue::Sequence> noneOfAll(const HostCall &call,
                                      HostValue::Sequence arguments,
                                      const Ints &axes);

} // namespace glow

#endif // GLOW_LIB_HOSTOPERATORS_ITERATIONS_H
