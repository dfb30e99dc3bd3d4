//===- DeviceInfo.h - properties and speed of a device ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICEINFO_H
#define GLOW_RUNTIME_DEVICEINFO_H

#include "glow/Base/ElementKind.h"
#include "glow/Runtime/Processors.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glow {

/// Speed of a device, and of the link between its memory and the host's. 0
/// means unknown. The link of a device that accesses tensors in the host's
/// memory is 0, too.
struct DeviceRates {
  /// Multiply-add operations on factors of a kind; i8 also stands for u8.
  /// Missing kinds are unknown.
  std::map<ElementKind, double> multipliesPerSecond;
  double bytesPerSecond = 0;     ///< reads from its own memory
  double linkBytesPerSecond = 0; ///< either way
  double linkLatencySeconds = 0; ///< one way, for a message

  /// The rates of `known`, completed by these rates.
  DeviceRates overruledBy(const DeviceRates &known) const;
};

/// A memory of a device for buffers of a run, from its backend's record.
struct DeviceMemory {
  std::string name;
  uint64_t bytes = 0;
};

/// Properties of a device.
struct DeviceInfo {
  std::string backend;         ///< backend of the programs that it runs
  std::string name;            ///< name among devices, "" for the backend's
  unsigned programsAtOnce = 1; ///< useful number of concurrent programs
  unsigned programsAhead = 0;  ///< additional programs, queued in the device
  bool returnsAtOnce = false;  ///< `run` does not wait for the end of the run
  bool hasBuffers = false;     ///< `allocate` is supported
  unsigned threads = 0;        ///< threads of the host for a program; 0: none
  Processors processors;       ///< processors of these threads; empty: any
  uint64_t memoryBytes = 0;    ///< total for programs; 0: unknown
  DeviceRates rates;           ///< known without measuring
  std::vector<DeviceMemory> memories; ///< additional memories; by
                                      ///< describeDevices
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICEINFO_H
