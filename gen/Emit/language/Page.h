//===- Page.h - shared parts of the reference pages -----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_PAGE_H
#define GLOW_GEN_EMIT_LANGUAGE_PAGE_H

#include "Model/rules/Rule.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace glow::gen {

/// One line, however the record breaks it.
std::string oneLine(llvm::StringRef text);
/// One line, and of a long text the beginning.
std::string inBrief(llvm::StringRef text);

/// The nodes that the passes of a backend alone make; for "", all others, by
/// family.
void emitNodesOf(const Model &model, llvm::StringRef backend,
                 llvm::raw_ostream &os);

/// The formula or index notation of a node; "" where its kernel is by hand.
std::string meaningOf(const NodeModel &node);

/// How a node is written: `glow.conv %x, %w, %bias|none group INT : TYPES`.
std::string grammarOf(const NodeModel &node);

/// Rows of a table with the columns role, name and type.
void emitAttributeRows(const std::vector<Attribute> &attributes,
                       llvm::raw_ostream &os);

/// The condition of a Legal or a CodeFor record with its element kinds, as
/// text; "" when it always holds.
std::string whenOf(const llvm::Record &legal);
/// The condition of a CodeFor record with its operand condition and, where its
/// emitter may decline, the word "faster".
std::string whenOfCode(const llvm::Record &code);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_PAGE_H
