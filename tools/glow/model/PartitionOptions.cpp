//===- PartitionOptions.cpp - options for a partition ---------------------===//
// SPDX-License-Identifier: MIT

#include "PartitionOptions.h"
#include "glow/Base/Clock.h"
#include "glow/Base/Counted.h"
#include "glow/Base/MemorySize.h"
#include "glow/Report/Table.h"
#include "glow/Runtime/PartitionDevices.h"
#include <algorithm>

using namespace glow;
using namespace glow::tool;

void tool::addPartitionOptions(CLI::App &app, const std::string &flag,
                               ModelOptions &options) {
  HelpGroup group(app, "Machine");
  CLI::Option *devices = app.get_option("--devices");
  CLI::Option *mode =
      app.add_option(flag, options.partitionMode,
                     "cut the model for the devices, so that one request takes "
                     "the least time (latency), or the busiest device "
                     "(pipeline)")
          ->type_name("MODE")
          ->check(CLI::IsMember(std::vector<std::string>(partitionModes.begin(),
                                                         partitionModes.end())))
          ->needs(devices)
          ->capture_default_str();
  CLI::Option *assign =
      app.add_option("--assign", options.assign,
                     "nodes that a device gets, by a pattern of their names, "
                     "as 'conv*=left'; the first that fits a node decides")
          ->type_name("PATTERN=DEVICE")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->needs(devices);
  if (options.partitionMode.empty())
    assign->needs(mode);
}

Status tool::readPartition(ModelOptions &options) {
  if (options.partitionMode.empty())
    return Status();
  // The parser took no other word.
  const auto mode =
      PartitionMode(std::ranges::find(partitionModes, options.partitionMode) -
                    partitionModes.begin());
  Result<PartitionRequest> request =
      partitionRequestFor(options.devices, mode, options.assign);
  if (request)
    options.partition = request.take();
  return request.status();
}

CLI::Option *tool::addWhatIfOption(CLI::App &app,
                                   std::vector<std::string> &changes) {
  return app
      .add_option("--what-if", changes,
                  "partition again with other devices: [DEVICE.]KEY=VALUE with "
                  "memory, threads, link (bytes a second) or delay (seconds), "
                  "or without=DEVICE")
      ->type_name("CHANGE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void tool::setClock(PartitionRequest &request) {
  for (PartitionDevice &device : request.devices)
    device.cyclesPerSecond = cyclesPerSecond();
}

static Status applyWhatIf(const std::string &text, PartitionRequest &request) {
  const size_t middle = text.find('=');
  const std::string left = text.substr(0, middle);
  const size_t dot = left.rfind('.');
  const std::string name = dot == std::string::npos ? "" : left.substr(0, dot);
  const std::string key =
      dot == std::string::npos ? left : left.substr(dot + 1);
  const std::string value =
      middle == std::string::npos ? "" : text.substr(middle + 1);
  const std::string of = key == "without" ? value : name;
  bool matches = false;
  for (PartitionDevice &device : request.devices) {
    if (!of.empty() && device.name != of)
      continue;
    matches = true;
    if (key == "without")
      continue;
    // By the reader of devices that are one text.
    Result<PartitionDevice> changed =
        partitionDeviceOf("a:b:" + key + "=" + value);
    if (!changed)
      return failure(Code::InvalidArgument, "--what-if '", text,
                     "' should be [DEVICE.]KEY=VALUE, with memory, threads, "
                     "link or delay, or without=DEVICE");
    if (key == "memory")
      device.memoryBytes = changed->memoryBytes;
    else if (key == "threads")
      device.threads = changed->threads;
    else if (key == "link")
      device.linkBytesPerSecond = changed->linkBytesPerSecond;
    else
      device.linkSeconds = changed->linkSeconds;
  }
  if (!matches || (key == "without" && of.empty()))
    return failure(Code::InvalidArgument, "--what-if '", text,
                   "': there is no device '", of, "'");
  if (key == "without")
    std::erase_if(request.devices, [&](const PartitionDevice &device) {
      return device.name == of;
    });
  return Status();
}

Result<std::vector<WhatIf>>
tool::tryWhatIf(Session &session, CompileRequest compile,
                const PartitionRequest &request,
                const std::vector<std::string> &changes) {
  std::vector<WhatIf> tried;
  for (const std::string &change : changes) {
    PartitionRequest changed = request;
    changed.report = std::make_shared<PartitionReport>();
    if (Status status = applyWhatIf(change, changed); !status.ok())
      return status;
    compile.partition = changed;
    Result<std::string> parts = session.print(compile, "partition", false);
    if (!parts)
      return parts.status().prefixed("--what-if " + change + ": ");
    tried.push_back({change, changed.report});
  }
  return tried;
}

std::string tool::asText(const std::vector<WhatIf> &tried) {
  std::string text;
  for (const WhatIf &one : tried)
    text += "\nwith " + one.change + "\n" + asText(*one.report);
  return text;
}

Json tool::asJson(const std::vector<WhatIf> &tried) {
  Json json;
  for (const WhatIf &one : tried)
    json[one.change] = asJson(*one.report);
  return json;
}

static Table tableOf(const std::vector<DeviceLoad> &loads) {
  Table table({{"device", "name"},
               {"backend", "backend"},
               milliseconds("busy", "ms"),
               milliseconds("of it transfers", "transfer_ms"),
               {"memory"},
               {"", "memory_bytes"},
               {"", "memory_limit_bytes"}});
  for (const DeviceLoad &load : loads)
    table.add({load.name, load.backend, load.seconds * 1e3,
               load.transferSeconds * 1e3,
               sizeText(load.memoryBytes) +
                   (load.limitBytes ? " of " + sizeText(load.limitBytes) : ""),
               load.memoryBytes, load.limitBytes});
  return table;
}

static Table tableOf(const std::vector<PartReport> &parts) {
  Table table({{"part", "name"},
               {"device", "device"},
               {"", "backend"},
               {"nodes", "nodes",
                [](const Json &nodes) { return std::to_string(nodes.size()); }},
               {"from"},
               {"to"},
               milliseconds("time", "ms"),
               memorySize("in", "bytes_in"),
               memorySize("out", "bytes_out"),
               {"why here", "why"}});
  for (const PartReport &part : parts)
    table.add({part.name, part.device, part.backend, part.nodes,
               part.nodes.empty() ? "" : part.nodes.front(),
               part.nodes.empty() ? "" : part.nodes.back(), part.seconds * 1e3,
               part.bytesIn, part.bytesOut, part.why});
  return table;
}

std::string tool::asText(const PartitionReport &report) {
  auto timeOf = [](double seconds) { return timeText(seconds * 1e3); };
  const bool isPipeline = report.mode == PartitionMode::Pipeline;
  char gap[32];
  std::snprintf(gap, sizeof gap, "%.1f %%", report.gap() * 100);
  std::string text = counted(report.parts.size(), "part") + ", " +
                     timeOf(report.seconds) +
                     (isPipeline ? " between requests" : " a request") +
                     "; no partition takes less than " + timeOf(report.bound) +
                     ", a gap of " + gap + "\n";
  if (report.alone > 0)
    text += "the best device alone takes " + timeOf(report.alone) + "\n";
  return text + "\n" + tableOf(report.devices).text() + "\n" +
         tableOf(report.parts).text();
}

Json tool::asJson(const PartitionReport &report) {
  return {{"mode", name(report.mode)},
          {"copies", report.copies},
          {"ms", report.seconds * 1e3},
          {"bound_ms", report.bound * 1e3},
          {"gap", report.gap()},
          {"alone_ms", report.alone * 1e3},
          {"devices", tableOf(report.devices).json()},
          {"parts", tableOf(report.parts).json()}};
}
