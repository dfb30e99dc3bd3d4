//===- Relaxation.h - how good a partition can be ---------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_RELAXATION_H
#define GLOW_LIB_PARTITION_RELAXATION_H

#include "PairCut.h"
#include <functional>

namespace glow::partition {

/// What no partition can be better than, by Lagrange's relaxation: the largest
/// load is at least any mean of loads, and memory that is lacking costs. For
/// one choice of weights the best assignment is found item by item or, of two
/// devices, by a minimum cut, which knows of transfers.
class Relaxation {
public:
  explicit Relaxation(const Problem &problem);

  /// Raises the bound by weights that follow what is violated; `upper` is the
  /// objective of a partition that is known. Tells `visit` of the assignments
  /// on the way, which may be good ones, but need not fit.
  double
  bound(double upper,
        const std::function<void(const Assignment &assignment)> &visit) const;

private:
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
