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
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_RULES_INVERSE_H
#define GLOW_GEN_MODEL_RULES_INVERSE_H

#include "Model/node/Node.h"

namespace glow::gen {

/// The value of an input or an attribute of the operator.
struct InverseValue {
  std::string name;
  /// An operand or an attribute of the node; two whose lists, or tensors, come
  /// one after the other.
  std::vector<std::string> from;
  std::string word; // what it is where `from` is empty: a number or a text
  ExprPtr computed; // or an expression in the names of the node; else null
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
/// that no node is written as.
std::vector<Inverse> inversesOf(const Model &model, const llvm::Record &record);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_INVERSE_H
