//===- Known.h - evaluation of expressions with known names -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_KNOWN_H
#define GLOW_GEN_EXPR_KNOWN_H

#include "Expr/Type.h"
#include "glow/Base/Ints.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <variant>

namespace glow::gen {

/// A value of the language; element kinds and tensors have none here.
using Known = std::variant<bool, int64_t, double, std::string, Ints, Reals>;

/// The value of an expression; nothing where it depends on an unknown name or
/// function. `record` has the text.
std::optional<Known> valueOf(const ExprPtr &expr,
                             const llvm::StringMap<Known> &names,
                             const Functions &functions,
                             const llvm::Record &record);

/// The text of a value in messages: `[2, 3]`.
std::string textOf(const Known &value);

/// Replaces each `{expression}` of a message by its value where the value is
/// known.
std::string withValues(llvm::StringRef message,
                       const llvm::StringMap<Known> &names,
                       const Functions &functions, const llvm::Record &record);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_KNOWN_H
