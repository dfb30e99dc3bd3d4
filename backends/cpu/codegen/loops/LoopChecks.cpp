//===- LoopChecks.cpp - bounds checks of loops ----------------------------===//
// SPDX-License-Identifier: MIT
//
// A range with loaded bounds may be empty. Then no element inside of it is
// accessed, and no bounds of ranges after it. A check that is hoisted out of
// the loop over such a range must test that its trip count is not 0.
//
//===----------------------------------------------------------------------===//

#include "LoopValues.h"
#include "glow/Loops/Language.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Outside;
using loops::Term;

size_t LoopValues::rangesAround(Term term) const {
  auto found = around.find(term.get());
  return found == around.end() ? plan.statement.bounds.size() : found->second;
}

/// Whether it is known at this point if a tree that may fail is reached.
bool LoopValues::isReachKnown(Term term) const {
  ArrayRef<loops::Bounds> bounds = plan.statement.bounds;
  if (bounds.empty())
    return true;
  return all_of(treesOf(term), [&](Term part) {
    bool mayFail = (part->op == Op::Load && part->outside == Outside::Fails) ||
                   looked.contains(part.get());
    return !mayFail ||
           all_of(bounds.take_front(rangesAround(part)), [&](auto &range) {
             return isBound(range.index) ||
                    (isKnown(range.low) && isKnown(range.high));
           });
  });
}

/// Whether the ranges whose loops do not enclose this point are not empty, and
/// the indices whose length may be 0; null if that is known.
Value *LoopValues::isReached(size_t ranges) {
  Value *reached = nullptr;
  auto add = [&](Term hasTurns) {
    Value *one = value(hasTurns, {});
    reached = reached ? code.CreateAnd(reached, one) : one;
  };
  for (const loops::Bounds &range :
       ArrayRef(plan.statement.bounds).take_front(ranges)) {
    if (isBound(range.index))
      continue;
    Term end = plan.program.end(range.index);
    add(expr::max(range.low, int64_t(0)) < expr::min(range.high, end));
  }
  for (unsigned index : plan.statement.indices)
    if (!isBound(index) && !plan.statement.boundsOf(index) &&
        mayBeNone(plan.program.length(index)))
      add(int64_t(0) < plan.program.end(index));
  return reached;
}

void LoopValues::checkInside(Value *holds, Copy copy, size_t ranges) {
  if (isNeverMet(plan.program, plan.statement))
    return;
  Value *outside = code.CreateNot(holds);
  if (outside->getType()->isVectorTy()) {
    if (Value *there = lanesWhere(nullptr, copy))
      outside = code.CreateAnd(outside, there);
    outside = code.CreateOrReduce(outside);
  }
  auto fail = [&] { code.CreateStore(code.integer(1), code.buffer(failed)); };
  code.when(outside, [&] {
    enter();
    if (Value *reached = isReached(ranges))
      code.when(reached, fail);
    else
      fail();
    leave();
  });
}

bool LoopValues::isChecked(Term condition, Copy copy, size_t ranges) {
  Key key = keyOf(condition, copy, /*firstLane=*/false);
  key.second[3] = int64_t(ranges);
  for (const Scope &scope : reverse(scopes)) {
    if (scope.checked.contains(key))
      return true;
    if (scope.rebound & condition->indices)
      break;
  }
  scopes.back().checked.insert(key);
  return false;
}
