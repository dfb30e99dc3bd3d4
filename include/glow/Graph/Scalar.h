//===- Scalar.h - modules for processors without vectors --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_SCALAR_H
#define GLOW_GRAPH_SCALAR_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a module whose target processor has no vector registers.
/// Records that need vectors (Legal and CodeFor) do not apply to it.
inline constexpr llvm::StringLiteral scalar = "glow.scalar";

} // namespace glow

#endif // GLOW_GRAPH_SCALAR_H
