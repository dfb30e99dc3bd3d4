//===- Stays.h - large constants computed at run time -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_STAYS_H
#define GLOW_GRAPH_STAYS_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node that is not folded although its operands are known:
/// its result is so large that it is computed when the model runs. Lowering
/// keeps it.
constexpr llvm::StringLiteral stays = "glow.stays";

} // namespace glow

#endif // GLOW_GRAPH_STAYS_H
