//===- Places.cpp - indices that walk elements of a result ----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Base/Functions.h"
#include "glow/Base/SortByKey.h"
#include "glow/Loops/Analysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::loops;

/// The leading subscripts that are plain indices and occur in no other
/// subscript: different values lead to different elements, whatever the other
/// subscripts are.
static llvm::SmallVector<unsigned> leadingIndices(const Statement &statement) {
  llvm::SmallVector<unsigned> leading;
  for (auto [number, subscript] : llvm::enumerate(statement.subscripts)) {
    if (subscript->isNumber())
      continue;
    unsigned index = unsigned(subscript->integer);
    auto rest = llvm::drop_begin(statement.subscripts, number + 1);
    if (subscript->op != Op::Index ||
        !llvm::is_contained(statement.indices, index) ||
        statement.subscripts.size() == 1 ||
        llvm::any_of(rest, [&](Term other) { return other->dependsOn(index); }))
      break;
    leading.push_back(index);
  }
  return leading;
}

void loops::orderTerms(const Statement &statement,
                       llvm::SmallVector<unsigned> &summed) {
  Terms given;
  for (const Bounds &bounds : statement.bounds) {
    given.append({bounds.low, bounds.high});
    auto at = llvm::find(summed, bounds.index);
    if (at == summed.end())
      continue;
    auto last = at;
    for (auto other = at; other != summed.end(); ++other)
      if (llvm::any_of(given,
                       [&](Term term) { return term->dependsOn(*other); }))
        last = other;
    std::rotate(at, at + 1, last + 1);
  }
}

/// Finds the indices that walk distinct elements of the result: each of them
/// moves further than all indices of smaller steps together. An index with
/// bounds does not count, because its ranges may overlap.
Places loops::placesOf(Program &program, const Statement &statement,
                       const Affine &place, llvm::ArrayRef<unsigned> outer) {
  Places result;
  auto &placed = result.placed;
  bool &placesAreApart = result.areApart, &covers = result.cover;
  Length count = 1;
  for (auto [index, factor] : place.indices) {
    count = count * program.length(index);
    if (!llvm::is_contained(outer, index))
      placed.push_back(index);
  }
  auto factorOf = [&](unsigned index) { return std::abs(place.of(index)); };
  sortGreatestFirst(placed, factorOf);
  Length span = 1;
  size_t apart = placed.size();
  for (unsigned index : llvm::reverse(placed)) {
    Length factor = place.factorOf(index);
    if (factor.range().high < 0)
      factor = 0 - factor;
    if ((factor - span).range().low < 0)
      apart = size_t(llvm::find(placed, index) - placed.begin());
    span = span + factor * (program.length(index) - 1);
  }
  placesAreApart = apart == placed.size() && place.others.empty();
  const Tensor &tensor = program.tensors[statement.tensor];
  covers = placesAreApart && areInside(statement.subscripts, tensor) &&
           count == tensor.count();
  if (!placesAreApart && place.others.empty())
    placed.resize(apart);
  else if (!placesAreApart)
    placed = leadingIndices(statement);
  llvm::erase_if(placed, [&](unsigned index) {
    bool hasBounds = statement.boundsOf(index);
    placesAreApart &= !hasBounds;
    covers &= !hasBounds;
    return hasBounds;
  });
  for (unsigned index : statement.indices)
    if (!llvm::is_contained(placed, index))
      result.summed.push_back(index);
  orderTerms(statement, result.summed);
  return result;
}
