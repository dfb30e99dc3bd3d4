//===- Reasons.h - reasons in a partition's report --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_PARTITION_REASONS_H
#define GLOW_LIB_PARTITION_REASONS_H

#include "GraphProblem.h"

namespace glow {

/// The result of a search: a row for each part and each device. The row of a
/// part has the reason why it is not on the device of the part before.
PartitionReport reportOf(const GraphOfDevices &graph, const GraphProblem &made,
                         const partition::Solution &solution,
                         llvm::ArrayRef<OwnedPart> parts);

/// Reports why no partition was found: the memory of each device, and the
/// memory that is needed.
void refuseAll(const GraphOfDevices &graph, const GraphProblem &made,
               const partition::Solution &solution);

} // namespace glow

#endif // GLOW_LIB_PARTITION_REASONS_H
