//===- Devices.h - the devices of a host, from a file -----------*- C++ -*-===//
//
// {"devices": [{"name": "left", "backend": "cpu", "threads": 1,
//               "memory": "2G"}, ...]}
//
// "backend" is needed. "name" is the backend and a number where it is not
// given; "threads" are of the host, as many as it has processors; "memory" is
// what programs may take, a number of bytes or a text as --memory-limit takes.
// "address" instead of these two is of a device in another process (Remote.h).
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_DEVICES_H
#define GLOW_RUNTIME_DEVICES_H

#include "glow/Runtime/Host.h"
#include <string>
#include <vector>

namespace glow {

/// A device that a host should have.
struct DeviceDescription {
  std::string name; ///< of this device among others
  std::string backend;
  DeviceOptions options;
  std::string address; ///< "grpc:HOST:PORT"; "": in this process
};

/// Reads a file of devices, at least one. Fails with Code::NotFound if it
/// cannot be read, and with Code::InvalidArgument, naming the file and the
/// place, if it is not as above: names are different, nothing is said twice,
/// nothing that is not known.
Result<std::vector<DeviceDescription>> readDevices(const std::string &path);

/// Opens the devices and gives them to the host, in their order. Fails as
/// DeviceRegistry::open or openRemoteDevice do, naming the device.
Status addDevices(Host &host, const std::vector<DeviceDescription> &devices);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICES_H
