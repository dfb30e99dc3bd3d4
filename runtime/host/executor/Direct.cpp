//===- Direct.cpp - runs on the threads of callers ------------------------===//
// SPDX-License-Identifier: MIT
//
// A direct run has no task: the thread of the caller is in the device until the
// run ends. A loss of the device leaves the run in DeviceSlot::direct, and its
// result is ignored. The device counts as busy until the thread has left it.
//
//===----------------------------------------------------------------------===//

#include "Executor.h"

using namespace glow;
using namespace glow::runtime;

bool Executor::enter(DirectRun &run) {
  const DeviceProgram &program = run.loaded();
  DeviceSlot &slot = *program.slot;
  if (!slot.onCaller || slot.state != DeviceState::Good ||
      program.state != ProgramState::Loaded || !slot.waiting.empty() ||
      slot.busy() >= slot.capacity() ||
      run.instance->running >= run.instance->depth())
    return false;
  run.device = slot.onCaller;
  run.program = program.id;
  run.epoch = slot.epoch;
  // Not that of the monitor, which is the time of the last Entry.
  run.begin = monitor.workers->now();
  slot.direct.push_back(&run);
  ++run.instance->running;
  return true;
}

Status Executor::run(DirectRun &run, const Tensors &tensors) {
  Status status;
  try {
    status = run.device->runHere(run.program, tensors);
    if (status.code() == Code::DeviceLost)
      run.fault = "was lost: " + status.message();
  } catch (const std::exception &error) {
    run.fault = std::string("threw: ") + error.what();
  } catch (...) {
    run.fault = "threw: something without a message";
  }
  return status;
}

bool Executor::isLost(const DirectRun &run) {
  return !run.fault.empty() || run.epoch != run.loaded().slot->epoch;
}

void Executor::leave(DirectRun &run, Duration time, const Status &status) {
  DeviceProgram &program = run.loaded();
  DeviceSlot &slot = *program.slot;
  std::erase(slot.direct, &run);
  --run.instance->running;
  if (!isLost(run)) {
    if (status.ok()) {
      measure(program, time);
      if (run.isOpen)
        program.line.add(0, double(time.count()));
      else
        program.add(time);
    }
    return;
  }
  if (run.epoch == slot.epoch)
    fault(slot, run.fault);
  // The last thread has left a device that is to be loaded again.
  else if (slot.direct.empty() && slot.lost.empty())
    events.onDrained(slot);
}
