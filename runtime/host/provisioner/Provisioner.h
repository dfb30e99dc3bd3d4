//===- Provisioner.h - copies of models on devices --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_PROVISIONER_PROVISIONER_H
#define GLOW_RUNTIME_HOST_PROVISIONER_PROVISIONER_H

#include "ServedModel.h"
#include "host/executor/Executor.h"
#include <map>
#include <unordered_map>

namespace glow {
class HostAccess; // of the simulator, which inspects all members

namespace runtime {

/// Loads copies of models, checks devices, and loads lost devices again. Owns
/// models, copies, and the health of each device. Methods are called under the
/// lock, unless their comment says otherwise.
class Provisioner {
public:
  Provisioner(Monitor &monitor, Events &events, Executor &executor)
      : monitor(monitor), events(events), executor(executor) {}

  /// Adds a device, and watches it. Fails as Executor::add.
  Status add(std::unique_ptr<DeviceSlot> slot);

  /// Gives a model its id, and adds it to the host.
  void add(const std::shared_ptr<ServedModel> &model);

  /// Places and loads the copies of a new model; called without the lock, on a
  /// thread that may wait for devices. ServedModel::whenLoaded receives the
  /// result.
  void provision(const std::shared_ptr<ServedModel> &model);

  /// Removes a version. A newer version that receives its requests stays.
  void unload(ModelId id);

  /// Cancels the recovery of devices.
  void close();

  /// Frees all models, which answer no requests any more, and all devices.
  void clear();

  /// The model, or the version that has replaced it; null if there is none.
  std::shared_ptr<ServedModel> find(ModelId id) const;

  /// The version that has replaced a model; null if there is none.
  std::shared_ptr<ServedModel> newerThan(const ServedModel &model) const {
    return replaced.contains(uint64_t(model.id)) ? find(model.id) : nullptr;
  }

  /// The newest served version of a name; null if there is none.
  std::shared_ptr<ServedModel> find(std::string_view name) const;

  /// All models, in the order in which they were added.
  const std::vector<std::shared_ptr<ServedModel>> &all() const {
    return models;
  }

  /// The number of programs that are loaded on a device.
  size_t programsOn(const DeviceSlot &slot) const;

  /// Whether a copy of a model is ready, or can still become ready. If not, the
  /// error for its requests.
  Status canServe(const ServedModel &model) const;

  /// Lets a leaving model go, if there still is one: no request waits for it.
  void leave(ModelId id);

  /// Takes a copy back from Leaving, because requests wait for it again.
  /// Programs that a device has lost meanwhile are loaded.
  void stay(const std::shared_ptr<ModelCopy> &copy);

  // Events of the executor.
  void
  leaveIfIdle(const std::shared_ptr<ModelCopy> &copy); ///< after a task or run
  void checked(const std::shared_ptr<Check> &check);   ///< a check is over
  void lost(DeviceSlot &slot);
  void
  mayRecover(DeviceSlot &slot); ///< a lost device has ended all of its tasks

private:
  friend class glow::HostAccess;

  /// The state of a device that the provisioner keeps.
  ///
  /// A device goes from Good to Lost (Executor::fault), to Suspect when its
  /// programs are loaded again (recover), and to Good when all checks have
  /// passed (becomeGood).
  struct Health {
    std::vector<std::shared_ptr<ModelCopy>> copies;
    std::vector<ProgramId> stale; ///< programs loaded before the loss
    bool isRecovering = false;    ///< recover() runs
    bool waitsForRuns = false;    ///< is loaded again when `lost` is empty
    unsigned stuckLoads = 0; ///< load calls that were given up and still run
    unsigned failures = 0;   ///< consecutive losses and failed recoveries
    unsigned checksLeft = 0;
    TimerId retry = TimerId::None;
  };

  /// A program to load, with the variant and part that it belongs to.
  struct Loading {
    std::shared_ptr<ModelCopy> copy;
    size_t variant, part;
    DeviceProgram &program() const { return copy->programs[variant][part]; }
  };

  /// A load call on a device. A call that exceeds its time limit is given up:
  /// its result is then ignored.
  struct LoadCall {
    DeviceSlot &slot;
    std::vector<Loading> loads;
    TimerId limit = TimerId::None;
    enum { Loads, Ended, GivenUp } state = Loads;
  };
  std::shared_ptr<LoadCall>
  beginLoading(DeviceSlot &slot, std::vector<Loading> loads,
               std::function<void(const Status &)> givenUp);
  Status endLoading(LoadCall &call);

  std::vector<std::vector<DeviceSlot *>>
  choose(const ServedModel &model, const std::vector<uint64_t> &free,
         Status &status) const;
  std::shared_ptr<ModelCopy> makeCopy(const std::shared_ptr<ServedModel> &model,
                                      const std::vector<DeviceSlot *> &slots);
  bool evictFor(ServedModel &model);
  static Status loadOn(const std::vector<Loading> &loads, Device &device,
                       std::vector<ProgramId> &ids);
  void loadCopy(const std::shared_ptr<ModelCopy> &copy);
  void loadPartOf(const std::shared_ptr<ModelCopy> &copy, DeviceSlot &slot);
  void loadedOn(const std::shared_ptr<ModelCopy> &copy, DeviceSlot &slot,
                uint64_t epoch, std::vector<ProgramId> ids, Status status);
  void unload(const std::shared_ptr<Device> &device,
              std::vector<ProgramId> ids);
  std::vector<Loading> loadsOf(const std::shared_ptr<ModelCopy> &copy,
                               DeviceSlot &slot);
  void leave(ServedModel &model);
  void removeCopy(const std::shared_ptr<ModelCopy> &copy);
  void failed(const std::shared_ptr<ModelCopy> &copy, const Status &status);
  void modelLoaded(ServedModel &model, Status status);
  void replace(std::shared_ptr<ServedModel> older,
               std::shared_ptr<ServedModel> newer);

  void advance(const std::shared_ptr<ModelCopy> &copy);
  bool startCheck(const std::shared_ptr<ModelCopy> &copy);
  void checkSlot(DeviceSlot &slot);
  void becomeGood(DeviceSlot &slot);
  static Status compareValues(const Check &run);
  void slotChecked(const Check &check, const Status &status);
  void copyChecked(const Check &check, const Status &status,
                   std::vector<Tensor> values);

  Health &healthOf(const DeviceSlot &slot) { return health[slot.index]; }
  const Health &healthOf(const DeviceSlot &slot) const {
    return health[slot.index];
  }
  void stateChanged(DeviceSlot &slot);
  void schedule(DeviceSlot &slot);
  void failUnservable(const DeviceSlot &slot);
  void recover(DeviceSlot &slot);
  void recoverSoon(DeviceSlot &slot);

  Monitor &monitor;
  Events &events;
  Executor &executor;
  std::vector<std::shared_ptr<ServedModel>> models;
  std::unordered_map<uint64_t, std::shared_ptr<ServedModel>> byId;
  std::map<std::string, std::shared_ptr<ServedModel>, std::less<>>
      newest;                                     // by name
  std::unordered_map<uint64_t, ModelId> replaced; ///< old id to newer version
  uint64_t lastModel = 0;
  std::deque<Health> health; ///< by index of the slot
};

/// Sets the canary inputs of a variant. The first variant uses the inputs that
/// the spec gives. All others are assumed constants of the program or made up.
Status makeCanaryInputs(Variant &variant, const ModelSpec &spec, bool isFirst);

} // namespace runtime
} // namespace glow

#endif // GLOW_RUNTIME_HOST_PROVISIONER_PROVISIONER_H
