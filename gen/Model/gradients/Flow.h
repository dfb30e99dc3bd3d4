//===- Flow.h - paths of a node's gradients ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A gradient flows from results back through elements that statements read, to
// operands whose gradients are wanted. A buffer beside a tensor holds the
// gradient of that tensor where statements add to the gradient or take part of
// it out.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_GRADIENTS_FLOW_H
#define GLOW_GEN_MODEL_GRADIENTS_FLOW_H

#include "Model/gradients/Replay.h"
#include "Model/node/Reads.h"

namespace glow::gen {

/// An element that a statement reads, and how its value changes with it.
struct Change {
  ExprPtr element;
  const TensorSignature *tensor;
  ExprPtr factor; // elements in it are names, see Reads
};

/// A statement, and what gradients may flow through.
struct FlowStep {
  const TensorSignature *target;
  Reads reads;
  std::vector<Change> changes;
};

class Flow {
public:
  Flow(const Model &model, const NodeModel &node,
       llvm::ArrayRef<const TensorSignature *> wanted,
       const std::vector<Statement> &statements, const Replay &replay);

  std::vector<FlowStep> steps; // one for each statement

  /// Whether a gradient of a result goes through the tensor to what is wanted.
  bool flows(const TensorSignature &tensor) const {
    return flowing.contains(tensor.name);
  }
  /// Whether the gradient of the tensor is changed on the way.
  bool isBuffered(const TensorSignature &tensor) const {
    return buffered.contains(tensor.name);
  }
  bool hasBuffers() const { return !buffered.empty(); }

  /// Whether the changed element is the one that the statement writes.
  static bool isOwn(const Statement &statement, const Change &change);
  /// The change of the statement's own target; null where it does not read
  /// that.
  const Change *ownChange(size_t number) const;

  /// Whether the tensor holds nothing that is needed when a step of the scan
  /// begins, nor when the scan ends.
  bool isOfOneStep(const TensorSignature &tensor) const;
  /// Whether something is in the target before the statement.
  bool writesBefore(size_t number) const;
  /// Whether the statement writes over what gradients flow into.
  bool takesOut(size_t number) const;
  /// Whether no two values of the statement's indices lead to one element.
  bool writesOnce(const Statement &statement) const;

private:
  void read(const Model &model, const Statement &statement);
  void follow(llvm::ArrayRef<const TensorSignature *> wanted);
  void findBuffers();
  bool touches(size_t number, const TensorSignature &tensor) const;

  const NodeModel &node;
  const std::vector<Statement> &statements;
  const Replay &replay;
  llvm::StringSet<> flowing, buffered;
};

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_FLOW_H
