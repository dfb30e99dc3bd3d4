//===- Relaxation.h - lower bound of a partition ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_RELAXATION_H
#define GLOW_LIB_PARTITION_RELAXATION_H

#include "PairCut.h"
#include <functional>

namespace glow::partition {

/// A lower bound of all partitions by Lagrangian relaxation: the largest load
/// is at least any mean of loads, and missing memory costs. For two devices,
/// the best assignment at given weights is a minimum cut. For more devices,
/// each device takes the items that are best for it at a price for each item.
/// That is a minimum cut too. Items that several devices take, or no device,
/// change the prices. All cuts include transfers.
class Relaxation {
public:
  /// The number of rounds of price changes, for more than two devices.
  static constexpr int mostRounds = 200;

  explicit Relaxation(const Problem &problem);

  /// Raises the bound by weights that follow the violated constraints; `upper`
  /// is the objective of a known partition. Calls `visit` with the assignments
  /// on the way, which may be good ones, but need not fit.
  double
  bound(double upper,
        const std::function<void(const Assignment &assignment)> &visit) const;

private:
  double boundOfMany(
      double upper,
      const std::function<void(const Assignment &assignment)> &visit) const;

  /// The value at given weights, and the direction that raises it: loads above
  /// the mean, and missing memory as a fraction of the available memory.
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
