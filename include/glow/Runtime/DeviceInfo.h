//===- DeviceInfo.h - what a device is, and how fast ------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_DEVICEINFO_H
#define GLOW_RUNTIME_DEVICEINFO_H

#include "glow/Base/ElementKind.h"
#include "glow/Runtime/Processors.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace glow {

/// How fast a device is, and the link between its memory and that of the host.
/// 0 is for what is not known; of a device that reads and writes tensors where
/// the host has them, the link is 0, too.
struct DeviceRates {
  /// Of factors of a kind, each with its addition; i8 is also for bytes without
  /// a sign. Kinds that are not there are not known.
  std::map<ElementKind, double> multipliesPerSecond;
  double bytesPerSecond = 0;     ///< that it reads from its memory
  double linkBytesPerSecond = 0; ///< either way
  double linkLatencySeconds = 0; ///< of a message, one way

  /// What `known` says, and of the rest what these do.
  DeviceRates overruledBy(const DeviceRates &known) const;
};

/// A memory of a chip for buffers of a run, as its backend's record has it.
struct DeviceMemory {
  std::string name;
  uint64_t bytes = 0;
};

/// What a device is.
struct DeviceInfo {
  std::string backend; ///< whose programs it runs
  std::string name;    ///< of this device among others, "" for the backend's
  unsigned programsAtOnce = 1; ///< that gain from running side by side
  unsigned programsAhead = 0;  ///< besides, which wait in it for their turn
  bool returnsAtOnce = false;  ///< `run` does not wait for the run
  bool hasBuffers = false;     ///< `allocate` gives memory
  unsigned threads = 0;     ///< of the machine, that a program runs on; 0: none
  Processors processors;    ///< that these stay on; empty: any
  uint64_t memoryBytes = 0; ///< for programs, in all; 0: not known
  DeviceRates rates;        ///< what is known without measuring
  std::vector<DeviceMemory> memories; ///< beside that; by describeDevices
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICEINFO_H
