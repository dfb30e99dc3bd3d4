//===- DirectDevice.h - runs on the thread of the caller --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DIRECTDEVICE_H
#define GLOW_RUNTIME_DIRECTDEVICE_H

#include "glow/Runtime/Device.h"

namespace glow {

/// A device that can run a program on the thread of the caller, from begin to
/// end. A class derives this besides Device. An idle host then needs no request
/// and no memory for a blocking run.
class DirectDevice {
public:
  /// Runs a loaded program, and returns the status that Device::run gives to
  /// `done`. It waits for capacity as Device::run does. Device::reset fails or
  /// waits while such a run is under way.
  virtual Status runHere(ProgramId program, const Tensors &tensors) = 0;

protected:
  ~DirectDevice() = default;
};

} // namespace glow

#endif // GLOW_RUNTIME_DIRECTDEVICE_H
