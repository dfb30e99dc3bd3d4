//===- Scalar.h - formulas of one element, in C++ -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_SCALAR_H
#define GLOW_GEN_EMIT_LANGUAGE_SCALAR_H

#include "Emit/language/Emit.h"
#include "Expr/Integers.h"

namespace glow::gen {

/// Spells a formula in C++. `C` is the type in which it is computed; a
/// comparison gives 0 or 1. Integer parts (Expr/Integers.h) are computed as
/// integers. Errors have a caret.
class ScalarEmitter {
public:
  ScalarEmitter(const Functions &functions, const Scope &scope,
                const llvm::Record &record)
      : functions(functions), scope(scope), record(record),
        integers(functions, scope, record) {}
  std::string emit(const ExprPtr &expr) const;

private:
  std::string name(const ExprPtr &expr) const;
  std::string call(const ExprPtr &expr) const;
  std::string condition(const ExprPtr &expr) const;
  TypedCode value(const ExprPtr &expr) const;

  const Functions &functions;
  const Scope &scope;
  const llvm::Record &record;
  const Integers integers;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_SCALAR_H
