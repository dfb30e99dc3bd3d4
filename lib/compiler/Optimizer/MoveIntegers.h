//===- MoveIntegers.h - integers that are moved as integers -----*- C++ -*-===//

#ifndef GLOW_OPTIMIZER_MOVEINTEGERS_H
#define GLOW_OPTIMIZER_MOVEINTEGERS_H

#include "mlir/IR/PatternMatch.h"

namespace glow {

/// Adds patterns by which what only moves elements comes before Dequantize, and
/// behind Quantize: for graphs of backends that have products of integers. They
/// ask the context's NodeEvaluator what moves; without one there are none.
/// Ends because a Dequantize only moves towards the results, a Quantize towards
/// the inputs, and no move makes one of the other.
void addIntegerMoves(mlir::RewritePatternSet &patterns);

} // namespace glow

#endif // GLOW_OPTIMIZER_MOVEINTEGERS_H
