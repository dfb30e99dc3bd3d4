//===- DeviceRegistry.cpp - devices by the name of their backend ----------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/DeviceRegistry.h"
#include "PinnedDevice.h"

using namespace glow;

DeviceRegistry &DeviceRegistry::instance() {
  // A local static: other files register before `main`, in any order.
  static DeviceRegistry registry;
  return registry;
}

void DeviceRegistry::add(std::string_view backend, DeviceFactory factory) {
  std::lock_guard lock(mutex);
  factories.emplace(backend, factory);
}

void DeviceRegistry::replace(std::string_view backend, DeviceFactory factory) {
  std::lock_guard lock(mutex);
  factories.insert_or_assign(std::string(backend), factory);
}

Result<std::unique_ptr<Device>>
DeviceRegistry::open(std::string_view backend,
                     const DeviceOptions &options) const {
  DeviceFactory factory = nullptr;
  {
    std::lock_guard lock(mutex);
    if (auto found = factories.find(backend); found != factories.end())
      factory = found->second;
  }
  // Outside the lock: opening a device may take long.
  if (factory)
    return options.processors.empty() ? factory(options)
                                      : runtime::openPinned(factory, options);
  std::string names;
  for (const std::string &name : backends())
    names += (names.empty() ? "" : ", ") + name;
  return failure(Code::NotFound, "no device is known for backend '", backend,
                 "'; there are devices for: ", names.empty() ? "none" : names);
}

void DeviceRegistry::describe(std::string_view backend,
                              std::vector<DeviceMemory> has) {
  std::lock_guard lock(mutex);
  memories.insert_or_assign(std::string(backend), std::move(has));
}

std::vector<DeviceMemory>
DeviceRegistry::memoriesOf(std::string_view backend) const {
  std::lock_guard lock(mutex);
  auto found = memories.find(backend);
  return found == memories.end() ? std::vector<DeviceMemory>() : found->second;
}

std::vector<std::string> DeviceRegistry::backends() const {
  std::lock_guard lock(mutex);
  std::vector<std::string> names;
  for (const auto &[name, factory] : factories)
    names.push_back(name);
  return names;
}
