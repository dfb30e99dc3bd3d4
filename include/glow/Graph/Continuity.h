//===- Continuity.h - values that a step depends on -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A step is a node whose result jumps when an operand changes a little: Floor,
// a comparison, a conversion to integers, ArgMax, a quantization. A value meets
// a step if a step depends on it. Factors of a sum of products are exempt: the
// sum is rounded itself, so the last bits of its factors do not matter.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GRAPH_CONTINUITY_H
#define GLOW_GRAPH_CONTINUITY_H

#include "glow/Graph/Dialect.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace glow {

/// Whether a step may follow the value. False for a result of the model. A
/// value that is saved for another function of the module counts as the values
/// that are read from it there. If another module reads it, the attribute
/// GlowDialect::exact of the storage answers.
bool mayMeetStep(mlir::Value value);

/// Whether a step may follow a result of the node, or is part of the node's own
/// formula. In a sum of products, only the part of the formula after the sum
/// counts.
bool mayMeetStep(mlir::Operation *node);

/// While it lives, mayMeetStep takes no walk on this thread where the module of
/// `root` has no step: a walk from each node would visit all nodes behind it.
class StepsOfModule {
public:
  explicit StepsOfModule(mlir::Operation *root);
  ~StepsOfModule();
  StepsOfModule(const StepsOfModule &) = delete;
  StepsOfModule &operator=(const StepsOfModule &) = delete;

  /// Takes a node that was made since.
  void add(mlir::Operation *node);
  /// Whether no step follows any value of the module `of`. The first question
  /// takes a walk through the module.
  bool areNone(mlir::Operation *of);

private:
  mlir::Operation *const module; ///< null without one
  std::optional<bool> hasNone;   ///< of steps; empty before the walk
  StepsOfModule *outer;          ///< the one that lived before
};

/// All nodes of the function for which mayMeetStep holds, found in one walk.
llvm::DenseSet<mlir::Operation *> nodesBeforeSteps(FuncOp function);

} // namespace glow

#endif // GLOW_GRAPH_CONTINUITY_H
