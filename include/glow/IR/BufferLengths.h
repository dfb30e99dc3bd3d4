//===- BufferLengths.h - sizes of buffers that a run gives ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IR_BUFFERLENGTHS_H
#define GLOW_IR_BUFFERLENGTHS_H

#include "glow/IR/Structure.h"
#include "glow/Program/Length.h"

namespace glow::ir {

/// The sizes of a buffer in a run; empty if all of them are fixed.
std::vector<Length> lengthsOf(BufferType type);

} // namespace glow::ir

#endif // GLOW_IR_BUFFERLENGTHS_H
