//===- Numbers.cpp - expressions that are the same ------------------------===//
// SPDX-License-Identifier: MIT

#include "Expr/Numbers.h"

using namespace glow::gen;

unsigned Numbers::of(const ExprPtr &expr) {
  if (auto found = known.find(expr); found != known.end())
    return found->second;
  std::string key = std::to_string(unsigned(expr->kind)) + " " + expr->text;
  for (const ExprPtr &child : expr->children)
    key += "," + std::to_string(of(child));
  for (const std::string &label : expr->labels)
    key += ":" + label;
  unsigned number =
      numbers.try_emplace(key, unsigned(numbers.size())).first->second;
  known.try_emplace(expr, number);
  return number;
}
