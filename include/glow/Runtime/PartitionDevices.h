//===- PartitionDevices.h - devices as a partition sees them ----*- C++ -*-===//

#ifndef GLOW_RUNTIME_PARTITIONDEVICES_H
#define GLOW_RUNTIME_PARTITIONDEVICES_H

#include "glow/Program/Partition.h"
#include <string>
#include <vector>

namespace glow {

/// What a model is cut for: the devices that `devices` names, as addDevices
/// takes it, and nodes that are assigned by texts as nodePinOf reads them. Has
/// a report to be written. Fails as these do.
Result<PartitionRequest>
partitionRequestFor(const std::string &devices, PartitionMode mode,
                    const std::vector<std::string> &assignments);

} // namespace glow

#endif // GLOW_RUNTIME_PARTITIONDEVICES_H
