//===- Guards.h - guards of derived gradients -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_NODE_GUARDS_H
#define GLOW_GEN_MODEL_NODE_GUARDS_H

#include "Model/node/Node.h"

namespace glow::gen {

/// `term`, a part of the gradient of `statement` that is added where `read` is.
/// The result counts where the statement does: it has a factor of 1 for each
/// element without which the statement does not count, and that neither the
/// term nor `read` implies.
ExprPtr whereThere(const NodeModel &node, const Statement &statement,
                   const ExprPtr &read, ExprPtr term);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_GUARDS_H
