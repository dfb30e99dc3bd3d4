//===- PairCut.h - the best share-out between two devices -------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_PAIRCUT_H
#define GLOW_LIB_PARTITION_PAIRCUT_H

#include "glow/Partition/Problem.h"
#include <array>

namespace glow::partition {

/// What a second of each device counts, and a byte of constants on it.
struct Weights {
  std::vector<double> seconds, bytes;
};

/// By item, its share of the constants that it reads: what several read is
/// counted in equal parts, so that a sum is never more than what they take.
std::vector<double> constantShares(const Problem &problem);

/// Shares out anew what two devices have, so that the weighted sum of their
/// loads is as small as can be while the items of other devices stay. That is a
/// minimum cut, and so exact. `shares` are those of the constants.
void cutPair(const Problem &problem, const std::vector<double> &shares,
             std::array<uint32_t, 2> pair, const Weights &weights,
             Assignment &assignment);

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_PAIRCUT_H
