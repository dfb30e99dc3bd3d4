//===- AxisRegion.h - nodes in another order of axes ------------*- C++ -*-===//

#ifndef GLOW_LIB_OPTIMIZER_AXISREGION_H
#define GLOW_LIB_OPTIMIZER_AXISREGION_H

#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>

namespace glow {

/// What transposes cost: elements that they move, and how many they are. One
/// that moves axes of size 1 only is a view, and costs nothing; nor does one of
/// a constant, which is done when the model is compiled.
struct TransposeCost {
  int64_t elements = 0, count = 0;
  void add(const Ints &shape, const Ints &permutation);
  TransposeCost &operator+=(const TransposeCost &other);
  TransposeCost &operator-=(const TransposeCost &other);
};

/// What transposes around a region cost, without it and with it.
struct RegionCost {
  TransposeCost before, after;
};

/// Nodes that may run on tensors whose axes are in another order, so that a
/// Transpose before them is not needed. Each value of the region is the
/// Transpose, by its *order*, of what the region would compute instead.
class AxisRegion {
public:
  explicit AxisRegion(Transpose start);

  /// Whether a region from here may gain, by transposes it can reach that cost
  /// anything, as those of constants do not. Nodes that reach none are
  /// `useless` to others too, as long as the graph stays.
  static bool mayGain(Transpose start,
                      llvm::SmallPtrSetImpl<mlir::Operation *> &useless);

  /// Adds nodes that use or make values of the region while there are any, then
  /// leaves those out again without which the most is gained.
  void grow();

  /// Whether fewer elements are moved by no more transposes, or as many by
  /// fewer.
  bool gains() const { return isGain(bestCost); }

  /// Replaces the region's nodes. Returns the transposes that are gone.
  llvm::SmallVector<mlir::Operation *> rewrite();

private:
  struct Member {
    mlir::Operation *node;
    Ints operandOrder; // of its operands; the inverse is put on others
    Ints result;       // how its results are permuted
    mlir::NamedAttrList changed; // attributes
  };

  /// A value from outside, as nodes of one order of operands need it.
  using Input = std::pair<const void *, Ints>;

  /// Each transpose has a region of its own, which may be as large as the
  /// model.
  static constexpr size_t largest = 256;

  static bool isGain(const RegionCost &cost);
  /// What is known of a node that a region may have; null for another.
  static const NodeInfo *movable(mlir::Operation *node);
  /// Of a node that `keepsOrder` results must be in that of its operands.
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
  /// Puts a part of the cost in the place of what it was.
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
  // What the members cost, as a sum of its parts: a node that is added changes
  // those of its own operands and results.
  RegionCost total, ofStart;
  std::map<Input, RegionCost> ofInputs;
  llvm::DenseMap<mlir::Value, RegionCost> ofOutputs;
  RegionCost bestCost;
  size_t best = 0;
};

} // namespace glow

#endif // GLOW_LIB_OPTIMIZER_AXISREGION_H
