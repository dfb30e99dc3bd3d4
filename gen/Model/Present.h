//===- Present.h - what statements say of absent operands -------*- C++ -*-===//
//
//   out[n] = in[n] * if(present(scale), scale[n], 1);
//
// A statement that asks whether an operand is there holds where it is absent,
// too; one that reads it without asking is left out then.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_PRESENT_H
#define GLOW_GEN_MODEL_PRESENT_H

#include "Model/Node.h"

namespace glow::gen {

/// The operands of which a statement asks whether they are there. Refuses, with
/// a caret, to ask it of what always is.
std::vector<const TensorSignature *> askedOf(const NodeModel &node,
                                             const Statement &statement);

/// Whether an element is read only where its operand is there, as an `if`
/// around it asks.
bool readsWithoutAsking(const NodeModel &node, const ExprPtr &expr,
                        const TensorSignature &tensor);

/// The expression where an operand is there, with no question for it left.
ExprPtr wherePresent(const ExprPtr &expr, const TensorSignature &tensor);

/// A statement for operands that are there, and absent ones.
struct Variant {
  std::vector<std::pair<const TensorSignature *, bool>> present;
  Statement statement;
};

/// What the statement says for each choice of the operands that it asks about,
/// with no question left.
std::vector<Variant> variantsOf(const NodeModel &node,
                                const Statement &statement);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_PRESENT_H
