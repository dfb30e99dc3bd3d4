//===- Reads.cpp - elements that an expression reads ----------------------===//
// SPDX-License-Identifier: MIT

#include "Model/node/Reads.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow::gen;
using namespace llvm;

ExprPtr Reads::replace(const ExprPtr &expr) {
  if (tensorOf(node, expr)) {
    auto same = find_if(
        all, [&](const ExprPtr &read) { return textOf(read) == textOf(expr); });
    // Reads of equal elements share a derivative.
    size_t index = same - all.begin();
    if (same == all.end())
      all.push_back(expr);
    return makeName(nameOf(index));
  }
  auto copy = std::make_shared<Expr>(*expr);
  for (ExprPtr &child : copy->children)
    child = replace(child);
  return copy;
}

ExprPtr Reads::restore(ExprPtr expr) const {
  for (auto [i, read] : enumerate(all))
    expr = substitute(expr, nameOf(i), read);
  return expr;
}
