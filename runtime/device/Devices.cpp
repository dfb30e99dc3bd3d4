//===- Devices.cpp - devices as they are described ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Devices.h"
#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Remote.h"

using namespace glow;

DeviceRates DeviceRates::overruledBy(const DeviceRates &known) const {
  auto either = [](double mine, double said) { return said > 0 ? said : mine; };
  std::map<ElementKind, double> multiplies = known.multipliesPerSecond;
  multiplies.insert(multipliesPerSecond.begin(), multipliesPerSecond.end());
  return {std::move(multiplies), either(bytesPerSecond, known.bytesPerSecond),
          either(linkBytesPerSecond, known.linkBytesPerSecond),
          either(linkLatencySeconds, known.linkLatencySeconds)};
}

static Result<std::unique_ptr<Device>>
openDevice(const DeviceDescription &device) {
  return device.address.empty()
             ? DeviceRegistry::instance().open(device.backend, device.options)
             : openRemoteDevice(device.address, device.backend);
}

static Result<DeviceInfo> describe(const DeviceDescription &as, bool measures) {
  Result<std::unique_ptr<Device>> device = openDevice(as);
  if (!device)
    return device.status();
  DeviceInfo info = (*device)->info();
  info.name = as.name;
  info.memories = DeviceRegistry::instance().memoriesOf(as.backend);
  if (measures) {
    Result<DeviceRates> rates = (*device)->measure();
    if (!rates)
      return rates.status();
    info.rates = *rates;
  }
  info.rates = info.rates.overruledBy(as.rates);
  return info;
}

Result<std::vector<DeviceInfo>>
glow::describeDevices(const std::vector<DeviceDescription> &devices,
                      bool measures) {
  std::vector<DeviceInfo> infos;
  for (const DeviceDescription &device : devices) {
    Result<DeviceInfo> info = describe(device, measures);
    if (!info)
      return info.status().prefixed("device '" + device.name + "': ");
    infos.push_back(*info);
  }
  return infos;
}

/// Describes one device of a backend, or one for each group of processors, if a
/// single device would use the processors of all groups.
static void findOf(const std::string &backend,
                   const std::vector<Processors> &groups,
                   std::vector<DeviceDescription> &found) {
  Result<std::unique_ptr<Device>> device =
      DeviceRegistry::instance().open(backend, {});
  if (!device)
    return; // its hardware is absent, as a card
  const DeviceInfo info = (*device)->info();
  size_t all = 0;
  for (const Processors &group : groups)
    all += group.size();
  const bool splits = groups.size() > 1 && info.threads == all;
  for (size_t i = 0; i < (splits ? groups.size() : 1); ++i) {
    DeviceDescription one;
    one.name = backend + "." + std::to_string(i);
    one.backend = backend;
    if (splits) {
      one.options.processors = groups[i];
      one.options.memoryBytes = info.memoryBytes / groups.size();
    }
    found.push_back(std::move(one));
  }
}

std::vector<DeviceDescription> glow::findDevices(GroupBy what) {
  const std::vector<Processors> groups =
      processorGroups(what, allowedProcessors());
  std::vector<DeviceDescription> found;
  for (const std::string &backend : DeviceRegistry::instance().backends())
    findOf(backend, groups, found);
  return found;
}

Result<std::vector<DeviceDescription>>
glow::devicesNamed(const std::string &text) {
  if (text == "found" || text == "found:nodes")
    return findDevices(GroupBy::Nodes);
  if (text == "found:cores")
    return findDevices(GroupBy::Cores);
  if (text.starts_with("found:"))
    return failure(Code::InvalidArgument, "devices '", text,
                   "' should be found, found:nodes, found:cores or a file");
  return readDevices(text);
}

static Status addDevice(Host &host, const DeviceDescription &device) {
  if (device.address.empty())
    return host.openDevice(device.backend, device.options, device.name);
  Result<std::unique_ptr<Device>> remote =
      openRemoteDevice(device.address, device.backend);
  return remote ? host.addDevice(remote.take(), device.name) : remote.status();
}

Status glow::addDevices(Host &host,
                        const std::vector<DeviceDescription> &devices) {
  for (const DeviceDescription &device : devices)
    if (Status status = addDevice(host, device); !status.ok())
      return status.prefixed("device '" + device.name + "': ");
  return Status();
}
