//===- Listing.cpp - the devices of all OpenCL platforms ------------------===//
// SPDX-License-Identifier: MIT

#include "device/Library.h"
#include "glow/Runtime/DeviceList.h"

using namespace glow;
using namespace glow::opencl;

static Result<std::vector<ListedDevice>> listDevices() {
  Result<AllDevices> all = openDevices();
  if (!all)
    return all.status();
  const Library &cl = all->library;
  std::vector<ListedDevice> list;
  for (const FoundDevice &found : all->devices) {
    ListedDevice device;
    device.name = found.name;
    device.driver = textOf(cl, found.device, CL_DEVICE_VERSION) + ", " +
                    textOf(cl, found.device, CL_DRIVER_VERSION);
    device.choice = "--backend=opencl";
    if (all->devices.size() > 1)
      device.choice = "GLOW_OPENCL_DEVICE=" + std::to_string(list.size()) +
                      " " + device.choice;
    device.units =
        numberOf<cl_uint>(cl, found.device, CL_DEVICE_MAX_COMPUTE_UNITS);
    device.memoryBytes =
        numberOf<cl_ulong>(cl, found.device, CL_DEVICE_GLOBAL_MEM_SIZE);
    device.usable = checkDevice(cl, found);
    list.push_back(std::move(device));
  }
  return list;
}

static RegisterDeviceLister registration("opencl", listDevices);
