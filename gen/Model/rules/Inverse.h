//===- Inverse.h - import records, read backwards -------------------------===//
// SPDX-License-Identifier: MIT
//
// Where a record makes one node of an operator, most arguments of that node are
// an input or an attribute of the operator, as it is or behind functions that
// give it a form:
//
//   Y = Gather(data, indices, wrapAxis(axis, rank(data)));
//
// means that a Gather is written with its own operands as `data` and `indices`
// and its own attribute as `axis`. The analysis ignores how a function changes
// a value: its results are proposals, which hold where the record makes the
// same node from the written operator.
//
// A record may also make other nodes before the node that it ends with. Then
// values are found along paths from that node to its operands' operands.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_RULES_INVERSE_H
#define GLOW_GEN_MODEL_RULES_INVERSE_H

#include "Model/node/Node.h"
#include <set>

namespace glow::gen {

/// The value of an input or an attribute of the operator.
struct InverseValue {
  std::string name;
  /// An operand or an attribute of the node; two whose lists, or tensors, come
  /// one after the other.
  std::vector<std::string> from = {};
  std::string word = {};      // what it is where `from` is empty
  bool isList = false;        // a text that is a list in the model
  ExprPtr computed = nullptr; // or an expression in the names of the node
  Type type = Type::Ints;     // of that expression
  /// Paths from the node to the value (InversePaths.cpp), separated by spaces.
  std::string paths = {};
};

/// How a node may be written as the operator of a record.
struct Inverse {
  const NodeModel *node;
  std::vector<InverseValue> values; // what is in no row is left out
  /// The result that each output of the operator is, -1 for none; empty where
  /// they are the same in the same order.
  std::vector<int> results;
};

/// Proposals for an OnnxImport record, the likeliest first; empty for a record
/// that no node is written as. With `unwritten`, proposals for these nodes
/// alone, of records that make them behind other nodes.
std::vector<Inverse>
inversesOf(const Model &model, const llvm::Record &record,
           const std::set<const NodeModel *> *unwritten = nullptr);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_INVERSE_H
