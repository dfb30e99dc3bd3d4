//===- LastReader.h - modules with a last use of constants ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_LASTREADER_H
#define GLOW_GRAPH_LASTREADER_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The unit attribute of a module whose constants are not read after code
/// generation. A backend that has copied them into another form may free them.
inline constexpr llvm::StringLiteral lastReader = "glow.last_reader";

} // namespace glow

#endif // GLOW_GRAPH_LASTREADER_H
