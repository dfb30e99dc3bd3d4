//===- Relaxation.h - how good a partition can be ---------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_RELAXATION_H
#define GLOW_LIB_PARTITION_RELAXATION_H

#include "PairCut.h"
#include <functional>

namespace glow::partition {

/// What no partition can be better than, by Lagrange's relaxation: the largest
/// load is at least any mean of loads, and memory that is lacking costs. Of two
/// devices the best assignment for one choice of weights is a minimum cut. Of
/// more, each device takes the items that are best for it at a price for each
/// item, which is a minimum cut too; items that several devices take, or none,
/// move the prices. All cuts know of transfers.
class Relaxation {
public:
  /// Rounds in which prices of items are moved, of more than two devices.
  static constexpr int mostRounds = 200;

  explicit Relaxation(const Problem &problem);

  /// Raises the bound by weights that follow what is violated; `upper` is the
  /// objective of a partition that is known. Tells `visit` of the assignments
  /// on the way, which may be good ones, but need not fit.
  double
  bound(double upper,
        const std::function<void(const Assignment &assignment)> &visit) const;

private:
  double boundOfMany(
      double upper,
      const std::function<void(const Assignment &assignment)> &visit) const;

  /// The value at some weights, and what raises it: loads above the mean, and
  /// memory that is lacking, in parts of what there is.
  struct Slope {
    double value;
    std::vector<double> seconds, memory;
    double norm() const;
  };
  Slope slopeAt(const Weights &weights, const Assignment &found) const;
  void follow(const Slope &slope, double step, Weights &weights) const;

  Assignment best(const Weights &weights) const;
  std::vector<double> loadsOf(const Assignment &assignment) const;
  std::vector<double> bytesOf(const Assignment &assignment) const;
  double balance(const std::function<void(const Assignment &)> &visit) const;

  const Problem &problem;
  const std::vector<double> shares;
  const bool isPipeline;
  bool isLimited = false; ///< in memory
};

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_RELAXATION_H
