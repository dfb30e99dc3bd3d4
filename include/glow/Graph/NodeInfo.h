//===- NodeInfo.h - records of nodes, as data -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_NODEINFO_H
#define GLOW_GRAPH_NODEINFO_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Graph/AttributeForm.h"
#include "glow/Graph/QuantizedForm.h"
#include "glow/Graph/Shape.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <span>
#include <vector>

namespace mlir {
class NamedAttrList;
class Operation;
} // namespace mlir

namespace glow {

/// Tolerance of a node's results of this kind against exact arithmetic. It is
/// relative to the size of the result, or absolute for results below 1.
struct KindTolerance {
  ElementKind kind;
  double relative;
};

/// Transforms a node so that it runs on operands whose axes are permuted by
/// `permutation`. Replaces attributes and gives the order of the results' axes.
/// False if the node cannot be transformed.
using PermuteNode = bool (*)(mlir::Operation *node, const Ints &permutation,
                             mlir::NamedAttrList &attributes, Ints &result);

/// Infers the types of a node's results from its signature, whatever types they
/// have; fails after a report.
using InferResults =
    llvm::LogicalResult (*)(mlir::Operation *node, Report report,
                            llvm::SmallVectorImpl<mlir::Type> &types);

/// Source of a node's meaning.
enum class NodeKernel : uint8_t {
  None,    ///< a composite node: from its lowering
  Formula, ///< a formula of one element
  Compute, ///< index notation
  Hand,    ///< C++
  Instrs   ///< instructions that its record lists
};
llvm::StringRef nameOf(NodeKernel kernel); ///< "", "formula"...

struct NodeOperand {
  const char *name;
  Count count;
};
struct NodeAttribute {
  const char *name;
  AttributeForm form;
};

/// A row of the generated table.
struct NodeInfo {
  const char *name; ///< with the dialect: "glow.conv"
  const char *family, *summary;
  int tier;
  NodeKernel kernel;
  const char *place;   ///< location of the record: "nodes/Convolution.td:12"
  PermuteNode permute; ///< null if the record has no such rule
  InferResults infer;
  std::vector<KindTolerance> tolerance; ///< only kinds that the record lists
  const char *backend;    ///< the only backend whose passes make it; "" for any
  const char *gradientOf; ///< the node of which it is a gradient; else ""
  /// The meaning in the language of records: a formula, index notation or
  /// lowering; "" for code by hand.
  const char *meaning;
  bool jumps;       ///< a result jumps when a float operand changes a little
  uint64_t factors; ///< a bit for each operand that is a factor of a sum of
                    ///< products
  std::vector<NodeOperand> operands;     ///< in the order of the record
  std::vector<NodeAttribute> attributes; ///< in the order of the record
  QuantizedForm quantized = {};
  /// The formula of a Pointwise node on integers that may be lengths; null if
  /// it has other operations than integers have.
  Size (*onSizes)(llvm::ArrayRef<Size>) = nullptr;
  /// The same on whole real numbers; null if the formula divides.
  Size (*onWholeReals)(llvm::ArrayRef<Size>) = nullptr;
};

/// Adds a generated table, which must live as long as the process.
void registerNodeInfo(std::span<const NodeInfo> table);
const NodeInfo *findNode(llvm::StringRef name);
/// All nodes, in the order of their records.
const std::vector<NodeInfo> &allNodes();

/// The tolerance of a node's results of one kind, for tests of kernels and
/// rules. It is the value of the record, else the precision of the kind; 0 for
/// integers and bool.
double toleranceOf(llvm::StringRef node, ElementKind kind);

} // namespace glow

#endif // GLOW_GRAPH_NODEINFO_H
