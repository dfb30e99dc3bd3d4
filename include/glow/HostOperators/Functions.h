//===- Functions.h - functions of HostOperator records ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_HOSTOPERATORS_FUNCTIONS_H
#define GLOW_HOSTOPERATORS_FUNCTIONS_H

#include "glow/Values/HostCall.h"

namespace glow::host {
#include "glow/Generated/GlowHostOperators.h.inc"
} // namespace glow::host

#endif // GLOW_HOSTOPERATORS_FUNCTIONS_H
