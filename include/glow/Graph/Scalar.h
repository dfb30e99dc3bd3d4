//===- Scalar.h - modules for processors without vectors --------*- C++ -*-===//

#ifndef GLOW_GRAPH_SCALAR_H
#define GLOW_GRAPH_SCALAR_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a module whose code is for a processor without registers of
/// vectors: records that need them (Legal and CodeFor) do not hold in it.
inline constexpr llvm::StringLiteral scalar = "glow.scalar";

} // namespace glow

#endif // GLOW_GRAPH_SCALAR_H
