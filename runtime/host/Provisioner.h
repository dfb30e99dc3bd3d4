//===- Provisioner.h - copies of models on devices --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_PROVISIONER_H
#define GLOW_RUNTIME_HOST_PROVISIONER_H

#include "State.h"

namespace glow::runtime {

/// Loads copies of models, checks devices, and loads lost devices again.
/// Methods are called under the lock, unless their comment says otherwise.
class Provisioner {
public:
  explicit Provisioner(Core &core) : core(core) {}

  /// Places and loads the copies of a new model; called without the lock, on a
  /// thread that may wait for devices. Model::whenLoaded receives the result.
  static void provision(const std::shared_ptr<Core> &core,
                        const std::shared_ptr<Model> &model);

  /// Removes a model in steps: its copies leave once no request waits, and each
  /// frees its memory when it runs nothing. Called again after each step.
  void leave(Model &model);
  void leaveIfIdle(const std::shared_ptr<Copy> &copy);

  /// Takes a copy back from Leaving, because requests wait for it again.
  /// Programs that a device has lost meanwhile are loaded.
  void stay(const std::shared_ptr<Copy> &copy);

  /// Frees what a copy takes on devices, once the runs on them are done.
  void removeCopy(const std::shared_ptr<Copy> &copy);

  /// A device was marked as lost: its copies wait, and a timer retries it.
  void lost(Slot &slot);

  /// The callback of Device::watch; called without the lock.
  static void stateChanged(const std::shared_ptr<Core> &core, Slot &slot);

  /// A lost device has ended all of its tasks.
  void mayRecover(Slot &slot);

  /// The run of a check is over.
  void checked(const std::shared_ptr<Run> &run);

  /// Whether a copy of a model is ready, or can still become ready.
  bool hasHope(const Model &model) const;

  /// The error for requests of a model that cannot become ready.
  Status hopeless(const Model &model) const;

private:
  /// A program to load, with the variant and part that it belongs to.
  struct Loading {
    std::shared_ptr<Copy> copy;
    size_t variant, part;
    Place &place() const { return copy->places[variant][part]; }
  };

  /// A load call on a device. A call that exceeds its time limit is given up:
  /// its result is then ignored.
  struct LoadCall {
    Slot &slot;
    std::vector<Loading> loads;
    TimerId limit = TimerId::None;
    enum { Loads, Ended, GivenUp } state = Loads;
  };
  std::shared_ptr<LoadCall>
  beginLoading(Slot &slot, std::vector<Loading> loads,
               std::function<void(const Status &)> givenUp);
  Status endLoading(LoadCall &call);

  std::vector<std::vector<Slot *>> choose(const Model &model,
                                          const std::vector<uint64_t> &free,
                                          Status &status) const;
  std::shared_ptr<Copy> makeCopy(const std::shared_ptr<Model> &model,
                                 const std::vector<Slot *> &slots);
  bool evictFor(Model &model);
  static Status loadOn(const std::vector<Loading> &loads, Device &device,
                       std::vector<ProgramId> &ids);
  static void loadCopy(const std::shared_ptr<Core> &core,
                       const std::shared_ptr<Copy> &copy);
  static void loadPartOf(const std::shared_ptr<Core> &core,
                         const std::shared_ptr<Copy> &copy, Slot &slot);
  void loadedOn(const std::shared_ptr<Copy> &copy, Slot &slot, uint64_t epoch,
                std::vector<ProgramId> ids, Status status);
  void unload(const std::shared_ptr<Device> &device,
              std::vector<ProgramId> ids);
  std::vector<Loading> loadsOf(const std::shared_ptr<Copy> &copy, Slot &slot);
  void failed(const std::shared_ptr<Copy> &copy, const Status &status);
  void modelLoaded(Model &model, Status status);
  void replace(std::shared_ptr<Model> older, std::shared_ptr<Model> newer);

  void advance(const std::shared_ptr<Copy> &copy);
  bool startCheck(const std::shared_ptr<Copy> &copy);
  void checkSlot(Slot &slot);
  void becomeGood(Slot &slot);
  static Status compareValues(const Run &run);
  void slotChecked(const Run &run, const Status &status);
  void copyChecked(const Run &run, const Status &status,
                   std::vector<Tensor> values);

  void schedule(Slot &slot);
  void failHopeless(const Slot &slot);
  static void recover(const std::shared_ptr<Core> &core, Slot &slot);

  Core &core;
};

/// Sets the canary inputs of a variant. The first variant uses the inputs that
/// the spec gives. All others are assumed constants of the program or made up.
Status makeCanaryInputs(Variant &variant, const ModelSpec &spec, bool isFirst);

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_PROVISIONER_H
