//===- Core.h - a host, behind its lock -------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Scheduler (requests and batches) -> Provisioner (copies on devices, health)
// -> Executor (parts of runs) -> Device. One lock guards all three. Calls to
// devices and callers are made without the lock: an Entry takes the lock, and
// after it has freed the lock it makes the calls that were deferred.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_CORE_H
#define GLOW_RUNTIME_HOST_CORE_H

#include "Executor.h"
#include "Provisioner.h"
#include "Scheduler.h"
#include "State.h"
#include <optional>
#include <unordered_map>

namespace glow::runtime {

/// The state of a host. Tasks and timers hold it by weak pointers, so that a
/// late callback of a destroyed host does nothing.
class Core : public std::enable_shared_from_this<Core> {
public:
  explicit Core(HostOptions given);

  /// Holds the lock of a host. The destructor gives work to the devices that
  /// were marked dirty, frees the lock, and makes the deferred calls. An Entry
  /// must not begin inside another one of the same thread.
  class Entry {
  public:
    explicit Entry(std::shared_ptr<Core> entered);
    ~Entry();
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;

  private:
    std::shared_ptr<Core> core;
  };

  /// Defers a call until the Entry has freed the lock. It must not throw.
  void later(std::function<void()> call) { calls.push_back(std::move(call)); }

  /// Marks a device that may have free capacity or new work; the end of the
  /// Entry calls Executor::pump for it.
  void markDirty(Slot &slot);

  /// The current time. The clock is read once per Entry, because reading it
  /// takes a good part of a short run.
  TimePoint now() {
    if (!moment)
      moment = workers->now();
    return *moment;
  }
  uint64_t chance(); ///< the next number of a sequence fixed by the seed

  std::shared_ptr<Model> find(ModelId id) const;

  const HostOptions options;
  const std::shared_ptr<Workers> workers;
  const std::shared_ptr<HostMemory> memory = std::make_shared<HostMemory>();
  std::mutex mutex;   ///< the lock of the host
  std::mutex opening; ///< serialises opening devices; taken before `mutex`

  // The lock guards all members below.
  std::vector<std::unique_ptr<Slot>> slots;
  std::unordered_map<uint64_t, std::shared_ptr<Model>> models;
  std::map<std::string, std::shared_ptr<Model>, std::less<>> newest; // by name
  std::vector<std::shared_ptr<Model>> ring; ///< all models, for fair shares
  std::shared_ptr<StepObserver> observer;
  uint64_t lastModel = 0, lastSpan = 0;
  std::unordered_map<uint64_t, ModelId> replaced; ///< old id to newer version
  bool isClosed = false;

  /// The request that the thread of this Entry submits, if that thread may run
  /// a device itself. Each Entry resets it.
  const Request *here = nullptr;

  Executor executor{*this};
  Provisioner provisioner{*this};
  Scheduler scheduler{*this};

private:
  void settle();

  std::optional<TimePoint> moment; ///< the time that this Entry has read
  uint64_t random;
  std::vector<Slot *> dirty;
  std::vector<std::function<void()>> calls;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_CORE_H
