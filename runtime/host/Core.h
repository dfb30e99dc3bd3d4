//===- Core.h - a host, behind its lock -------------------------*- C++ -*-===//
//
// Scheduler (requests and batches) -> Provisioner (copies on devices, health)
// -> Executor (parts of runs) -> Device. One lock guards all three. What they
// call outside - devices, answers - is called when it is free: an Entry takes
// it, and makes at its end the calls that were left for later.
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

class Core : public std::enable_shared_from_this<Core> {
public:
  explicit Core(HostOptions given);

  /// Holds the lock of a host. At its end devices that may have become free are
  /// given work, the lock is freed, and calls are made.
  class Entry {
  public:
    explicit Entry(std::shared_ptr<Core> entered);
    ~Entry();
    Entry(const Entry &) = delete;
    Entry &operator=(const Entry &) = delete;

  private:
    std::shared_ptr<Core> core;
  };

  /// Leaves a call for when the lock is free. It must not throw.
  void later(std::function<void()> call) { calls.push_back(std::move(call)); }

  /// Says that a device may have room, or something to do.
  void markDirty(Slot &slot);

  /// The time, read once for all that an Entry does: to read it takes a good
  /// part of a short run.
  TimePoint now() {
    if (!moment)
      moment = workers->now();
    return *moment;
  }
  uint64_t chance(); ///< the next of a sequence that the seed decides

  std::shared_ptr<Model> find(ModelId id) const;

  const HostOptions options;
  const std::shared_ptr<Workers> workers;
  const std::shared_ptr<HostMemory> memory = std::make_shared<HostMemory>();
  std::mutex mutex;
  std::mutex opening; ///< of devices, one at a time; taken before the other

  // What follows is guarded by the lock.
  std::vector<std::unique_ptr<Slot>> slots;
  std::unordered_map<uint64_t, std::shared_ptr<Model>> models;
  std::map<std::string, std::shared_ptr<Model>, std::less<>> newest; // by name
  std::vector<std::shared_ptr<Model>> ring; ///< of models, for fair shares
  std::shared_ptr<StepObserver> observer;
  uint64_t lastModel = 0, lastSpan = 0;
  std::unordered_map<uint64_t, ModelId> replaced; ///< by newer versions
  bool isClosed = false;

  /// The request whose caller's thread is in an Entry and may run a device.
  const Request *here = nullptr;

  Executor executor{*this};
  Provisioner provisioner{*this};
  Scheduler scheduler{*this};

private:
  void settle();

  std::optional<TimePoint> moment; ///< of the Entry
  uint64_t random;
  std::vector<Slot *> dirty;
  std::vector<std::function<void()>> calls;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_CORE_H
