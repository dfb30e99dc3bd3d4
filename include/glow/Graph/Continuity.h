//===- Continuity.h - where a rounding may become a step --------*- C++ -*-===//
//
// A step is a node whose result jumps where an operand changes a little: Floor,
// a comparison, a conversion to integers, ArgMax, a quantization. A value meets
// a step unless it is a factor of a sum of products before: such a sum is
// rounded itself, so that the last bits of its factors do not count.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_CONTINUITY_H
#define GLOW_GRAPH_CONTINUITY_H

#include "glow/Graph/Dialect.h"
#include "llvm/ADT/DenseSet.h"

namespace glow {

/// Whether a step may follow the value. False of a result of the model. What
/// one function saves for another of its module counts as what that does with
/// it; where the other is elsewhere, GlowDialect::exact of the storage answers.
bool mayMeetStep(mlir::Value value);

/// Whether a step may follow a result of the node, or stands in its own
/// formula: behind its sums, where it has some.
bool mayMeetStep(mlir::Operation *node);

/// All nodes of the function that mayMeetStep is true of, in one walk.
llvm::DenseSet<mlir::Operation *> nodesBeforeSteps(FuncOp function);

} // namespace glow

#endif // GLOW_GRAPH_CONTINUITY_H
