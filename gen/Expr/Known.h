//===- Known.h - values of expressions whose names are known ----*- C++ -*-===//

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

/// The value of an expression; nothing where a name or a function that decides
/// it is not known. `record` has the text.
std::optional<Known> valueOf(const ExprPtr &expr,
                             const llvm::StringMap<Known> &names,
                             const Functions &functions,
                             const llvm::Record &record);

/// As a message has it: `[2, 3]`.
std::string textOf(const Known &value);

/// A text in which `{expression}` stands for a value, with the values that are
/// known.
std::string withValues(llvm::StringRef message,
                       const llvm::StringMap<Known> &names,
                       const Functions &functions, const llvm::Record &record);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_KNOWN_H
