//===- Numbers.h - expressions that are the same ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_NUMBERS_H
#define GLOW_GEN_EXPR_NUMBERS_H

#include "Expr/Ast.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace glow::gen {

/// Numbers expressions by their text. Expressions share parts, so that their
/// written form may be much longer than their graph: comparing numbers avoids
/// the written form.
class Numbers {
public:
  /// The number of an expression; equal for expressions of equal text.
  unsigned of(const ExprPtr &expr);

  bool same(const ExprPtr &a, const ExprPtr &b) { return of(a) == of(b); }

private:
  std::map<ExprPtr, unsigned> known; // which keeps them alive
  llvm::StringMap<unsigned> numbers;
};

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_NUMBERS_H
