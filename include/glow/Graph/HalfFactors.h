//===- HalfFactors.h - products of bf16 that are computed in f32 *- C++ -*-===//

#ifndef GLOW_GRAPH_HALFFACTORS_H
#define GLOW_GRAPH_HALFFACTORS_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of a node on f32, and of its instruction, whose factors the
/// model has in bf16: a backend may round them to bf16 where it multiplies bf16
/// faster. A lowering hands it on to the products that it makes of the node.
constexpr llvm::StringLiteral halfFactors = "glow.bf16_factors";

} // namespace glow

#endif // GLOW_GRAPH_HALFFACTORS_H
