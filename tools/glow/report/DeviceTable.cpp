//===- DeviceTable.cpp - table of devices and their rates -----------------===//
// SPDX-License-Identifier: MIT

#include "DeviceTable.h"
#include "glow/Base/MemorySize.h"
#include "glow/Report/Table.h"
#include "model/Outputs.h"
#include <cstdio>
#include <iostream>

using namespace glow;
using namespace glow::tool;

/// "50 G f32, 200 G i8"
static std::string ratesText(const Json &rates) {
  std::string text;
  for (const auto &[kind, rate] : rates.items()) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g G ", rate.get<double>() / 1e9);
    text += (text.empty() ? "" : ", ") + (number + kind);
  }
  return text.empty() ? "-" : text;
}

/// "256 KiB scratchpad, 64 KiB accumulators" behind the memory of programs.
static std::string memoryText(const DeviceInfo &info) {
  std::string text = info.memoryBytes ? sizeText(info.memoryBytes) : "-";
  for (const DeviceMemory &memory : info.memories)
    text += ", " + sizeText(memory.bytes) + " " + memory.name;
  return text;
}

static Table tableOf(const std::vector<DeviceInfo> &infos) {
  Table table({{"device", "name"},
               {"backend", "backend"},
               quantity("threads", "threads", "%g", 1, "-"),
               {"processors", "processors",
                [](const Json &set) {
                  return set == "" ? "any" : set.get<std::string>();
                }},
               {"memory"},
               {"", "memory_bytes"},
               {"", "memories"},
               {"", "programs_at_once"},
               {"multiplications/s", "compute", ratesText},
               quantity("bytes/s", "bandwidth", "%.3g G", 1e-9, "-"),
               quantity("link bytes/s", "link_bandwidth", "%.3g G", 1e-9, "-"),
               quantity("latency", "link_latency", "%.3g us", 1e6, "-")});
  auto known = [](double rate) { return rate > 0 ? Json(rate) : Json(); };
  for (const DeviceInfo &info : infos) {
    const DeviceRates &rates = info.rates;
    Json compute = Json::object(), memories = Json::object();
    for (const auto &[kind, rate] : rates.multipliesPerSecond)
      compute[std::string(name(kind))] = rate;
    for (const DeviceMemory &memory : info.memories)
      memories[memory.name] = memory.bytes;
    table.add({info.name, info.backend, info.threads, textOf(info.processors),
               memoryText(info), info.memoryBytes, memories,
               info.programsAtOnce, compute, known(rates.bytesPerSecond),
               known(rates.linkBytesPerSecond),
               known(rates.linkLatencySeconds)});
  }
  return table;
}

Status tool::printDevices(const std::vector<DeviceDescription> &devices,
                          const std::string &json) {
  if (Status status = checkOutputs({json}, {}); !status.ok())
    return status;
  Result<std::vector<DeviceInfo>> infos = glow::describeDevices(devices, true);
  if (!infos)
    return infos.status();
  const Table table = tableOf(*infos);
  if (json != "-")
    std::cout << table.text() << std::flush;
  return writeJson(json, table.json());
}
