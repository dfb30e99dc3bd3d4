//===- Intervals.h - the best cut of an order into intervals ----*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_INTERVALS_H
#define GLOW_LIB_PARTITION_INTERVALS_H

#include "glow/Partition/Problem.h"

namespace glow::partition {

/// The best assignment in which each device has one interval of the order of
/// items, or none, by dynamic programming over where intervals end and which
/// devices were used; of many devices, of those in which they stand in their
/// order. Exact for what it searches, and so for chains. Empty where none fits.
Assignment bestIntervals(const Problem &problem);

} // namespace glow::partition

#endif // GLOW_LIB_PARTITION_INTERVALS_H
