//===- Faults.cpp - devices that fail or hang -----------------------------===//
// SPDX-License-Identifier: MIT
//
// One watchdog timer covers all runs. A new run sets it only if its time limit
// comes before the timer, and no end of a run resets it, so that a short run
// costs no timer. All functions here run under the lock.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "base/Mistake.h"

using namespace glow;
using namespace glow::runtime;

void Executor::fault(Slot &slot, const std::string &why) {
  if (slot.state == DeviceState::Lost)
    return;
  slot.state = DeviceState::Lost;
  slot.why = why;
  ++slot.epoch; // results of older tasks are ignored from here on
  ++slot.counters.faults;
  slot.checksLeft = 0;
  std::vector<std::shared_ptr<Task>> active = std::move(slot.active);
  std::deque<std::shared_ptr<Task>> waiting = std::move(slot.waiting);
  slot.active.clear();
  slot.waiting.clear();
  // Before the runs end: the copies of this device must not be Ready when their
  // requests are queued again.
  core.provisioner.lost(slot);
  Status status(Code::DeviceLost, "device '" + slot.name + "' " + why);
  for (const std::shared_ptr<Task> &task : active) {
    slot.lost.insert(task);
    task->cancelled = true;
    end(task->run, status, task->isHanded);
    afterTask(task->run);
  }
  for (const std::shared_ptr<Task> &task : waiting) {
    end(task->run, status, false);
    afterTask(task->run);
  }
}

void Executor::forgetLost(Slot &slot) {
  for (const std::shared_ptr<Task> &task : std::exchange(slot.lost, {})) {
    task->hasEnded = true;
    --task->run->tasksOut;
    afterTask(task->run);
  }
}

/// Sets the watchdog timer to `limit`, unless it is set earlier.
void Executor::watch(TimePoint limit) {
  if (limit >= patrolTime)
    return;
  core.workers->cancel(patrolTimer);
  patrolTime = limit;
  patrolTimer = core.workers->postAt(limit, [weak = core.weak_from_this()] {
    if (std::shared_ptr<Core> core = weak.lock()) {
      Core::Entry entry(core);
      core->executor.patrol();
    }
  });
}

/// The watchdog: marks devices as lost that have a task over its limit, and
/// sets the timer to the earliest limit of the others.
void Executor::patrol() {
  patrolTime = TimePoint::max();
  patrolTimer = TimerId::None;
  const TimePoint now = core.now();
  TimePoint next = TimePoint::max();
  for (const std::unique_ptr<Slot> &slot : core.slots) {
    bool hangs = false;
    for (const std::shared_ptr<Task> &task : slot->active)
      if (task->limit <= now)
        hangs = true;
      else
        next = std::min(next, task->limit);
    if (hangs)
      fault(*slot, "did not end a run in its time");
  }
  if (next != TimePoint::max())
    watch(next);
}
