//===- Present.h - absent operands in statements ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
//   out[n] = in[n] * if(present(scale), scale[n], 1);
//
// A statement that asks whether an operand is present runs where the operand is
// absent, too. A statement that reads an optional operand without asking is
// left out then.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_NODE_PRESENT_H
#define GLOW_GEN_MODEL_NODE_PRESENT_H

#include "Model/node/Node.h"

namespace glow::gen {

/// The operands whose presence a statement asks about. Refuses, with a caret, a
/// question about an operand that is always present.
std::vector<const TensorSignature *> askedOf(const NodeModel &node,
                                             const Statement &statement);

/// Whether an element is read only where its operand is there, as an `if`
/// around it asks.
bool readsWithoutAsking(const NodeModel &node, const ExprPtr &expr,
                        const TensorSignature &tensor);

/// The expression for a present operand, with all questions about it resolved.
ExprPtr wherePresent(const ExprPtr &expr, const TensorSignature &tensor);

/// A statement for one choice of present and absent operands.
struct Variant {
  std::vector<std::pair<const TensorSignature *, bool>> present;
  Statement statement;
};

/// The statement for each choice of the operands whose presence it asks about,
/// with all questions resolved.
std::vector<Variant> variantsOf(const NodeModel &node,
                                const Statement &statement);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_PRESENT_H
