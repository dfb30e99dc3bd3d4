//===- Repeated.h - common subexpressions of an expression ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_REPEATED_H
#define GLOW_GEN_EXPR_REPEATED_H

#include "Expr/Ast.h"
#include <functional>

namespace glow::gen {

/// A part that stands in an expression several times, in a branch of `if` or
/// not. Parts further in come first.
struct RepeatedPart {
  std::string name;
  ExprPtr value;
  bool inBranch;
};

/// The expression with names, `prefix` and a number, for repeated parts that
/// `mayName` accepts. Parts for which `isWhole`
/// holds are not entered.
ExprPtr nameRepeated(const ExprPtr &expr, llvm::StringRef prefix,
                     const std::function<bool(const ExprPtr &)> &mayName,
                     const std::function<bool(const ExprPtr &)> &isWhole,
                     std::vector<RepeatedPart> &parts);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_REPEATED_H
