//===- AxisRegion.h - nodes in another order of axes ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_OPTIMIZER_AXISREGION_H
#define GLOW_LIB_OPTIMIZER_AXISREGION_H

#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

namespace glow {

/// The cost of transposes: the elements that they move, and their number. A
/// transpose of axes of size 1 only is a view, and costs nothing. A transpose
/// of a constant costs nothing either, since it is folded at compile time.
struct TransposeCost {
  int64_t elements = 0, count = 0;
  void add(const Ints &shape, const Ints &permutation);
  TransposeCost &operator+=(const TransposeCost &other);
  TransposeCost &operator-=(const TransposeCost &other);
};

/// The cost of transposes around a region, without it and with it.
struct RegionCost {
  TransposeCost before, after;
};

/// Nodes that may run on tensors with permuted axes, so that a Transpose before
/// them is not needed. Each old value is a Transpose, by its *order*, of the
/// value that the region would compute instead.
class AxisRegion {
public:
  explicit AxisRegion(Transpose start);

  /// Whether a region from `start` may gain: it must reach transposes that cost
  /// anything, unlike those of constants. Nodes that reach none are added to
  /// `useless`, which is valid for other regions as long as the graph stays.
  static bool mayGain(Transpose start,
                      llvm::SmallPtrSetImpl<mlir::Operation *> &useless);

  /// Adds users and producers of the region's values while there are any. Then
  /// drops the last ones again, back to the largest gain.
  void grow();

  /// Whether the region moves fewer elements with no more transposes, or as
  /// many elements with fewer transposes.
  bool gains() const { return isGain(bestCost); }

  /// Replaces the region's nodes. Returns the removed transposes.
  llvm::SmallVector<mlir::Operation *> rewrite();

private:
  struct Member {
    mlir::Operation *node;
    Ints operandOrder; // of its operands; the inverse is put on others
    Ints result;       // how its results are permuted
    mlir::NamedAttrList changed; // attributes
  };

  /// A value from outside, with the order in which some members need it.
  using Input = std::pair<const void *, Ints>;

  /// A bound of the members: each transpose has a region of its own, which may
  /// be as large as the model.
  static constexpr size_t largest = 256;

  static bool isGain(const RegionCost &cost);
  /// The record of a node that a region may have; null for other nodes.
  static const NodeInfo *movable(mlir::Operation *node);
  /// Adds a node. With `keepsOrder`, its results must have the same order as
  /// its operands.
  bool add(mlir::Operation *node, const Ints &order, bool keepsOrder = false);
  void addUsers(mlir::Value value);
  void addProducers(mlir::Operation *node);
  void noteBest();
  void shrink(size_t size);

  bool isInside(mlir::Operation *node) const { return indices.contains(node); }
  bool usedOnlyInside(mlir::Value value) const;
  void measure();
  void measureMember(const Member &member);
  void measureStart();
  RegionCost costOfInput(mlir::Value value, const Ints &permutation) const;
  RegionCost costOfOutput(mlir::Value value, const Ints &order) const;
  /// Replaces a part of the total cost.
  void set(RegionCost &part, const RegionCost &cost);

  mlir::Value inputOf(mlir::OpBuilder &builder, mlir::Value value,
                      const Ints &permutation);
  void replaceUses(mlir::Value value, mlir::Value moved, const Ints &order,
                   llvm::SmallVectorImpl<mlir::Operation *> &gone);

  mutable Transpose start; // generated getters are not const
  std::vector<Member> members;
  llvm::DenseMap<mlir::Operation *, size_t> indices;
  llvm::MapVector<mlir::Value, Ints> orders;
  std::vector<mlir::Value> pending; // whose users were not looked at
  // The cost of the members as a sum of parts: a new node only changes the
  // parts of its own operands and results.
  RegionCost total, ofStart;
  std::map<Input, RegionCost> ofInputs;
  llvm::DenseMap<mlir::Value, RegionCost> ofOutputs;
  RegionCost bestCost;
  size_t best = 0;
};

} // namespace glow

#endif // GLOW_LIB_OPTIMIZER_AXISREGION_H
