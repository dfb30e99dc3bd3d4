//===- DevicePlan.h - work-items of a statement -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A statement of index notation defines no order of computation. The plan of a
// kernel assigns its indices: some are shared out to work-items, one runs along
// the lanes of vectors, some are unrolled, and the others are loops.
//
// A statement may give parts of its plan, by name:
//   items = [a, b:64]  the indices that work-items share, outermost first; the
//                      number is that of the work-items of a group along the
//                      last index
//   lanes = m:32       the index along vectors, and the elements of it that a
//                      work-item computes; `lanes = []` for no vectors
//   rows = [n:8]       an index that is unrolled, to share operands
//   sums = [r, k]      the loops over terms, outermost first
//   local = [k, r:64]  the terms, walked as one loop in this order, of which a
//                      group has so many factors in local memory. A plan with
//                      `lanes` and no `local` has none there.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_DEVICEPLAN_DEVICEPLAN_H
#define GLOW_DEVICEPLAN_DEVICEPLAN_H

#include "glow/Loops/Analysis.h"
#include <optional>
#include <string>

namespace glow::plans {

/// The forms of kernels that a backend prints.
struct PlanForms {
  bool hasLanes = true; ///< vectors along an index, and unrolled rows
  bool hasLocal = true; ///< products with factors in local memory
  int64_t group = 64;   ///< work-items of a group along the last index
  int64_t mostGroup = 256;
  /// With factors in local memory: work-items of a group, and the lanes, rows
  /// and terms that it computes at a time. Rows are those of a work-item if
  /// there are lanes for each, else of the whole group.
  int64_t localGroup = 32, localLanes = 32, localRows = 8, localTerms = 64;
};

/// An index of which a work-item computes several values.
struct DeviceTile {
  unsigned index;
  int64_t size;
};

struct DevicePlan {
  /// `outer` are the indices that are bound outside of the statement.
  DevicePlan(loops::Program &program, loops::Statement statement,
             const PlanForms &forms, llvm::ArrayRef<unsigned> outer = {});

  loops::Program &program;
  PlanForms forms;
  loops::Statement statement; ///< with joined indices
  llvm::SmallVector<unsigned> outer;
  loops::Affine place; ///< the offset of the result in its tensor

  bool placesAreApart = false; ///< as in loops::Places
  bool covers = false;
  llvm::SmallVector<unsigned> items;  ///< shared out, outermost first
  llvm::SmallVector<unsigned> summed; ///< loops over terms, outermost first
  std::optional<DeviceTile> lanes;    ///< in `items`
  std::optional<DeviceTile> row;      ///< in `items`
  /// The terms of a product whose factors of lanes are in local memory, the
  /// outermost first, and the number of terms that are there at a time. Only
  /// then does an element of `lanes` need no neighbours in memory.
  llvm::SmallVector<unsigned> localTerms;
  int64_t localSize = 0;
  bool hasLocalVectors = false; ///< whether they are copied as vectors
  int64_t width = 1;            ///< lanes of a vector, at most `lanes->size`
  int64_t group = 64;           ///< as in PlanForms

  /// The error for the first given part that is impossible; empty without one.
  std::string wrong;

  bool isLocal() const { return localSize > 0; }
  /// The product's factors: one that depends on the row alone, one of lanes.
  loops::Term rowFactor{}, laneFactor{};

  bool sums() const {
    return statement.combine != loops::ReductionKind::Assign;
  }
  /// The values of an index that a work-item computes at once.
  int64_t stepOf(unsigned index) const;
  /// The work-items along an index.
  int64_t countOf(unsigned index) const;
  /// The statement with all parts of the plan given.
  loops::Statement planned() const;

private:
  void orderSums();
  void chooseLanes();
  void chooseRow();
  bool chooseLocal();
  void joinLanes(loops::Term row);
  bool areVectors(loops::Term factor, unsigned index) const;
  bool orderLocal(loops::Term row);
  void chooseLanesAndRow();
  void takeGiven();
  bool takeLocal();
  bool mayBeLanes(unsigned index) const;
  bool hasSimpleGuards(unsigned index) const;
  bool mayBeRow(unsigned index) const;
  void refuse(llvm::StringRef use, const std::string &reason);
};

} // namespace glow::plans

#endif // GLOW_DEVICEPLAN_DEVICEPLAN_H
