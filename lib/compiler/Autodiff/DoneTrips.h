//===- DoneTrips.h - slices of the trips that a loop has done -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A loop that ends early leaves slices undefined. A loop that runs backwards
// over its trips begins with the last one that was done, and must read and
// write the slices of the same trips.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_COMPILER_AUTODIFF_DONETRIPS_H
#define GLOW_COMPILER_AUTODIFF_DONETRIPS_H

#include "glow/Graph/Build.h"

namespace glow {

/// Slices of a loop for another one, which does as many trips in the reverse
/// order. The other loop has a tensor backwards where the first has it
/// forwards, so that both begin at the same ends of all slices. The slices of a
/// loop that gives whether another trip follows need not begin there.
class DoneTrips {
public:
  /// `function` is the body of the loop. `builder` stands behind the loop.
  DoneTrips(mlir::OpBuilder &builder, LoopOp loop, FuncOp function);

  /// A tensor that the other loop slices in place of one of the loop.
  mlir::Value reversed(mlir::Value stack, bool isBackwards);

  /// The inverse for a tensor that the other loop stacked, with zeros for trips
  /// that were not done.
  mlir::Value inPlace(mlir::Value stack, bool isBackwards);

  /// The number of trips for the other loop; null if all are done.
  mlir::Value trips() const { return mayEnd ? done : mlir::Value(); }

  /// The number of the last trip that was done.
  mlir::Value last();

private:
  mlir::Value number(const Size &value);
  mlir::Value forAll(mlir::Value number);
  mlir::Value minus(mlir::Value left, mlir::Value right);

  /// 0, 1, ... for all slices, and the number of trips that would have been
  /// done if the loop had gone on.
  mlir::Value indices();
  mlir::Value missing();

  mlir::OpBuilder &builder;
  mlir::Location location;
  Size count;
  bool mayEnd, givesGoing;
  mlir::Value wanted, done; ///< trips
};

} // namespace glow

#endif // GLOW_COMPILER_AUTODIFF_DONETRIPS_H
