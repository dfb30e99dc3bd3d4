//===- PartitionDevices.h - devices for the partitioner ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_PARTITIONDEVICES_H
#define GLOW_RUNTIME_PARTITIONDEVICES_H

#include "glow/Program/Partition.h"
#include <string>
#include <vector>

namespace glow {

/// Makes a partition request: devices as addDevices takes them, and nodes
/// assigned by texts that nodePinOf reads. It includes a report to be filled.
/// Fails as these functions do.
Result<PartitionRequest>
partitionRequestFor(const std::string &devices, PartitionMode mode,
                    const std::vector<std::string> &assignments);

} // namespace glow

#endif // GLOW_RUNTIME_PARTITIONDEVICES_H
