//===- Continuity.h - continuity of nodes in their operands -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A step is a function that jumps: `floor`, a comparison, a choice whose
// branches do not meet. Before a step a rounding counts; before a sum of
// products of two operands it does not, since the sum is rounded itself.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_RULES_CONTINUITY_H
#define GLOW_GEN_MODEL_RULES_CONTINUITY_H

#include "Model/node/Node.h"

namespace glow::gen {

/// Whether some result of floats jumps where an operand of floats changes a
/// little: by its formula or index notation, or by those of the nodes that its
/// lowering calls by their names. Results of other kinds need no analysis. A
/// node whose meaning is C++ is continuous.
bool jumps(const Model &model, const NodeModel &node);

/// The numbers of the operands whose products the node sums, from its record or
/// from its index notation. All operands where its lowering calls such a node.
std::vector<size_t> factorsOf(const Model &model, const NodeModel &node);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_CONTINUITY_H
