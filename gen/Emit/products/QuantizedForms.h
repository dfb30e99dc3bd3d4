//===- QuantizedForms.h - facts about quantization, as data -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_PRODUCTS_QUANTIZEDFORMS_H
#define GLOW_GEN_EMIT_PRODUCTS_QUANTIZEDFORMS_H

#include "Model/node/Node.h"
#include "llvm/Support/raw_ostream.h"

namespace glow::gen {

/// Emits the tables that the form of a node needs, and returns the C++ of the
/// form itself: `{convIntegers, false, false, false, 0}`.
std::string emitQuantizedForm(const NodeModel &node, llvm::raw_ostream &os);

/// The same for an operator. `function` begins the names of its tables, and
/// `inputs` has the names of its inputs as the record writes them.
std::string emitQuantizedForm(const Model &model, const llvm::Record &import,
                              llvm::StringRef function,
                              llvm::ArrayRef<llvm::StringRef> inputs,
                              llvm::raw_ostream &os);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_PRODUCTS_QUANTIZEDFORMS_H
