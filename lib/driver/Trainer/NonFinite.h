//===- NonFinite.h - the first number that is not finite --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_NONFINITE_H
#define GLOW_DRIVER_TRAINER_NONFINITE_H

#include "glow/Runtime/Trace.h"

namespace glow {

/// The numbers of a tensor that are not finite.
struct NonFinite {
  bool hasNan = false, hasInfinite = false;
  /// Tensors of integers have none.
  static NonFinite in(TensorView tensor);
  bool any() const { return hasNan || hasInfinite; }
};

/// Finds the nodes whose results are the first with such numbers in a run.
class FirstNonFinite final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override;

  /// "node 'log' makes the first infinite number, node 'mul' the first NaN";
  /// "" if all results are finite.
  std::string text() const;

private:
  std::string infinite, nan; ///< nodes; "" for none
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_NONFINITE_H
