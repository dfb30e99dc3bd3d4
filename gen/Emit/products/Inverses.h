//===- Inverses.h - table of exports to ONNX ------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_PRODUCTS_INVERSES_H
#define GLOW_GEN_EMIT_PRODUCTS_INVERSES_H

#include "Model/node/Node.h"
#include "llvm/Support/raw_ostream.h"

namespace glow::gen {

/// Emits `inverseTable`: for each import record the nodes that may be written
/// as its operator.
void emitInverses(const Model &model, llvm::raw_ostream &os);

/// The operators that each node may be written as: "`Conv`,
/// `com.microsoft.FusedConv`". A node that no operator stands for has no entry.
std::map<const NodeModel *, std::string> writtenAs(const Model &model);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_PRODUCTS_INVERSES_H
