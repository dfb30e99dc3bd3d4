//===- Calls.h - the names of typed calls ---------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_CALLS_H
#define GLOW_GEN_EMIT_LANGUAGE_CALLS_H

#include "Emit/language/Emit.h"

namespace glow::gen {

/// The struct that kernels and emitters of an instruction take as the call,
/// without its namespace: `ConvCall` for ConvInstr.
std::string callOf(const llvm::Record &instr);

/// The call struct of a node's instruction.
std::string callOf(const Model &model, const NodeModel &node);

/// The instruction that a record declares for a node; null where it is derived.
const llvm::Record *instrOf(const Model &model, const NodeModel &node);
/// The class of a node's instruction.
std::string instrNameOf(const Model &model, const NodeModel &node);

/// The C++ of a kernel on a KernelCall, from the name of a function of
/// glow::kernels that takes the typed call.
std::string typedKernel(llvm::StringRef call, llvm::StringRef function);

/// The C++ that checks a KernelCall, for a call in glow::kernels.
std::string checkedCall(llvm::StringRef call);

/// The words of an attribute of a Choice; empty for any other kind.
std::vector<llvm::StringRef> wordsOf(const llvm::Record &attributeKind);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_CALLS_H
