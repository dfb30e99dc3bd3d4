//===- Weights.h - many weights at once -------------------------*- C++ -*-===//

#ifndef GLOW_IR_WEIGHTS_H
#define GLOW_IR_WEIGHTS_H

#include "glow/IR/Structure.h"

namespace glow::ir {

/// A weight as FuncOp::addWeight takes it.
struct Weight {
  mlir::Location location;
  BufferType type;
  WeightKind kind;
  llvm::StringRef storage;
};

/// Declares weights at the end of a function: one by one, each would make a
/// list of all before it.
void addWeights(FuncOp function, llvm::ArrayRef<Weight> weights);

} // namespace glow::ir

#endif // GLOW_IR_WEIGHTS_H
