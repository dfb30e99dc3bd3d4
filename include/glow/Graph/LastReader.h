//===- LastReader.h - modules that end soon ---------------------*- C++ -*-===//

#ifndef GLOW_GRAPH_LASTREADER_H
#define GLOW_GRAPH_LASTREADER_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// A unit attribute of a module whose constants are not read after its programs
/// are made: a backend that has them in another form may give their memory
/// back.
inline constexpr llvm::StringLiteral lastReader = "glow.last_reader";

} // namespace glow

#endif // GLOW_GRAPH_LASTREADER_H
