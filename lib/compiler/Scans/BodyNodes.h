//===- BodyNodes.h - the nodes of a loop's function -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_SCANS_BODYNODES_H
#define GLOW_LIB_SCANS_BODYNODES_H

#include "glow/Graph/ControlFlow.h"
#include "glow/Loops/Program.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace glow {

/// Element kinds for which code of loops is asked for; empty for all kinds.
using LoopKinds = llvm::ArrayRef<ElementKind>;

/// The nodes of a loop's function, with their index notation.
class BodyNodes {
public:
  struct Node {
    mlir::Operation *op;
    std::unique_ptr<loops::Program> program; ///< null for Reshape and Cast
  };

  explicit BodyNodes(CalledBody &body) : body(body) {}

  /// Whether all nodes have index notation that a scan may contain, of these
  /// kinds. Decides which values have memory.
  bool find(LoopKinds kinds);

  /// Whether the value has memory: another value of its node, or a later
  /// statement, reads it.
  bool hasMemory(mlir::Value value) const { return stored.contains(value); }
  const Node &nodeOf(mlir::Value value) const {
    return nodes.find(value.getDefiningOp())->second;
  }
  /// Whether the node may be a part of a statement that reads its result.
  static bool isInlined(const Node &node);
  /// Whether a step function is among the nodes.
  bool jumps() const;

  /// The nodes that write memory, in order.
  llvm::MapVector<mlir::Operation *, Node> nodes;

private:
  bool add(mlir::Operation *op, LoopKinds kinds);
  bool hasKinds(const loops::Program &program, mlir::Operation *op,
                LoopKinds kinds) const;
  void addReadWhole(const Node &node);
  void addShared();
  bool isLarge() const;

  CalledBody &body;
  llvm::DenseSet<mlir::Value> stored;
};

/// The value that a tensor of a node's program is.
mlir::Value valueOf(mlir::Operation *op, size_t tensor);

} // namespace glow

#endif // GLOW_LIB_SCANS_BODYNODES_H
