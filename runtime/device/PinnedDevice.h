//===- PinnedDevice.h - a device on some processors -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICE_PINNEDDEVICE_H
#define GLOW_RUNTIME_DEVICE_PINNEDDEVICE_H

#include "glow/Runtime/DeviceRegistry.h"
#include "glow/Runtime/Processors.h"

namespace glow::runtime {

/// A device that runs on a thread of its own and on threads that this thread
/// starts. All of them stay on `options.processors`, and the memory that the
/// device allocates lies near to these. Fails as the factory does, and with
/// Code::InvalidArgument for processors that this process may not run on.
Result<std::unique_ptr<Device>> openPinned(const DeviceFactory &factory,
                                           const DeviceOptions &options);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_DEVICE_PINNEDDEVICE_H
