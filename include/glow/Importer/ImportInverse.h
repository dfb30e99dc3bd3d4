//===- ImportInverse.h - export through import records ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// ClassGen reverses import records. If a record makes a single node from an
// operator, a row maps the parts of the node to the parts of the operator.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_IMPORTINVERSE_H
#define GLOW_IMPORTER_IMPORTINVERSE_H

#include "mlir/IR/Operation.h"
#include <span>
#include <vector>

namespace glow {

/// An input or an attribute of the operator. Its source is an operand or
/// attribute of the node, or two, whose lists are concatenated. Without a
/// source it is computed from the node, or is a fixed word, number or text.
struct InverseValue {
  const char *name;
  const char *from, *then; ///< "" for none
  const char *word;
  mlir::Attribute (*compute)(mlir::Operation *); ///< may be null
  /// Paths to the value, separated by spaces; "" unless the operator is
  /// imported as several nodes, of which the node is the last. "in/add.lhs" is
  /// operand `lhs` of the Add that makes operand `in` of the node, and
  /// "in/add.lhs@conv.strides" attribute `strides` of the Conv that makes that.
  const char *paths;
  /// Whether the source is a list of names, each with numbers behind it. The
  /// value is a list of the names or, with a word "0" or "1", of their first or
  /// second numbers.
  bool isList;
};

/// A candidate for writing a node. It is valid if the record imports the
/// written operator as the same node.
struct ImportInverse {
  const char *node; ///< "glow.conv"
  const char *domain, *op;
  int since; ///< the opset of the record

  /// Inputs, then attributes, each in the order of the operator, then words.
  std::span<const InverseValue> values;

  /// The result behind each output, -1 for none. Empty if outputs are the
  /// results in the same order.
  std::span<const int> results;
};

/// Adds rows, which must live as long as the process, together with their
/// contents. Any thread may call this.
void registerInverses(std::span<const ImportInverse> rows);

/// The rows of a node for models of an opset of the default domain and of the
/// newest opsets of other domains. They are in the order of their records, the
/// default domain first.
std::vector<const ImportInverse *> inversesOf(const char *node, int64_t opset);

/// The opsets of the default domain, from `first` on, in which some operator is
/// new or changes; `first` is included.
std::vector<int64_t> opsetsFrom(int64_t first);

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTINVERSE_H
