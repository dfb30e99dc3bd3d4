//===- Devices.h - the devices of a host, from a file -----------*- C++ -*-===//
//
// {"devices": [{"name": "left", "backend": "cpu", "threads": 1,
//               "memory": "2G"}, ...]}
//
// "backend" is needed. "name" is the backend and a number where it is not
// given; "threads" are of the host, as many as processors; "processors" are
// those on which it stays, as "0-3,8"; "memory" is what programs may take, a
// number of bytes or a text as --memory-limit takes. "address" instead of these
// three is of a device in another process (Remote.h).
// "compute", "bandwidth" and "link": {"bandwidth", "latency"} say how fast the
// device is (DeviceRates), where it is not to be measured: multiplications of
// f32, and bytes, a second; the latency in seconds. {"f32": ..., "i8": ...} in
// the place of the first is by kinds.
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
  DeviceRates rates;   ///< as the file says them
};

/// Reads a file of devices, at least one. Fails with Code::NotFound if it
/// cannot be read, and with Code::InvalidArgument, naming the file and the
/// place, if it is not as above: names are different, nothing is said twice,
/// nothing that is not known.
Result<std::vector<DeviceDescription>> readDevices(const std::string &path);

/// The devices of this machine, of each backend that is known and has one here.
/// A backend that would use all processors has a device for each group of them,
/// with an equal part of its memory.
std::vector<DeviceDescription> findDevices(GroupBy what);

/// What a user says: "found", "found:nodes" and "found:cores" for the devices
/// that are found, without a word by nodes; else a file, of which "./found" is
/// one. Fails as `readDevices` does.
Result<std::vector<DeviceDescription>> devicesNamed(const std::string &text);

/// Opens the devices and gives them to the host, in their order. Fails as
/// DeviceRegistry::open or openRemoteDevice do, naming the device.
Status addDevices(Host &host, const std::vector<DeviceDescription> &devices);

/// What the devices are, in their order, each of which is opened for that: the
/// file's word on rates counts, then what is measured, if it `measures`, then
/// what the device knows without. Fails as `addDevices` does.
Result<std::vector<DeviceInfo>>
describeDevices(const std::vector<DeviceDescription> &devices, bool measures);

} // namespace glow

#endif // GLOW_RUNTIME_DEVICES_H
