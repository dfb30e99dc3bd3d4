//===- Numbers.h - expressions that are the same ----------------*- C++ -*-===//

#ifndef GLOW_GEN_EXPR_NUMBERS_H
#define GLOW_GEN_EXPR_NUMBERS_H

#include "Expr/Ast.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace glow::gen {

/// Expressions share their parts, so that written out they may be longer by far
/// than they are: they are compared by numbers.
class Numbers {
public:
  /// Of two expressions that are written in the same way it is the same.
  unsigned of(const ExprPtr &expr);

  bool same(const ExprPtr &a, const ExprPtr &b) { return of(a) == of(b); }

private:
  std::map<ExprPtr, unsigned> known; // which keeps them alive
  llvm::StringMap<unsigned> numbers;
};

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_NUMBERS_H
