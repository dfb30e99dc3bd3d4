//===- ModelCopy.h - models, and their copies on devices -------------*- C++
//-*-===//
// SPDX-License-Identifier: MIT
//
// Plain data of the provisioner. The lock of the host guards every member.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_RUNTIME_HOST_PROVISIONER_SERVEDMODEL_H
#define GLOW_RUNTIME_HOST_PROVISIONER_SERVEDMODEL_H

#include "host/executor/Run.h"

namespace glow::runtime {

struct ModelCopy;
struct Queue;

/// A version of a model that a host serves. A model in Leaving answers its
/// requests and is then removed.
struct ServedModel {
  ModelId id;
  ModelSpec spec; ///< `programs` is empty: `variants` has them
  std::vector<std::unique_ptr<Variant>> variants; ///< in order of batch size
  bool isBatched = false;
  State<ModelState> state = ModelState::Loading;
  std::vector<std::shared_ptr<ModelCopy>> copies;
  bool isChecking = false; ///< a check of one of its copies runs
  std::function<void(Result<ModelId>)> whenLoaded;
  uint64_t evictedFor = 0; ///< the id of the model that took its memory

  // Set by the scheduler, which alone uses `queue`.
  std::shared_ptr<Queue> queue;
  size_t waiting = 0; ///< requests in the queue: the model stays for them
  TimePoint lastUse;

  /// Whether requests to its one program, of open sizes, are joined.
  bool joins() const { return !spec.batch.empty(); }

  const std::vector<Binding> &inputs() const {
    return variants.front()->program.inputs;
  }
  const std::vector<Binding> &outputs() const {
    return variants.front()->program.outputs;
  }
};

/// A copy of a model, loaded on one or more devices. Provisioner::advance moves
/// it to Ready.
struct ModelCopy : Instance {
  std::shared_ptr<ServedModel> model;
  State<CopyState> state = CopyState::Loading;
  bool isChecked = false;
  size_t nextCheck = 0; ///< the variant that is checked next
  unsigned loadsLeft = 0;

  bool isReady() const { return state == CopyState::Ready; }
};

/// A run that compares its values with those of a correct run.
struct Check final : Run {
  Check(std::shared_ptr<ModelCopy> checked, size_t variant, DeviceSlot *slot)
      : Run(checked->model->spec.name, *checked,
            *checked->model->variants[variant], variant, slot, true),
        copy(std::move(checked)) {
    sizes = code.canarySizes;
  }

  const std::shared_ptr<ModelCopy> copy;
  uint64_t epoch = 0; ///< sum of the epochs of the checked devices
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_PROVISIONER_SERVEDMODEL_H
