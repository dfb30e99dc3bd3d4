//===- DeviceList.cpp - the devices of this machine -----------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/DeviceList.h"
#include "glow/Runtime/DeviceRegistry.h"
#include <algorithm>
#include <fstream>

using namespace glow;

DeviceLists &DeviceLists::instance() {
  static DeviceLists lists;
  return lists;
}

void DeviceLists::add(std::string_view backend, DeviceLister lister) {
  std::lock_guard lock(mutex);
  listers.insert_or_assign(std::string(backend), std::move(lister));
}

/// The device that a backend without a lister has.
static Result<std::vector<ListedDevice>> opened(const std::string &backend) {
  Result<std::unique_ptr<Device>> device =
      DeviceRegistry::instance().open(backend, {});
  if (!device)
    return device.status();
  const DeviceInfo info = (*device)->info();
  ListedDevice one;
  // Its threads are of the host.
  one.name = info.threads ? processorName() : info.name;
  one.choice = "--backend=" + backend;
  one.units = info.threads;
  one.memoryBytes = info.memoryBytes;
  return std::vector{one};
}

std::vector<ListedDevice> DeviceLists::of(const std::string &backend) const {
  DeviceLister lister;
  {
    std::lock_guard lock(mutex);
    if (auto found = listers.find(backend); found != listers.end())
      lister = found->second;
  }
  Result<std::vector<ListedDevice>> found = lister ? lister() : opened(backend);
  std::vector<ListedDevice> list;
  if (found)
    list = found.take();
  else
    list.emplace_back().usable = found.status();
  for (ListedDevice &device : list)
    device.backend = backend;
  return list;
}

std::string glow::processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(':') + 2, line.size()));
  return "";
}
