//===- Listing.cpp - the GPUs of NVIDIA's driver --------------------------===//
// SPDX-License-Identifier: MIT

#include "device/Library.h"
#include "glow/Runtime/DeviceList.h"

using namespace glow;
using namespace glow::cuda;

static Result<std::vector<ListedDevice>> listDevices() {
  Result<AllDevices> all = openDevices();
  if (!all)
    return all.status();
  const Library &cuda = all->library;
  std::vector<ListedDevice> list;
  for (const FoundDevice &found : all->devices) {
    ListedDevice device;
    device.name = found.name;
    device.driver = "CUDA " + versionOf(cuda) + ", compute capability " +
                    std::to_string(found.major) + "." +
                    std::to_string(found.minor);
    device.choice = "--backend=cuda";
    if (all->devices.size() > 1)
      device.choice = "GLOW_CUDA_DEVICE=" + std::to_string(list.size()) + " " +
                      device.choice;
    device.units =
        unsigned(numberOf(cuda, found.device, driver::MultiprocessorCount));
    device.memoryBytes = found.memoryBytes;
    device.usable = checkDevice(found);
    list.push_back(std::move(device));
  }
  return list;
}

static RegisterDeviceLister registration("cuda", listDevices);
