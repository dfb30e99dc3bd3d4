//===- Gradient.h - source of a node's gradient ---------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_GRADIENTS_GRADIENT_H
#define GLOW_GEN_MODEL_GRADIENTS_GRADIENT_H

#include "Model/gradients/Adjoint.h"

namespace glow::gen {

/// The gradient of one node: given by a record, or derived from what the node
/// means. See docs/Records.md.
struct GradientModel {
  enum class Source {
    Nothing,  // it has no operand or no result of a float kind
    Given,    // statements, in its record or in a Gradient record
    Refused,  // none("why") instead of statements
    Formula,  // derived: the derivatives of its formula
    Compute,  // derived: index notation, each read turned into a write
    Linear,   // derived: of a gradient, by the node that it is of
    Lowering, // derived: the chain rule through the nodes it lowers to
    Missing,  // none of these; ClassGen refuses the record
  };
  Source source = Source::Nothing;
  std::vector<Statement> statements;    // when given
  std::string reason;                   // when refused or missing
  const llvm::Record *record = nullptr; // where the text stands
  const char *at = nullptr;             // of the mistake, when missing
};

GradientModel gradientOf(const Model &model, const NodeModel &node);

/// The word for it in the generated table and the reference.
llvm::StringRef nameOf(GradientModel::Source source);

/// Whether a tensor may be of a float kind, so that gradients flow through it.
bool isReal(const NodeModel &node, const TensorSignature &tensor);

/// `d.lhs`: the operand's name, or nothing when `expr` is no such name.
std::optional<llvm::StringRef> gradientName(const ExprPtr &expr);

/// `none("why")`: the reason, or nothing. Without a text it is a mistake.
std::optional<std::string> reasonOfNone(const ExprPtr &expr,
                                        const llvm::Record &record);

/// The nodes that index notation gives for gradients: of all operands of a node
/// without a gradient of its own, or of those that a given one calls `derived`.
std::vector<Adjoint> derivedNodes(const Model &model, const NodeModel &node);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_GRADIENTS_GRADIENT_H
