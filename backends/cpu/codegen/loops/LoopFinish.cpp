//===- LoopFinish.cpp - final values of accumulators ----------------------===//
// SPDX-License-Identifier: MIT
//
// `out[n] += ...` and the statement `out[n] = out[n] + bias[n]` after it become
// one loop over the result: the sum is changed while it is in a register.
//
//===----------------------------------------------------------------------===//

#include "LoopEmitter.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Outside;
using loops::ReductionKind;
using loops::Term;

/// The indices of a result whose subscripts are distinct indices or constants;
/// nothing for another result.
static std::optional<SmallVector<unsigned>>
plainIndices(const loops::Statement &statement) {
  SmallVector<unsigned> indices;
  for (Term subscript : statement.subscripts) {
    if (subscript->isNumber())
      continue;
    unsigned index = unsigned(subscript->integer);
    if (subscript->op != Op::Index || is_contained(indices, index))
      return std::nullopt;
    indices.push_back(index);
  }
  return indices;
}

static bool reads(const loops::Statement &statement, Term term) {
  return term->op == Op::Load && unsigned(term->integer) == statement.tensor;
}

/// Fuses the statement after a sum into it, if the statement changes each
/// element of the sum once; false for another statement.
static bool finishBy(loops::Program &program, loops::Statement &sum,
                     const loops::Statement &next) {
  auto places = plainIndices(sum), others = plainIndices(next);
  auto isInPlace = [&](Term term) {
    return term->op != Op::Load ||
           (term->outside == Outside::Never &&
            (!reads(next, term) || term->operands == next.subscripts));
  };
  auto isOwn = [&](Term term) { return reads(sum, term); };
  auto hasBounds = [&](unsigned index) { return sum.boundsOf(index); };
  bool isSum = sum.combine != ReductionKind::Assign &&
               !givesIndex(sum.combine) && !bool(sum.finish) &&
               !sum.scan.has_value();
  bool isAssigned = next.combine == ReductionKind::Assign &&
                    next.bounds.empty() && !bool(next.otherwise) &&
                    !next.scan.has_value();
  if (!isSum || !isAssigned || next.tensor != sum.tensor ||
      !places.has_value() || !others.has_value() ||
      places->size() != others->size() ||
      next.indices.size() != others->size() || any_of(*places, hasBounds) ||
      !all_of(treesOf({next.value}), isInPlace) || any_of(treesOf(sum), isOwn))
    return false;
  Term value = next.value;
  for (auto [place, other] : zip_equal(*places, *others)) {
    if (!(program.length(place) == program.length(other)))
      return false;
    value = program.replace(value, other, program.indexTerm(place));
  }
  sum.finish = value;
  return true;
}

void cpu::finishSums(loops::Program &program,
                     std::vector<loops::Statement> &statements) {
  for (size_t i = 0; i + 1 < statements.size();)
    if (finishBy(program, statements[i], statements[i + 1]))
      statements.erase(statements.begin() + long(i) + 1);
    else
      ++i;
}
