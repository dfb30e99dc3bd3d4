//===- Stays.h - what is known and yet computed when it runs ----*- C++ -*-===//

#ifndef GLOW_GRAPH_STAYS_H
#define GLOW_GRAPH_STAYS_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The mark of a node of the model whose operands are known and whose result is
/// so large that it is made when the model runs; after lowering too.
constexpr llvm::StringLiteral stays = "glow.stays";

} // namespace glow

#endif // GLOW_GRAPH_STAYS_H
