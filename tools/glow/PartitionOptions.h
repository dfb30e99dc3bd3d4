//===- PartitionOptions.h - how the user shares out a model -----*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H
#define GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H

#include "Tool.h"
#include "glow/Program/Partition.h"

namespace glow::tool {

/// Adds `flag`, which says what is to be small, and --assign to a command that
/// has --devices.
void addPartitionOptions(CLI::App &app, const std::string &flag,
                         ModelOptions &options);

/// Has a model be cut for its devices, if a mode is given: reads the file of
/// devices as the compiler looks at them. Fails as devicesNamed and nodePinOf
/// do.
Status readPartition(ModelOptions &options);

/// Changes the devices by "KEY=VALUE" or "DEVICE.KEY=VALUE": memory, threads,
/// link, delay; or by "without=DEVICE". Fails with Code::InvalidArgument.
Status applyWhatIf(const std::string &text, PartitionRequest &request);

/// What came of a partition, for people and as JSON.
std::string asText(const PartitionReport &report);
Json asJson(const PartitionReport &report);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H
