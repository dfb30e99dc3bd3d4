//===- Devices.h - the devices of a host, from a file -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// {"devices": [{"name": "left", "backend": "cpu", "threads": 1,
//               "memory": "2G"}, ...]}
//
// "backend" is required. "name" defaults to the backend and a number. "threads"
// are of the host and default to the number of processors. "processors" is the
// set for the device's threads, such as "0-3,8". "memory" is the limit for
// programs, a number of bytes or a text as in --memory-limit. "address", in
// place of the last three, names a device in another process (Remote.h).
//
// "compute", "bandwidth" and "link": {"bandwidth", "latency"} give the speed of
// the device (DeviceRates), in place of a measurement: multiplications of f32
// and bytes, a second; the latency in seconds. {"f32": ..., "i8": ...} gives
// "compute" by kind.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_DEVICES_H
#define GLOW_RUNTIME_DEVICES_H

#include "glow/Runtime/Host.h"
#include <string>
#include <vector>

namespace glow {

/// A device to be added to a host.
struct DeviceDescription {
  std::string name; ///< name among the devices
  std::string backend;
  DeviceOptions options;
  std::string address; ///< "grpc:HOST:PORT"; "": in this process
  DeviceRates rates;   ///< from the file
};

/// Reads a file with at least one device. Fails with Code::NotFound if it
/// cannot be read. Fails with Code::InvalidArgument, naming the file and the
/// location, if it does not have the form above: names must be distinct, and
/// members must be known and not repeated.
Result<std::vector<DeviceDescription>> readDevices(const std::string &path);

/// The devices of this machine, for each known backend with devices here. A
/// backend that would use all processors gets a device for each group of
/// processors, with an equal part of its memory.
std::vector<DeviceDescription> findDevices(GroupBy what);

/// The devices that a user names. "found", "found:nodes" and "found:cores" are
/// the devices of this machine; "found" groups by nodes. Any other text is a
/// file, also "./found". Fails as `readDevices` does.
Result<std::vector<DeviceDescription>> devicesNamed(const std::string &text);

/// Opens the devices and adds them to the host, in their order. Fails as
/// DeviceRegistry::open or openRemoteDevice do, naming the device.
Status addDevices(Host &host, const std::vector<DeviceDescription> &devices);

/// The properties of the devices, in their order; each is opened for that. The
/// rates of the file take precedence, then measurements, if `measures` is set,
/// then the rates that the device knows by itself. Fails as `addDevices` does.
Result<std::vector<DeviceInfo>>
describeDevices(const std::vector<DeviceDescription> &devices, bool measures);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICES_H
