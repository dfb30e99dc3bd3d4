//===- GivenBack.h - nodes that a backend does not run ----------*- C++ -*-===//

#ifndef GLOW_GRAPH_GIVENBACK_H
#define GLOW_GRAPH_GIVENBACK_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node that is left of one that a backend made and does not
/// run: an array of texts that say why not.
inline constexpr llvm::StringLiteral givenBack = "glow.given_back";

} // namespace glow

#endif // GLOW_GRAPH_GIVENBACK_H
