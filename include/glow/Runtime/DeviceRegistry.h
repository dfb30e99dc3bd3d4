//===- DeviceRegistry.h - devices by the name of their backend --*- C++ -*-===//

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

/// Opens a device of one backend, or says why there is none.
using DeviceFactory =
    std::function<Result<std::unique_ptr<Device>>(const DeviceOptions &)>;

/// How to open a device of a backend. May be used from any thread.
class DeviceRegistry {
public:
  /// The registry of this process.
  static DeviceRegistry &instance();

  /// Adds a backend. One that is there already keeps its factory.
  void add(std::string_view backend, DeviceFactory factory);

  /// The same, and this is its factory, whatever was added or will be: a
  /// backend that is stepwise may have a device of its own.
  void replace(std::string_view backend, DeviceFactory factory);

  /// Opens a device, on the processors of `options`. Fails with Code::NotFound,
  /// naming the backends there are, with Code::InvalidArgument for processors
  /// that this process may not run on, or as the factory does.
  Result<std::unique_ptr<Device>> open(std::string_view backend,
                                       const DeviceOptions &options) const;

  /// Says which memories the chips of a backend have.
  void describe(std::string_view backend, std::vector<DeviceMemory> memories);

  /// What was said; nothing of a backend that is not known.
  std::vector<DeviceMemory> memoriesOf(std::string_view backend) const;

  /// In alphabetical order.
  std::vector<std::string> backends() const;

private:
  mutable std::mutex mutex;
  std::map<std::string, DeviceFactory, std::less<>> factories;
  std::map<std::string, std::vector<DeviceMemory>, std::less<>> memories;
};

/// A global of this type adds a backend before `main`, or when its library is
/// loaded. The object file that holds it must be linked whole.
struct RegisterDevice {
  RegisterDevice(std::string_view backend, DeviceFactory factory) {
    DeviceRegistry::instance().add(backend, factory);
  }
};

} // namespace glow

#endif // GLOW_RUNTIME_DEVICEREGISTRY_H
