//===- AxisRegion.h - nodes that may run in another order of axes -*- C++
//-*-===//

#ifndef GLOW_LIB_OPTIMIZER_AXISREGION_H
#define GLOW_LIB_OPTIMIZER_AXISREGION_H

#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"
#include "llvm/ADT/MapVector.h"

namespace glow {

/// What transposes cost: elements that they move, and how many they are. One
/// that moves axes of size 1 only is a view, and costs nothing; nor does one of a
/// constant, which is done when the model is compiled.
struct TransposeCost {
  int64_t elements = 0, count = 0;
  void add(const Ints &shape, const Ints &permutation);
};

/// Nodes that may run on tensors whose axes are in another order, so that a
/// Transpose before them is not needed. Each value of the region is the
/// Transpose, by its *order*, of what the region would compute instead.
class AxisRegion {
public:
  explicit AxisRegion(Transpose start);

  /// Adds nodes that use or make values of the region while there are any, then
  /// leaves those out again without which the most is gained.
  void grow();

  /// Whether fewer elements are moved by no more transposes, or as many by
  /// fewer.
  bool gains() const { return isGain(before, after); }

  /// Replaces the region's nodes.
  void rewrite();

private:
  struct Member {
    mlir::Operation *node;
    Ints operandOrder; // of its operands; the inverse is put on others
    Ints result;       // how its results are permuted
    mlir::NamedAttrList attributes;
  };

  static bool isGain(const TransposeCost &before, const TransposeCost &after);
  bool add(mlir::Operation *node, const Ints &order);
  void addUsers(mlir::Value value);
  void addProducers(mlir::Operation *node);
  void noteBest();
  void shrink(size_t size);

  bool isInside(mlir::Operation *node) const { return indices.contains(node); }
  bool usedOnlyInside(mlir::Value value) const;
  void measure(TransposeCost &before, TransposeCost &after) const;
  void measureInput(mlir::Value value, const Ints &permutation,
                    TransposeCost &before, TransposeCost &after) const;
  void measureOutput(mlir::Value value, const Ints &order,
                     TransposeCost &before, TransposeCost &after) const;

  mlir::Value inputOf(mlir::OpBuilder &builder, mlir::Value value,
                      const Ints &permutation);
  void replaceUses(mlir::Value value, mlir::Value moved, const Ints &order);

  mutable Transpose start; // generated getters are not const
  std::vector<Member> members;
  llvm::DenseMap<mlir::Operation *, size_t> indices;
  llvm::MapVector<mlir::Value, Ints> orders;
  std::vector<mlir::Value> pending; // whose users were not looked at
  TransposeCost before, after;      // of the best
  size_t best = 0;
};

} // namespace glow

#endif // GLOW_LIB_OPTIMIZER_AXISREGION_H
