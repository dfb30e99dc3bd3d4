//===- NodeInfo.h - what the records say of nodes, as data ----*- C++ -*-===//

#ifndef GLOW_GRAPH_NODEINFO_H
#define GLOW_GRAPH_NODEINFO_H

#include "glow/Base/ElementKind.h"
#include "glow/Base/Ints.h"
#include "glow/Graph/AttributeForm.h"
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

/// How far a result of this kind may be from that of exact arithmetic, relative
/// to its size, or to 1 where it is smaller.
struct KindTolerance {
  ElementKind kind;
  double relative;
};

/// How a node runs on operands whose axes are in the order `permutation`:
/// replaces attributes and gives the order of the results' axes. False when the
/// node cannot.
using PermuteNode = bool (*)(mlir::Operation *node, const Ints &permutation,
                             mlir::NamedAttrList &attributes, Ints &result);

/// The types that the signature gives the results of a node, whatever types
/// they have; fails after a report.
using InferResults =
    llvm::LogicalResult (*)(mlir::Operation *node, Report report,
                            llvm::SmallVectorImpl<mlir::Type> &types);

/// Where a node's meaning comes from.
enum class NodeKernel : uint8_t {
  None,    ///< a composite node: from what it is lowered to
  Formula, ///< of one element
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
  const char *place;   ///< the record: "nodes/Convolution.td:12"
  PermuteNode permute; ///< null when the record says nothing of it
  InferResults infer;
  std::vector<KindTolerance> tolerance; ///< where the record gives one
  const char *backend;    ///< whose passes alone make it; "" for any
  const char *gradientOf; ///< the node of which it is a gradient; "" for others
  /// What it computes, in the language of records: its formula, index notation
  /// or lowering; "" where it is by hand.
  const char *meaning;
  bool jumps;       ///< a result of floats, where one of them changes a little
  uint64_t factors; ///< a bit for each operand; the node sums products of these
  std::vector<NodeOperand> operands;     ///< in the order of the record
  std::vector<NodeAttribute> attributes; ///< the same
};

/// Tables must live as long as the process.
void registerNodeInfo(std::span<const NodeInfo> table);
const NodeInfo *findNode(llvm::StringRef name);
/// All nodes, in the order of their records.
const std::vector<NodeInfo> &allNodes();

/// The tolerance of a node's results of one kind: what its record says, else
/// what the kind's precision permits; 0 for integers and bool. For
/// whatever measures a kernel or a rule.
double toleranceOf(llvm::StringRef node, ElementKind kind);

} // namespace glow

#endif // GLOW_GRAPH_NODEINFO_H
