//===- Analysis.h - facts about statements of loops -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Facts that every backend needs before it plans a statement: its trees, the
// indices that may run in any order, and the ways in which it can fail.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_ANALYSIS_H
#define GLOW_LOOPS_ANALYSIS_H

#include "glow/Loops/Program.h"

namespace glow::loops {

/// All subtrees of `roots`, each once and after its operands.
std::vector<Term> treesOf(llvm::ArrayRef<Term> roots);

/// The trees of a statement: the subscripts of its result, and its value.
std::vector<Term> treesOf(const Statement &statement);

/// Joins indices of a statement that every access walks as if they were one.
/// `outer` are indices that are bound outside of it.
void joinIndices(Program &program, Statement &statement,
                 llvm::ArrayRef<unsigned> outer = {});

/// The roles of a statement's indices.
struct Places {
  /// Indices that walk elements of the result, the greatest step first. Any
  /// order of their values gives the same result.
  llvm::SmallVector<unsigned> placed{};
  /// All other indices, in an order in which bounds may be evaluated.
  llvm::SmallVector<unsigned> summed{};
  /// Whether different values of `placed` lead to different elements, and no
  /// other index moves the element. Then an element is summed in a register.
  bool areApart = false;
  bool cover = false; ///< whether the whole tensor is written
};

/// The roles of the indices of a statement. `place` is the offset of its result
/// within the tensor; `outer` are indices that are bound outside of it.
Places placesOf(Program &program, const Statement &statement,
                const Affine &place, llvm::ArrayRef<unsigned> outer = {});

/// Orders the loops over terms. A loop comes after the loops that its bounds
/// depend on, and after the loops that the ranges before its own depend on: the
/// bounds of an empty range must not be evaluated.
void orderTerms(const Statement &statement,
                llvm::SmallVector<unsigned> &summed);

/// Whether an index that was loaded from a tensor may be out of range.
bool canFail(const Program &program, const Statement &statement);

/// Whether an index without bounds has extent 0: then no element is accessed,
/// since ranges with bounds come after all such indices.
bool isNeverMet(const Program &program, const Statement &statement);

/// Whether loaded elements are indices into a result without elements: every
/// one of them is out of range.
bool onlyFails(const Program &program, const Statement &statement);

/// Whether the result has no element, and no load is needed to check an index
/// or a bound.
bool writesNothing(const Program &program, const Statement &statement);

} // namespace glow::loops

#endif // GLOW_LOOPS_ANALYSIS_H
