//===- LoopPlan.h - plan of a statement's loops -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A statement of index notation does not define an order of computation. The
// plan assigns its indices: one runs along the lanes of vectors, one or two are
// unrolled so that shared operands are read once, and the others are loops. The
// outermost loops are distributed over threads.
//
// A statement may give parts of its plan, by name:
//   lanes = m:4       the index along the lanes, and vectors that are computed
//                     side by side; `lanes = []` for no vectors
//   rows = [n:6]      indices that are unrolled, to share operands
//   loops = [a, b]    the loops over places, outermost first
//   innermost = c     a loop within that over lanes
//   sums = [r, k]     the loops over terms, outermost first
//   threads = [a, n]  the outermost of loops, lanes and rows that are shared
//                     out to threads
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPPLAN_H
#define GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPPLAN_H

#include "common/Target.h"
#include "glow/Loops/Analysis.h"
#include <optional>

namespace glow::cpu {

/// An index along which several elements are computed at once.
struct LoopTile {
  unsigned index;
  int64_t size; ///< elements or, along the lanes, vectors
};

/// The least work of a chunk of a statement, in vectors.
constexpr int64_t leastWork = 1024;

/// The geometric middle of a length's range. Plans are chosen by it: the
/// greatest length is often a capacity that few runs reach, and the times of
/// small sizes differ most, in proportion.
int64_t usualOf(const Length &length);
/// Whether a run may give a length of 0.
inline bool mayBeNone(const Length &length) {
  return !length.isFixed() && length.range().low <= 0;
}

/// A loop over the result: at most `count` iterations with a step of `step`.
struct PlaceLoop {
  unsigned index;
  int64_t count, step;
};

struct LoopPlan {
  /// `outer` are the indices that are bound outside of the statement.
  LoopPlan(loops::Program &program, loops::Statement statement,
           const Target &target, llvm::ArrayRef<unsigned> outer = {});

  loops::Program &program;
  const int64_t width;        ///< lanes of a vector
  loops::Statement statement; ///< with divided and joined indices
  llvm::SmallVector<unsigned> outer;
  loops::Affine place; ///< the offset of the result in its tensor

  /// Whether the indices of the result lead to distinct elements, so that an
  /// element is summed in registers.
  bool placesAreApart = false;
  /// Whether the statement, with its outer indices, writes the whole tensor.
  bool covers = false;
  /// Whether some terms of a sum may be skipped.
  bool skipsTerms = false;

  llvm::SmallVector<unsigned> placed;  ///< loops over places, outermost first
  llvm::SmallVector<unsigned> summed;  ///< loops over terms, outermost first
  std::optional<LoopTile> lanes;       ///< not in `placed` or `summed`
  llvm::SmallVector<LoopTile, 2> rows; ///< not in `placed` or `summed`
  std::optional<unsigned> innermost;   ///< inside of the loop over lanes
  size_t threads = 0; ///< the leading loopsOverPlaces that threads share

  /// Whether it writes identity elements for the statement after it.
  bool isFill = false;

  /// The error for the first given part that is impossible; empty without one.
  std::string wrong;

  /// The loops around a tile of places, outermost first.
  std::vector<PlaceLoop> loopsOverPlaces() const;
  /// The number of vectors of all terms, for the greatest sizes.
  int64_t work() const;
  /// The statement with all parts of the plan given.
  loops::Statement planned() const;

  /// All indices, the outermost first.
  llvm::SmallVector<unsigned> nesting() const;

  bool isLane(unsigned index) const { return lanes && lanes->index == index; }
  /// The trip count of an index by which the plan is chosen. For an index with
  /// bounds it is an estimate, which assumes that its extent is distributed
  /// evenly.
  int64_t turnsOf(unsigned index) const;
  /// The length of an index by which the plan is chosen.
  int64_t usual(unsigned index) const;
  bool sums() const {
    return statement.combine != loops::ReductionKind::Assign;
  }
  /// Whether the lanes are terms of one sum.
  bool sumsLanes() const { return lanes && place.of(lanes->index) == 0; }
  /// Whether the first lane is a multiple of the number of lanes. A condition
  /// on the terms of a sum that becomes a loop bound breaks this.
  bool alignsLanes() const {
    return lanes && !statement.boundsOf(lanes->index) &&
           !(sumsLanes() && skipsTerms);
  }

private:
  void divide();
  bool mayDivide(unsigned index, int64_t by) const;
  void findPlaces();
  void chooseLanes();
  void chooseRows(const Target &target);
  void chooseSums(const Target &target);
  void chooseInnermost();
  void chooseThreads();

  bool mayBeLanes(unsigned index) const;
  bool mayBeRow(unsigned index) const;
  bool mayHaveRows() const;
  void refuse(llvm::StringRef use, const llvm::Twine &reason);
  void takeLanes(const loops::PlanEntry &given);
  void takeRows(const loops::PlanEntry &given);
  void takeInnermost(const loops::PlanEntry &given);
  void takeThreads(const loops::PlanEntry &given);
  void takeOrders();
  void checkUses();
};

/// The number of consecutive values of an index that lead to the same element,
/// before the next element: 2 for `x / 2`. It divides the lanes of a vector,
/// `width`; nothing for another offset.
std::optional<int64_t> repeatsOf(const loops::Affine &offset, unsigned index,
                                 int64_t width);

/// Replaces an index of a statement by its quotient and remainder by `by`,
/// which must divide the length.
void splitIndex(loops::Program &program, loops::Statement &statement,
                unsigned index, int64_t by);

using loops::joinIndices;
using loops::treesOf;

} // namespace glow::cpu

#endif // GLOW_BACKENDS_CPU_CODEGEN_LOOPS_LOOPPLAN_H
