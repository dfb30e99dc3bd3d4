//===- DeviceTable.h - table of devices and their rates ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_DEVICETABLE_H
#define GLOW_TOOLS_GLOW_REPORT_DEVICETABLE_H

#include "glow/Runtime/Devices.h"

namespace glow::tool {

/// Prints a line for each device, and writes an array of JSON, as `json` says
/// (addJsonOption). Each is opened and measured for that, one after the other.
/// Fails as `describeDevices` does, and where the file cannot be written.
Status printDevices(const std::vector<DeviceDescription> &devices,
                    const std::string &json);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_DEVICETABLE_H
