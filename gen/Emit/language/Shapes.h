//===- Shapes.h - checks of signatures ------------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_SHAPES_H
#define GLOW_GEN_EMIT_LANGUAGE_SHAPES_H

#include "Emit/language/Emit.h"

namespace glow::gen {

/// Emits the beginning of `struct <Name>Shape`, up to and including the
/// declaration of `bind(report, operands..., attributes...)`.
void declareShape(const SignedModel &model, llvm::raw_ostream &os);

/// Emits the definition of `bind`.
void defineBind(const Model &model, const SignedModel &of,
                llvm::raw_ostream &os);

/// An attribute of the operation `op` as a compile-time value.
std::string valueOf(const Attribute &attribute, llvm::StringRef op);

/// The attributes of the operation `op` as `bind` takes them, each after a
/// comma.
std::string attributeArguments(const SignedModel &model, llvm::StringRef op);

/// The tensors of the buffers that the instruction `instr` reads, as `bind`
/// takes them, each after a comma.
std::string tensorArguments(const InstrModel &model, llvm::StringRef instr);
std::string tensorArguments(const NodeModel &node, llvm::StringRef instr);

/// The C++ of the type of a buffer that is neither an operand nor a result. The
/// type is null for invalid sizes, which `report` reports. `shape` is bound,
/// and `context` is the MLIRContext. The names of its sizes are those of
/// `scope`.
std::string bufferType(const Model &model, const SignedModel &of,
                       const TensorSignature &tensor, const Scope &scope);

/// Emits the builder that ODS declares, and `create<Name>`, which reports what
/// is wrong.
void defineBuilders(const NodeModel &node, llvm::raw_ostream &os);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_SHAPES_H
