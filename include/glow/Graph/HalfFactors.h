//===- HalfFactors.h - f32 products with bf16 factors -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_HALFFACTORS_H
#define GLOW_GRAPH_HALFFACTORS_H

#include "llvm/ADT/StringRef.h"

namespace glow {

/// The attribute of an f32 node, and of its instruction, whose factors are bf16
/// in the model. A backend may round them to bf16 if it multiplies bf16 faster.
/// A lowering copies the attribute to the products that it makes of the node.
constexpr llvm::StringLiteral halfFactors = "glow.bf16_factors";

} // namespace glow

#endif // GLOW_GRAPH_HALFFACTORS_H
