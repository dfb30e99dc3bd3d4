//===- DeviceTable.cpp - table of devices and their rates -----------------===//
// SPDX-License-Identifier: MIT

#include "DeviceTable.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/TextTable.h"
#include "model/Outputs.h"
#include <cstdio>
#include <iostream>

using namespace glow;
using namespace glow::tool;

/// "12.3 G" of what counts; "-" where it is not known.
static std::string rateText(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g G", rate / 1e9);
  return rate > 0 ? text : "-";
}

/// "50 G f32, 200 G i8"
static std::string rateText(const std::map<ElementKind, double> &rates) {
  std::string text;
  for (const auto &[kind, rate] : rates)
    text += (text.empty() ? "" : ", ") + rateText(rate) + " " +
            std::string(name(kind));
  return text.empty() ? "-" : text;
}

/// "256 KiB scratchpad, 64 KiB accumulators" behind the memory of programs.
static std::string memoryText(const DeviceInfo &info) {
  std::string text = info.memoryBytes ? sizeText(info.memoryBytes) : "-";
  for (const DeviceMemory &memory : info.memories)
    text += ", " + sizeText(memory.bytes) + " " + memory.name;
  return text;
}

static std::string latencyText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  return seconds > 0 ? text : "-";
}

static Json jsonOf(const DeviceInfo &info) {
  auto known = [](double rate) { return rate > 0 ? Json(rate) : Json(); };
  const DeviceRates &rates = info.rates;
  Json compute = Json::object(), memories = Json::object();
  for (const auto &[kind, rate] : rates.multipliesPerSecond)
    compute[std::string(name(kind))] = rate;
  for (const DeviceMemory &memory : info.memories)
    memories[memory.name] = memory.bytes;
  return {{"name", info.name},
          {"backend", info.backend},
          {"threads", info.threads},
          {"processors", textOf(info.processors)},
          {"memory_bytes", info.memoryBytes},
          {"memories", memories},
          {"programs_at_once", info.programsAtOnce},
          {"compute", compute},
          {"bandwidth", known(rates.bytesPerSecond)},
          {"link_bandwidth", known(rates.linkBytesPerSecond)},
          {"link_latency", known(rates.linkLatencySeconds)}};
}

Status tool::printDevices(const std::vector<DeviceDescription> &devices,
                          const std::string &json) {
  if (Status status = checkOutputs({json}, {}); !status.ok())
    return status;
  Result<std::vector<DeviceInfo>> infos = glow::describeDevices(devices, true);
  if (!infos)
    return infos.status();
  Json all = Json::array();
  TextTable table({"device", "backend", "threads", "processors", "memory",
                   "multiplications/s", "bytes/s", "link bytes/s", "latency"});
  for (const DeviceInfo &info : *infos) {
    all.push_back(jsonOf(info));
    table.add({info.name, info.backend,
               info.threads ? std::to_string(info.threads) : "-",
               info.processors.empty() ? "any" : textOf(info.processors),
               memoryText(info), rateText(info.rates.multipliesPerSecond),
               rateText(info.rates.bytesPerSecond),
               rateText(info.rates.linkBytesPerSecond),
               latencyText(info.rates.linkLatencySeconds)});
  }
  if (json != "-")
    std::cout << table.text() << std::flush;
  return writeJson(json, all);
}
