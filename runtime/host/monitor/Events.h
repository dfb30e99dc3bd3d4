//===- Events.h - events of a layer, to the layers above --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_RUNTIME_HOST_MONITOR_EVENTS_H
#define GLOW_RUNTIME_HOST_MONITOR_EVENTS_H

#include "glow/Base/Status.h"
#include <memory>

namespace glow::runtime {

struct Model;
struct Run;
struct Slot;

/// Events of the executor and the provisioner, which call no layer above them.
/// All are called under the lock.
class Events {
public:
  /// A device has free capacity and no task. Returns whether a run was started
  /// there.
  virtual bool onCapacity(Slot &slot) = 0;

  /// A run is over: its status is known. `killed`: a device was lost meanwhile.
  virtual void onOver(const std::shared_ptr<Run> &run, bool killed) = 0;

  /// A task of a run has ended, or its device was lost.
  virtual void onTaskEnded(const std::shared_ptr<Run> &run) = 0;

  /// A device was lost. Its runs are not over yet.
  virtual void onLost(Slot &slot) = 0;

  /// A lost device has ended all of its tasks.
  virtual void onDrained(Slot &slot) = 0;

  /// A copy of a model has become ready.
  virtual void onReady(Model &model) = 0;

  /// No copy of a model can become ready. Its requests fail with `status`.
  virtual void onFailed(Model &model, const Status &status) = 0;

  /// A model was removed.
  virtual void onGone(Model &model) = 0;

protected:
  ~Events() = default;
};

} // namespace glow::runtime

#endif // GLOW_RUNTIME_HOST_MONITOR_EVENTS_H
