//===- Legality.h - when a record of a backend holds ----------------------===//

#ifndef GLOW_GEN_EMIT_LEGALITY_H
#define GLOW_GEN_EMIT_LEGALITY_H

#include "Model/Node.h"

namespace glow::gen {

/// What a Legal or a CodeFor record asks of kinds, sizes and attributes, as a
/// C++ condition on a bound `<Node>Shape shape`: ` && ...` each, or nothing.
std::string shapeCondition(const Model &model, const llvm::Record &record,
                           const SignedModel &node);

/// What a CodeFor record asks of operands: that those named in `known` are
/// constants or absent, and those in `absent` are. ` && ...` each, by `isKnown`
/// and `isAbsent`, which make C++ of the name of an operand.
std::string
operandCondition(const llvm::Record &code, const SignedModel &node,
                 llvm::function_ref<std::string(llvm::StringRef)> isKnown,
                 llvm::function_ref<std::string(llvm::StringRef)> isAbsent);

/// Emits the functions of a Tiling record; gives its row of the table.
std::string emitTiling(const Model &model, const llvm::Record &backend,
                       const llvm::Record &tiling, llvm::raw_ostream &os);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LEGALITY_H
