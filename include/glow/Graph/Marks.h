//===- Marks.h - attributes of modules and their storage --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_MARKS_H
#define GLOW_GRAPH_MARKS_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a module whose target processor has no vector registers.
/// Records that need vectors (Legal and CodeFor) do not apply to it.
inline constexpr llvm::StringLiteral scalar = "glow.scalar";

/// The port name of an input, as an attribute of an output whose value is that
/// of the input and more rows along the first axis. A run may have both in one
/// buffer. append-states sets it.
inline constexpr llvm::StringLiteral appendsTo = "glow.appends";

} // namespace glow

#endif // GLOW_GRAPH_MARKS_H
