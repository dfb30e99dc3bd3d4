//===- Faults.cpp - devices that fail, and those that say nothing ---------===//
//
// One timer looks after all runs: it is set when a run begins that ends its
// time before the timer would, and not reset for each, so that a short run
// costs no timer.
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
  ++slot.epoch;
  ++slot.counters.faults;
  slot.checksLeft = 0;
  std::vector<std::shared_ptr<Task>> active = std::move(slot.active);
  std::deque<std::shared_ptr<Task>> waiting = std::move(slot.waiting);
  slot.active.clear();
  slot.waiting.clear();
  // First of all, so that what has to run again does not come here.
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
