//===- Legality.h - when a record of a backend holds ----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_BACKENDS_LEGALITY_H
#define GLOW_GEN_EMIT_BACKENDS_LEGALITY_H

#include "Model/node/Node.h"

namespace glow::gen {

/// The condition of a Legal or a CodeFor record on kinds, sizes and attributes,
/// as C++ on a bound `<Node>Shape shape`: ` && ...` for each part, or nothing.
std::string shapeCondition(const Model &model, const llvm::Record &record,
                           const SignedModel &node);

/// The condition of a CodeFor record on operands: operands named in `known` are
/// constants or absent, and operands named in `absent` are absent. ` && ...`
/// for each. `isKnown` and `isAbsent` make the C++ for the name of an operand.
std::string
operandCondition(const llvm::Record &code, const SignedModel &node,
                 llvm::function_ref<std::string(llvm::StringRef)> isKnown,
                 llvm::function_ref<std::string(llvm::StringRef)> isAbsent);

/// Emits the functions of a Tiling record; gives its row of the table.
std::string emitTiling(const Model &model, const llvm::Record &backend,
                       const llvm::Record &tiling, llvm::raw_ostream &os);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_BACKENDS_LEGALITY_H
