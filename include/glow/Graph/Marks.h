//===- Marks.h - attributes that passes set ---------------------*- C++ -*-===//
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

/// The attribute of a node that is not folded although its operands are known:
/// its result is so large that it is computed when the model runs. Lowering
/// keeps it.
inline constexpr llvm::StringLiteral stays = "glow.stays";

/// The attribute of a node into which a backend's node was decomposed, because
/// the backend cannot run it: an array of texts with the reasons.
inline constexpr llvm::StringLiteral givenBack = "glow.given_back";

/// The port name of a weight, as an attribute of an output with its gradient.
/// differentiate sets it.
inline constexpr llvm::StringLiteral gradientOf = "glow.gradient_of";

/// The port name of an input, as an attribute of an output with its value in
/// the next run: both are a state of the program. add-optimizer sets it.
inline constexpr llvm::StringLiteral nextOf = "glow.next_of";

} // namespace glow

#endif // GLOW_GRAPH_MARKS_H
