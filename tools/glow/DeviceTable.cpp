//===- DeviceTable.cpp - what devices are, and how fast -------------------===//

#include "DeviceTable.h"
#include "Outputs.h"
#include "glow/Base/MemorySize.h"
#include "glow/Base/TextTable.h"
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

static std::string latencyText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g us", seconds * 1e6);
  return seconds > 0 ? text : "-";
}

static Json jsonOf(const DeviceInfo &info) {
  auto known = [](double rate) { return rate > 0 ? Json(rate) : Json(); };
  const DeviceRates &rates = info.rates;
  return {{"name", info.name},
          {"backend", info.backend},
          {"threads", info.threads},
          {"processors", textOf(info.processors)},
          {"memory_bytes", info.memoryBytes},
          {"programs_at_once", info.programsAtOnce},
          {"compute", known(rates.multipliesPerSecond)},
          {"bandwidth", known(rates.bytesPerSecond)},
          {"link_bandwidth", known(rates.linkBytesPerSecond)},
          {"link_latency", known(rates.linkLatencySeconds)}};
}

Status tool::printDevices(const std::vector<DeviceDescription> &devices,
                          bool json) {
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
               info.memoryBytes ? sizeText(info.memoryBytes) : "-",
               rateText(info.rates.multipliesPerSecond),
               rateText(info.rates.bytesPerSecond),
               rateText(info.rates.linkBytesPerSecond),
               latencyText(info.rates.linkLatencySeconds)});
  }
  std::cout << (json ? all.dump(1) + "\n" : table.text());
  return Status();
}
