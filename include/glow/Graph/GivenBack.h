//===- GivenBack.h - nodes decomposed for a backend -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_GIVENBACK_H
#define GLOW_GRAPH_GIVENBACK_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node into which a backend's node was decomposed, because
/// the backend cannot run it: an array of texts with the reasons.
inline constexpr llvm::StringLiteral givenBack = "glow.given_back";

} // namespace glow

#endif // GLOW_GRAPH_GIVENBACK_H
