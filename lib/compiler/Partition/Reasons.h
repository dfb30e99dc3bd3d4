//===- Reasons.h - what is told of a partition ------------------*- C++ -*-===//

#ifndef GLOW_LIB_PARTITION_REASONS_H
#define GLOW_LIB_PARTITION_REASONS_H

#include "GraphProblem.h"

namespace glow {

/// What came of a search: a row of each part, with why it is not on the device
/// of the part before, and of each device.
PartitionReport reportOf(const GraphOfDevices &graph, const GraphProblem &made,
                         const partition::Solution &solution,
                         llvm::ArrayRef<OwnedPart> parts);

/// Why no partition was found: what each device has, and what is needed.
void refuseAll(const GraphOfDevices &graph, const GraphProblem &made,
               const partition::Solution &solution);

} // namespace glow

#endif // GLOW_LIB_PARTITION_REASONS_H
