//===- DeviceList.h - the devices of this machine ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_DEVICELIST_H
#define GLOW_RUNTIME_DEVICELIST_H

#include "glow/Base/Status.h"
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace glow {

/// A device that a backend finds on this machine.
struct ListedDevice {
  std::string backend;
  std::string name;         ///< of the hardware; "": unknown
  std::string driver;       ///< with its version; "": none
  std::string choice;       ///< the words by which a user chooses it
  unsigned units = 0;       ///< parts that compute at a time; 0: unknown
  uint64_t memoryBytes = 0; ///< for programs; 0: unknown
  Status usable;            ///< the reason why no program runs on it
};

/// Lists the devices of one backend, or returns why there is none.
using DeviceLister = std::function<Result<std::vector<ListedDevice>>()>;

/// The listers of backends whose devices have drivers. Any thread may use it.
class DeviceLists {
public:
  /// The lists of this process.
  static DeviceLists &instance();

  void add(std::string_view backend, DeviceLister lister);

  /// The devices of a backend. One without a lister has the device that
  /// DeviceRegistry::open opens. A backend without devices is a row that is not
  /// usable.
  std::vector<ListedDevice> of(const std::string &backend) const;

private:
  mutable std::mutex mutex;
  std::map<std::string, DeviceLister, std::less<>> listers;
};

/// A global of this type adds the lister of a backend. Its object file must be
/// linked whole.
struct RegisterDeviceLister {
  RegisterDeviceLister(std::string_view backend, DeviceLister lister) {
    DeviceLists::instance().add(backend, std::move(lister));
  }
};

/// The name of this processor; "" if the system does not have it.
std::string processorName();

} // namespace glow

#endif // GLOW_RUNTIME_DEVICELIST_H
