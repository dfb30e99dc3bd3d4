//===- Build.h - helpers of generated rules, imports ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_BUILD_H
#define GLOW_GRAPH_BUILD_H

#include "glow/Graph/Dialect.h"
#include "glow/Graph/Shape.h"
#include "mlir/IR/PatternMatch.h"

namespace glow {

class Broadcast;

inline mlir::RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}
/// The shape of a tensor; empty for an absent one. The functions below return 0
/// or a null type for an absent tensor.
inline Sizes shapeOf(mlir::Value value) {
  return value ? sizesOf(tensorType(value)) : Sizes();
}
inline int64_t rankOf(mlir::Value value) {
  return value ? tensorType(value).getRank() : 0;
}
inline Size elementsOf(mlir::Value value) {
  return value ? expr::prod(shapeOf(value)) : Size(0);
}
inline mlir::Type kindOfElements(mlir::Value value) {
  return value ? tensorType(value).getElementType() : mlir::Type();
}

/// The shape of the operand of a Broadcast, with sizes of 1 on all other axes.
Sizes sizesBefore(Broadcast repeated);

/// A view of a tensor as the result of a Broadcast. For the result of a
/// Broadcast, it is that node. For a constant or the result of a Reshape, it is
/// the identity, since rewrites and folding turn a Broadcast that repeats
/// nothing into such a tensor. Any other tensor gives an invalid view.
class BroadcastView {
public:
  explicit BroadcastView(mlir::Value tensor);
  explicit operator bool() const { return bool(in); }
  mlir::Value getIn() const { return in; }
  mlir::Attribute getDimsAttr() const;
  int64_t getAxis() const { return axis; }
  /// The node that makes the tensor; never null where the view is valid.
  mlir::Operation *operator->() const { return node; }

private:
  mlir::Operation *node = nullptr;
  mlir::Value in;
  Sizes dims;
  int64_t axis = -1;
};

/// Error handler of a function that builds nodes: reports the reason and
/// returns failure.
using Refuse =
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &message)>;

/// An element of a list of tensors; null outside it.
inline mlir::Value elementOf(llvm::ArrayRef<mlir::Value> list, int64_t index) {
  return index >= 0 && index < int64_t(list.size()) ? list[index]
                                                    : mlir::Value();
}
/// The elements at `first`, `first` + `step`, ...; a `step` below 1 counts as
/// 1.
inline llvm::SmallVector<mlir::Value> everyOf(llvm::ArrayRef<mlir::Value> list,
                                              int64_t first, int64_t step) {
  llvm::SmallVector<mlir::Value> result;
  for (int64_t i = first; i < int64_t(list.size());
       i += std::max<int64_t>(step, 1))
    result.push_back(elementOf(list, i));
  return result;
}
template <typename Node> llvm::SmallVector<mlir::Value> resultsOf(Node node) {
  return llvm::to_vector(llvm::map_range(
      node->getResults(),
      [](mlir::OpResult result) -> mlir::Value { return result; }));
}

/// Whether an operand or a result of the node has quantised elements.
bool hasQuantized(mlir::Operation *node);

/// A Splat of `value` with the shape and the element kind of `like`.
mlir::Value splatLike(mlir::OpBuilder &builder, mlir::Location location,
                      double value, mlir::Value like);

/// Whether every element is known to be `value`: the tensor is a Splat, a
/// constant of equal elements, or a Broadcast of one of them.
bool isUniform(mlir::Value tensor, double value);

/// The number that every element is known to be, by the rules of isUniform; NaN
/// if there is none.
double numberOf(mlir::Value tensor);

/// The first element and the step of a constant list of integers whose elements
/// are evenly spaced: {first, step}, with a step of 1 for a single element.
/// Empty for any other tensor.
Sizes progressionOf(mlir::Value tensor);

/// The elements of a constant; empty for any other tensor.
Reals realsOf(mlir::Value tensor);

/// The largest absolute value for each index of `axes`, in their order, of a
/// tensor that is viewed with shape `sizes`. NaN counts as infinity. Empty if
/// the tensor is no constant.
Reals largestAlong(mlir::Value tensor, const Ints &sizes, const Ints &axes);

/// Whether the tensor is the same in every run: a constant, or a repetition of
/// one. Folding has replaced larger computations on constants before.
bool isConstant(mlir::Value tensor);

/// Converts a compile-time value to an attribute of a node.
mlir::Attribute attributeOf(mlir::MLIRContext *context, int64_t value);
mlir::Attribute attributeOf(mlir::MLIRContext *context, bool value);
mlir::Attribute attributeOf(mlir::MLIRContext *context, double value);
mlir::Attribute attributeOf(mlir::MLIRContext *context, const Size &value);
mlir::Attribute attributeOf(mlir::MLIRContext *context, const Sizes &value);
mlir::Attribute attributeOf(mlir::MLIRContext *context, const Reals &value);

/// Combines all of `list` with `node`, from the left, each broadcast to the
/// common shape. Null after an error.
mlir::Value
foldBroadcast(mlir::OpBuilder &builder, mlir::Location location,
              llvm::ArrayRef<mlir::Value> list,
              llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> node);

/// One choice of operand orders for the commutative nodes of a pattern. The
/// nodes are numbered in the order in which the pattern visits them.
class Orders {
public:
  /// Whether the operands of a node are swapped.
  bool operator()(unsigned node) {
    asked = std::max(asked, node + 1);
    return bits >> node & 1;
  }
  /// Advances to the next choice that differs in a queried bit; false if there
  /// is none.
  bool next() {
    while (asked > 0 && bits >> (asked - 1) & 1)
      bits &= ~(uint64_t(1) << --asked);
    if (asked > 0)
      bits |= uint64_t(1) << (asked - 1);
    return std::exchange(asked, 0) > 0;
  }

private:
  uint64_t bits = 0;
  unsigned asked = 0;
};

/// Runs `match` with every order of operands until one succeeds.
template <typename Match> llvm::LogicalResult inAnyOrder(Match match) {
  Orders orders;
  do {
    if (succeeded(match(orders)))
      return llvm::success();
  } while (orders.next());
  return llvm::failure();
}

/// Replaces `node` if the values have the types of its results and no elements
/// are quantised. Rules are equations on numbers, not on their storage.
mlir::LogicalResult replaceNode(mlir::PatternRewriter &rewriter,
                                mlir::Operation *node,
                                llvm::ArrayRef<mlir::Value> values);

/// Infers the result types of a node from its signature; `Shape` is the
/// structure that ClassGen generates for it.
template <typename Node, typename Shape>
llvm::LogicalResult inferResults(mlir::Operation *node, Report report,
                                 llvm::SmallVectorImpl<mlir::Type> &types) {
  Shape shape;
  return llvm::success(
      succeeded(shape.bind(llvm::cast<Node>(node), report)) &&
      succeeded(shape.results(node->getContext(), report, types)));
}

/// Compares a node's result types with the types inferred from its signature.
/// Quantised kinds agree if their storage does, since a scale belongs to the
/// value.
mlir::LogicalResult verifyResults(mlir::Operation *node,
                                  llvm::ArrayRef<mlir::Type> inferred);

} // namespace glow

#endif // GLOW_GRAPH_BUILD_H
