//===- PartitionOptions.h - options for a partition -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_MODEL_PARTITIONOPTIONS_H
#define GLOW_TOOLS_GLOW_MODEL_PARTITIONOPTIONS_H

#include "cli/Tool.h"
#include "glow/Program/Partition.h"
#include "glow/Session/Session.h"

namespace glow::tool {

/// Adds `flag`, which selects the quantity to minimise, and --assign to a
/// command that has --devices.
void addPartitionOptions(CLI::App &app, const std::string &flag,
                         ModelOptions &options);

/// Requests the partition of a model for its devices, if a mode is given. Reads
/// the file of devices in the compiler's form. Fails as devicesNamed and
/// nodePinOf do.
Status readPartition(ModelOptions &options);

/// Adds --what-if, and stores its values unparsed.
CLI::Option *addWhatIfOption(CLI::App &app, std::vector<std::string> &changes);

/// A change of the devices, and the partition with that change.
struct WhatIf {
  std::string change;
  std::shared_ptr<PartitionReport> report;
};

/// Partitions a model again with each of the changes: "KEY=VALUE" or
/// "DEVICE.KEY=VALUE", of memory, threads, link, delay; or "without=DEVICE".
/// Fails with Code::InvalidArgument for an invalid change, and as
/// Session::print.
Result<std::vector<WhatIf>> tryWhatIf(Session &session, CompileRequest compile,
                                      const PartitionRequest &request,
                                      const std::vector<std::string> &changes);
std::string asText(const std::vector<WhatIf> &tried);
Json asJson(const std::vector<WhatIf> &tried);

/// Reports predicted cycles as times at the clock of this processor.
void setClock(PartitionRequest &request);

/// The report of a partition, as a text and as JSON.
std::string asText(const PartitionReport &report);
Json asJson(const PartitionReport &report);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_MODEL_PARTITIONOPTIONS_H
