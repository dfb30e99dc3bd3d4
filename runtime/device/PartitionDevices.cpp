//===- PartitionDevices.cpp - devices as input of a partition -------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/PartitionDevices.h"
#include "glow/Runtime/Devices.h"

using namespace glow;

static PartitionDevice deviceOf(const DeviceDescription &description) {
  PartitionDevice device;
  device.name = description.name;
  device.backend = description.backend;
  device.threads = description.options.threads
                       ? description.options.threads
                       : unsigned(description.options.processors.size());
  device.memoryBytes = description.options.memoryBytes;
  device.operationsPerSecond = description.rates.multipliesPerSecond;
  if (const double rate = description.rates.bytesPerSecond; rate > 0)
    device.bytesPerSecond = rate;
  if (const double rate = description.rates.linkBytesPerSecond; rate > 0)
    device.linkBytesPerSecond = rate;
  if (const double time = description.rates.linkLatencySeconds; time > 0)
    device.linkSeconds = time;
  return device;
}

Result<PartitionRequest>
glow::partitionRequestFor(const std::string &devices, PartitionMode mode,
                          const std::vector<std::string> &assignments) {
  Result<std::vector<DeviceDescription>> found = devicesNamed(devices);
  if (!found)
    return found.status();
  PartitionRequest request;
  request.mode = mode;
  request.report = std::make_shared<PartitionReport>();
  for (const DeviceDescription &description : *found)
    request.devices.push_back(deviceOf(description));
  for (const std::string &text : assignments) {
    Result<NodePin> pin = nodePinOf(text);
    if (!pin)
      return pin.status();
    request.pins.push_back(pin.take());
  }
  return request;
}
