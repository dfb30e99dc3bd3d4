//===- Direct.cpp - requests that need no queue ---------------------------===//
// SPDX-License-Identifier: MIT
//
// A blocking run of a program of one part, on an idle host: the thread of the
// caller takes the lock, enters the device, runs, and takes the lock again. It
// makes no request, run, task or waiter, wakes no thread and takes no memory.
// The scheduler queues requests with a time limit or an observer, requests of
// batches, programs of parts, and requests for devices of another kind. After
// the loss of a device it queues the request, too.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"

using namespace glow;
using namespace glow::runtime;

/// A request that the thread of its caller runs.
struct Scheduler::DirectRequest final : DirectRun {
  std::shared_ptr<ModelCopy> copy; ///< also `instance`
};

/// Whether a model is one program that reads and writes the caller's tensors.
static bool isWhole(const ServedModel &model) {
  const Variant &variant = *model.variants.front();
  return !model.isBatched && variant.parts.size() == 1 &&
         variant.parts.front().program == &variant.program;
}

/// Takes a device for the request, and counts the request as admitted; false if
/// it has to be queued.
bool Scheduler::enter(const std::shared_ptr<ServedModel> &model,
                      DirectRequest &run) {
  if (queued || !monitor.options.queueLimit || monitor.options.hangFactor > 0 ||
      monitor.observer || !isWhole(*model) || provisioner.newerThan(*model) ||
      !checkServed(*model).ok() || !checkMemory("request", 0).ok())
    return false;
  for (const std::shared_ptr<ModelCopy> &copy : model->copies)
    if (copy->isReady() && (!run.copy || copy->slots.front()->busy() <
                                             run.copy->slots.front()->busy()))
      run.copy = copy;
  if (!run.copy)
    return false;
  const Variant &variant = *model->variants.front();
  run.instance = run.copy.get();
  run.isOpen = variant.isOpen();
  if (!executor.enter(run))
    return false;
  ModelCounters &counters = model->queue->counters;
  ++counters.admitted;
  counters.rows += uint64_t(variant.batch);
  counters.queueTime.add(Duration(0));
  model->lastUse = run.begin;
  return true;
}

void Scheduler::leave(DirectRequest &run, TimePoint end, const Status &status) {
  ServedModel &model = *run.copy->model;
  ModelCounters &counters = model.queue->counters;
  ++counters.runs;
  counters.runTime.add(end - run.begin);
  if (Executor::isLost(run)) {
    --counters.admitted; // submit() admits it again
    ++counters.again;
  } else {
    count(model, status.code());
  }
  executor.leave(run, end - run.begin, status);
}

std::optional<Status>
Scheduler::runHere(const std::shared_ptr<ServedModel> &model,
                   const Tensors &tensors, unsigned &kills) {
  DirectRequest run; // freed after the lock
  {
    std::lock_guard lock(monitor.mutex);
    if (!enter(model, run))
      return std::nullopt;
  }
  if (tensors.outputShapes)
    tensors.outputShapes->clear();
  Status status = Executor::run(run, tensors);
  if (tensors.cancelled && *tensors.cancelled)
    status = Status(Code::Cancelled, "the request was cancelled");
  const TimePoint end = monitor.workers->now();
  {
    std::lock_guard lock(monitor.mutex);
    // Nothing has to follow: no request or task waits, nothing is to be freed.
    if (!queued && run.loaded().slot->waiting.empty() && run.copy->isReady() &&
        !Executor::isLost(run)) {
      leave(run, end, status);
      return status;
    }
  }
  Monitor::Entry entry(monitor);
  DeviceSlot &slot = *run.loaded().slot;
  const bool isLost = Executor::isLost(run);
  leave(run, end, status);
  executor.wake(slot);
  provisioner.leaveIfIdle(run.copy);
  if (!isLost)
    return status;
  ++kills;
  return std::nullopt;
}
