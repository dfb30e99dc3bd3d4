//===- MoveIntegers.h - integers that are moved as integers -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_OPTIMIZER_MOVEINTEGERS_H
#define GLOW_OPTIMIZER_MOVEINTEGERS_H

#include "mlir/IR/PatternMatch.h"

namespace glow {

/// Adds patterns that move Dequantize behind, and Quantize before, nodes that
/// only move elements. They are for graphs of backends with integer products.
/// The context's NodeEvaluator decides which nodes only move elements; if it
/// has no evaluator, no pattern is added. Ends because a Dequantize only moves
/// towards the results, a Quantize towards the inputs, and no move makes one of
/// the other.
void addIntegerMoves(mlir::RewritePatternSet &patterns);

} // namespace glow

#endif // GLOW_OPTIMIZER_MOVEINTEGERS_H
