//===- Intervals.h - the best cut of an order into intervals ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_INTERVALS_H
#define GLOW_LIB_PARTITION_INTERVALS_H

#include "glow/Partition/Problem.h"

namespace glow::partition {

/// The best assignment in which each device has one interval in the order of
/// items, or none. Dynamic programming searches over the ends of intervals and
/// the set of used devices. For many devices, it searches only intervals in the
/// devices' order. The result is exact among these assignments, and so for
/// chains. The result is empty if no assignment fits.
Assignment bestIntervals(const Problem &problem);

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_INTERVALS_H
