//===- DeviceRegistry.h - devices by the name of their backend --*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICEREGISTRY_H
#define GLOW_RUNTIME_DEVICEREGISTRY_H

#include "glow/Runtime/Device.h"
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace glow {

/// Opens a device of one backend, or returns the reason of a failure.
using DeviceFactory =
    std::function<Result<std::unique_ptr<Device>>(const DeviceOptions &)>;

/// The device factories of backends. Any thread may use it.
class DeviceRegistry {
public:
  /// The registry of this process.
  static DeviceRegistry &instance();

  /// Adds a backend; an existing factory stays.
  void add(std::string_view backend, DeviceFactory factory);

  /// Sets the factory of a backend, overriding earlier and later calls of
  /// `add`: a stepwise backend may have a device of its own.
  void replace(std::string_view backend, DeviceFactory factory);

  /// Opens a device, on the processors of `options`. Fails with Code::NotFound,
  /// naming the known backends. Fails with Code::InvalidArgument for processors
  /// that this process may not run on. Otherwise fails as the factory does.
  Result<std::unique_ptr<Device>> open(std::string_view backend,
                                       const DeviceOptions &options) const;

  /// Records the memories of a backend's devices.
  void describe(std::string_view backend, std::vector<DeviceMemory> memories);

  /// The recorded memories; empty for an unknown backend.
  std::vector<DeviceMemory> memoriesOf(std::string_view backend) const;

  /// The known backends, in alphabetical order.
  std::vector<std::string> backends() const;

private:
  mutable std::mutex mutex;
  std::map<std::string, DeviceFactory, std::less<>> factories;
  std::map<std::string, std::vector<DeviceMemory>, std::less<>> memories;
};

/// A global of this type adds a backend before `main`, or when its library is
/// loaded. Its object file must be linked whole.
struct RegisterDevice {
  RegisterDevice(std::string_view backend, DeviceFactory factory) {
    DeviceRegistry::instance().add(backend, factory);
  }
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICEREGISTRY_H
