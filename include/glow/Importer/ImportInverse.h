//===- ImportInverse.h - how nodes may be written as ONNX -------*- C++ -*-===//
//
// ClassGen reads import records backwards: where one makes a single node of an
// operator, a row says what of the node the operator has where.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORTER_IMPORTINVERSE_H
#define GLOW_IMPORTER_IMPORTINVERSE_H

#include "mlir/IR/Operation.h"
#include <span>
#include <vector>

namespace glow {

/// An input or an attribute of the operator. It is an operand or an attribute
/// of the node, or two, whose lists come one after the other; without them
/// it is computed of the node, or a word, a number or a text.
struct InverseValue {
  const char *name;
  const char *from, *then; ///< "" for none
  const char *word;
  mlir::Attribute (*compute)(mlir::Operation *); ///< may be null
};

/// A proposal: it holds of a node if the record makes the same node of what is
/// written by it.
struct ImportInverse {
  const char *node; ///< "glow.conv"
  const char *domain, *op;
  int since; ///< of the record

  /// Inputs, then attributes, each in the order of the operator, then words.
  std::span<const InverseValue> values;

  /// The result that each output is, -1 for none; empty where they are the
  /// same in the same order.
  std::span<const int> results;
};

/// Adds rows, which must live as long as the process, as must what they point
/// at. Any thread may call this.
void registerInverses(std::span<const ImportInverse> rows);

/// The rows of a node that hold for models of an opset of the default domain,
/// and of the newest of others; in the order of their records, those of the
/// default domain first.
std::vector<const ImportInverse *> inversesOf(const char *node, int64_t opset);

/// The opsets of the default domain from `first` on in which some operator
/// changes or has more, the first included.
std::vector<int64_t> opsetsFrom(int64_t first);

} // namespace glow

#endif // GLOW_IMPORTER_IMPORTINVERSE_H
