//===- Analysis.cpp - facts about statements of loops ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace glow;
using namespace glow::loops;

//===----------------------------------------------------------------------===//
// Trees
//===----------------------------------------------------------------------===//

static void addTrees(Term term, llvm::SmallPtrSetImpl<const Node *> &seen,
                     std::vector<Term> &trees) {
  if (!term || !seen.insert(term.get()).second)
    return;
  for (Term operand : term->operands)
    addTrees(operand, seen, trees);
  trees.push_back(term);
}

std::vector<Term> loops::treesOf(llvm::ArrayRef<Term> roots) {
  std::vector<Term> trees;
  llvm::SmallPtrSet<const Node *, 32> seen;
  for (Term root : roots)
    addTrees(root, seen, trees);
  return trees;
}

std::vector<Term> loops::treesOf(const Statement &statement) {
  Terms roots = statement.subscripts;
  roots.append({statement.value, statement.otherwise, statement.index,
                statement.finish});
  for (const Bounds &bounds : statement.bounds)
    roots.append({bounds.low, bounds.high});
  return treesOf(roots);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

/// Whether a subscript of the result is a loaded element.
static bool isFound(const Statement &statement) {
  return llvm::any_of(treesOf(statement.subscripts),
                      [](Term term) { return term->op == Op::Load; });
}

/// Whether loaded bounds of an index may be invalid.
static bool boundsFail(const Statement &statement) {
  return llvm::any_of(statement.bounds,
                      [](const Bounds &one) { return one.fails; });
}

bool loops::isNeverMet(const Program &program, const Statement &statement) {
  return llvm::any_of(statement.indices, [&](unsigned index) {
    return !statement.boundsOf(index) && program.extent(index) == 0;
  });
}

bool loops::onlyFails(const Program &program, const Statement &statement) {
  if (statement.scan &&
      program.extent(program.scans[*statement.scan].index) == 0)
    return false;
  return llvm::is_contained(program.tensors[statement.tensor].shape, 0) &&
         isFound(statement) && statement.bounds.empty() &&
         llvm::all_of(statement.indices, [&](unsigned index) {
           return program.extent(index) > 0;
         });
}

bool loops::canFail(const Program &program, const Statement &statement) {
  bool failsToLoad = llvm::any_of(treesOf(statement), [](Term term) {
    return term->op == Op::Load && term->outside == Outside::Fails;
  });
  return failsToLoad || boundsFail(statement) ||
         (isFound(statement) &&
          !areInside(statement.subscripts, program.tensors[statement.tensor]));
}

bool loops::writesNothing(const Program &program, const Statement &statement) {
  if (!llvm::is_contained(program.tensors[statement.tensor].shape, 0) ||
      onlyFails(program, statement))
    return false;
  return !canFail(program, statement) || statement.bounds.empty() ||
         isNeverMet(program, statement);
}
