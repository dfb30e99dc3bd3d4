//===- PartitionOptions.h - how the user shares out a model -----*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H
#define GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H

#include "Tool.h"
#include "glow/Program/Partition.h"
#include "glow/Session/Session.h"

namespace glow::tool {

/// Adds `flag`, which says what is to be small, and --assign to a command that
/// has --devices.
void addPartitionOptions(CLI::App &app, const std::string &flag,
                         ModelOptions &options);

/// Has a model be cut for its devices, if a mode is given: reads the file of
/// devices as the compiler looks at them. Fails as devicesNamed and nodePinOf
/// do.
Status readPartition(ModelOptions &options);

/// Adds --what-if, whose values are kept as they are.
CLI::Option *addWhatIfOption(CLI::App &app, std::vector<std::string> &changes);

/// A change of the devices, and what comes of a partition then.
struct WhatIf {
  std::string change;
  std::shared_ptr<PartitionReport> report;
};

/// Partitions a model again with each of the changes: "KEY=VALUE" or
/// "DEVICE.KEY=VALUE", of memory, threads, link, delay; or "without=DEVICE".
/// Fails with Code::InvalidArgument for what is none, and as Session::print.
Result<std::vector<WhatIf>> tryWhatIf(Session &session, CompileRequest compile,
                                      const PartitionRequest &request,
                                      const std::vector<std::string> &changes);
std::string asText(const std::vector<WhatIf> &tried);
Json asJson(const std::vector<WhatIf> &tried);

/// Has predicted cycles told as times at the clock of this processor.
void setClock(PartitionRequest &request);

/// What came of a partition, for people and as JSON.
std::string asText(const PartitionReport &report);
Json asJson(const PartitionReport &report);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_PARTITIONOPTIONS_H
