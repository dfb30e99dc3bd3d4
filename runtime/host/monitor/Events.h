//===- Events.h - events of a layer, to the layers above --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_MONITOR_EVENTS_H
#define GLOW_RUNTIME_HOST_MONITOR_EVENTS_H

#include "glow/Base/Status.h"
#include <memory>

namespace glow::runtime {

struct ServedModel;
struct Run;
struct DeviceSlot;

/// Events of the executor and the provisioner, which call no layer above them.
/// All are called under the lock.
class Events {
public:
  /// A device has free capacity and no task. Returns whether a run was started
  /// there.
  virtual bool onCapacity(DeviceSlot &slot) = 0;

  /// A run is over: its status is known. `killed`: a device was lost meanwhile.
  virtual void onOver(const std::shared_ptr<Run> &run, bool killed) = 0;

  /// A task of a run has ended, or its device was lost.
  virtual void onTaskEnded(const std::shared_ptr<Run> &run) = 0;

  /// A device was lost. Its runs are not over yet.
  virtual void onLost(DeviceSlot &slot) = 0;

  /// A lost device has ended all of its tasks.
  virtual void onDrained(DeviceSlot &slot) = 0;

  /// A copy of a model has become ready.
  virtual void onReady(ServedModel &model) = 0;

  /// No copy of a model can become ready. Its requests fail with `status`.
  virtual void onFailed(ServedModel &model, const Status &status) = 0;

  /// A model was removed.
  virtual void onGone(ServedModel &model) = 0;

protected:
  ~Events() = default;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_MONITOR_EVENTS_H
