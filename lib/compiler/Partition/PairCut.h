//===- PairCut.h - the best share-out between two devices -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_PAIRCUT_H
#define GLOW_LIB_PARTITION_PAIRCUT_H

#include "glow/Partition/Problem.h"
#include <array>

namespace glow::partition {

/// The weight of a second on each device, and of a byte of constants on it.
struct Weights {
  std::vector<double> seconds, bytes;
};

/// The share of constants, by item. The bytes of a constant are divided equally
/// among its readers, so a sum of shares never exceeds the bytes that these
/// constants take.
std::vector<double> constantShares(const Problem &problem);

/// Redistributes the items of two devices so that the weighted sum of their
/// loads is minimal, while the items of other devices stay. The result is a
/// minimum cut, and so exact. `shares` are the items' shares of constants.
void cutPair(const Problem &problem, const std::vector<double> &shares,
             std::array<uint32_t, 2> pair, const Weights &weights,
             Assignment &assignment);

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_PAIRCUT_H
