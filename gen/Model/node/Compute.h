//===- Compute.h - accesses of index notation -----------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_NODE_COMPUTE_H
#define GLOW_GEN_MODEL_NODE_COMPUTE_H

#include "Model/node/Node.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSet.h"

namespace glow::gen {

/// The operand or result that `expr` is an element of; null when it is none.
const TensorSignature *tensorOf(const NodeModel &node, const ExprPtr &expr);

/// The variable, or the attribute, of which kernels have an instance for each
/// kind; empty where the signature names all kinds. Elements of tensors of
/// other variables are read as integers.
llvm::StringRef computedKind(const NodeModel &node);

/// Every element in `expr`, those in subscripts of others included.
void forEachElement(const NodeModel &node, const ExprPtr &expr,
                    llvm::function_ref<void(const ExprPtr &)> visit);

/// Whether an element of `tensor` is in `expr`.
bool readsTensor(const NodeModel &node, const ExprPtr &expr,
                 const TensorSignature &tensor);

/// The variadic tensor for each of whose tensors a statement with this result
/// runs; null for a statement that runs once.
const TensorSignature *listOf(const NodeModel &node,
                              const Statement &statement);

/// The operands that a statement reads and that may be absent: it does nothing
/// then.
std::vector<const TensorSignature *> optionalReads(const NodeModel &node,
                                                   const Statement &statement);

/// The name of a subscript that is an index by itself, `i` or `*i`; null for
/// any other.
const Expr *indexIn(const NodeModel &node, const ExprPtr &subscript);

/// The names of the indices that a statement goes through, that of its scan
/// included.
llvm::StringSet<> indicesOf(const NodeModel &node, const Statement &statement);

/// The size in a place of an element, as the signature writes it: "n", or "*s"
/// of a list; nothing where the signature has no name for it.
std::optional<std::string> sizeAt(const TensorSignature &tensor,
                                  const ExprPtr &element, size_t place);

/// Whether a subscript may lead outside of the tensor: an expression, or an
/// index whose range `over` gives and that is not the size in its place.
bool mayLeadOutside(const NodeModel &node, const Statement &statement,
                    const ExprPtr &element, size_t place);

/// The size of a place of `expr` where the index stands by itself; null where
/// there is none.
ExprPtr extentIn(const NodeModel &node, const ExprPtr &expr,
                 llvm::StringRef index);

/// Gives indices with bounds the sizes that they are within. Refuses, with a
/// caret, an index that stands nowhere by itself, where none is given.
void resolveRanges(const NodeModel &node, Statement &statement);

/// The name of the size of a signature where an index may have the same name.
std::string extentName(llvm::StringRef size);
/// Whether the signature binds the name to a size, or to a list of sizes.
bool isSize(const NodeModel &node, llvm::StringRef name);
/// Replaces `extent(i)` by names of sizes. Refuses, with a caret, an argument
/// that is neither an index nor a size.
void nameExtents(const NodeModel &node, Statement &statement);

/// The names among which a statement computes elements: attributes, sizes and
/// indices.
Scope elementScope(const NodeModel &node, const Statement &statement);

/// A range as it is written, with its size.
std::string textOf(const IndexRange &range);

/// The elements in `expr` that may be outside, where the statement then does
/// not count. One in a branch of `if` reads as 0, and one that a tensor leads
/// to is an error.
void forEachGuard(const NodeModel &node, const Statement &statement,
                  const ExprPtr &expr,
                  llvm::function_ref<void(const ExprPtr &)> visit);

/// Whether each element of the result is in the target once: the subscripts are
/// different indices that run over the whole of their places, without bounds.
bool coversResult(const NodeModel &node, const Statement &statement);

/// Whether the statement gives places and not elements: `argmax=`, `argmin=`.
inline bool givesIndex(const Statement &statement) {
  return llvm::StringRef(statement.op).starts_with("arg");
}

/// The summed indices of a statement: its indices that are not in the target,
/// in order.
struct Summed {
  std::string name;
  bool list;
  const char *at;
};
std::vector<Summed> summedIndices(const NodeModel &node,
                                  const Statement &statement);

/// The statements with the values of names in the place of the names. Refuses,
/// with a caret, a name that has a value already, or none that is read.
std::vector<Statement> withoutNames(const NodeModel &node,
                                    std::vector<Statement> statements);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_COMPUTE_H
