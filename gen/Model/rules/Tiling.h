//===- Tiling.h - the cuts of nodes that backends do in tiles -------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_MODEL_RULES_TILING_H
#define GLOW_GEN_MODEL_RULES_TILING_H

#include "Model/node/Node.h"

namespace glow::gen {

/// The names of the cuts that Tiling records make of a node, each once.
std::vector<llvm::StringRef> cutsOf(const Model &model, const NodeModel &node);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_TILING_H
