//===- Scheduler.cpp - admission, deadlines and answers -------------------===//
// SPDX-License-Identifier: MIT

#include "Scheduler.h"
#include "base/Mistake.h"
#include "glow/Program/Failure.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

static double milliseconds(Duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void glow::runtime::complete(Request &request, Status status,
                             std::vector<Tensor> outputs) {
  if (!request.done)
    return;
  auto done = std::move(request.done);
  request.done = nullptr;
  done(std::move(status), std::move(outputs));
}

/// The time until a device would begin a new request: the rest of its active
/// tasks, and the waiting requests that its copies serve.
Duration Scheduler::predictedWait(const DeviceSlot &slot) const {
  Duration wait = executor.remaining(slot);
  for (const std::shared_ptr<ServedModel> &other : provisioner.all()) {
    size_t ready = 0;
    const ModelCopy *here = nullptr;
    for (const std::shared_ptr<ModelCopy> &copy : other->copies)
      if (copy->state == CopyState::Ready) {
        ++ready;
        if (copy->slots.front() == &slot)
          here = copy.get();
      }
    const auto &requests = other->queue->requests;
    if (!here || requests.empty())
      continue;
    const size_t last = other->variants.size() - 1;
    int64_t rows = 0;
    uint64_t bytes = 0;
    for (const auto &[key, request] : requests)
      rows += request->rows, bytes += request->runBytes;
    int64_t runs = rows / std::max<int64_t>(1, other->variants[last]->batch);
    wait += here->timeOf(last, bytes / uint64_t(std::max<int64_t>(1, runs))) *
            runs / (ready * slot.capacity());
  }
  return wait;
}

Status Scheduler::checkServed(const ServedModel &model) const {
  if (monitor.isClosed || model.state != ModelState::Serving)
    return failure(Code::NotFound, "model '", model.spec.name, "' version ",
                   model.spec.version, " is not served",
                   model.evictedFor ? "; it was evicted" : "");
  return Status();
}

Status Scheduler::checkMemory(const char *what, uint64_t bytes) const {
  const uint64_t most = monitor.options.memoryLimit;
  const uint64_t taken = memory->taken;
  if (most && taken + bytes > most)
    return failureOf(Code::Overloaded,
                     {"the ", what, " takes ", std::to_string(bytes),
                      " bytes, ", std::to_string(taken), " of ",
                      std::to_string(most), " are taken"});
  return Status();
}

/// Whether a request fits into the queue, the memory and its deadline, as far
/// as measured times predict.
Status Scheduler::admit(Request &request) {
  const ServedModel &model = *request.model;
  if (Status status = checkServed(model); !status.ok())
    return status;
  const size_t limit =
      monitor.options.queueLimit + (mistake(Mistake::OneTooMany) ? 1 : 0);
  if (queued >= limit)
    return failure(Code::Overloaded, "the queue is full: ", queued, " of ",
                   monitor.options.queueLimit, " requests wait");
  if (Status status = checkMemory("request", request.bytes); !status.ok())
    return status;
  if (request.options.deadline == TimePoint::max())
    return Status();
  const TimePoint now = monitor.now();
  if (request.options.deadline <= now)
    return failure(Code::Deadline, "the deadline was ",
                   milliseconds(now - request.options.deadline),
                   " ms before the request");
  Duration best = Duration::max(), run{0};
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    if (copy->state == CopyState::Ready) {
      Duration time = copy->timeOf(0, request.runBytes);
      Duration wait = predictedWait(*copy->slots.front());
      if (wait + time < best)
        best = wait + time, run = time;
    }
  const Duration left = request.options.deadline - now;
  if (best == Duration::max() || best <= left)
    return Status();
  // A single slow measurement must not refuse requests for ever. Each refusal
  // for an idle device reduces the measured time, so that a run can renew it.
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    executor.discountTimes(*copy);
  return failure(Code::Overloaded, "the request would take ",
                 milliseconds(best), " ms, ", milliseconds(run),
                 " of them to run, and has ", milliseconds(left));
}

void Scheduler::submit(const std::shared_ptr<Request> &request) {
  // The model may have been replaced between Host::find and this Entry.
  // A session belongs to one version.
  if (std::shared_ptr<ServedModel> newer =
          provisioner.newerThan(*request->model);
      newer && !request->session)
    request->model = newer;
  ServedModel &model = *request->model;
  request->id = ++order;
  request->admitted = monitor.now();
  Status status = admit(*request);
  if (!status.ok()) {
    ++model.queue->counters.refused;
    request->state = RequestState::Answered;
    monitor.later([request, status] { complete(*request, status, {}); });
    return;
  }
  // The destructor of the request gives the bytes back.
  request->memory = memory;
  memory->taken += request->bytes;
  ++model.queue->counters.admitted;
  model.lastUse = request->admitted;
  if (request->options.deadline != TimePoint::max())
    request->timer =
        monitor.postAt(request->options.deadline, std::weak_ptr(request),
                       [this](const std::shared_ptr<Request> &late) {
                         expire(late, Code::Deadline);
                       });
  push(request);
}

/// Queues a new request, or one whose run has failed.
void Scheduler::push(const std::shared_ptr<Request> &request) {
  ServedModel &model = *request->model;
  request->state = RequestState::Waiting;
  request->started = monitor.now();
  model.queue->requests[request->key()] = request;
  if (request->session)
    request->session->waiting.insert(request->key());
  model.waiting = model.queue->requests.size();
  ++queued;
  if (Status status = provisioner.canServe(model); !status.ok())
    return failWaiting(model, status);
  wake(model);
}

void Scheduler::wake(ServedModel &model) {
  // The least busy device is marked last: Executor::settle takes the last mark
  // first.
  DeviceSlot *idle = nullptr;
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    if (copy->state == CopyState::Ready) {
      DeviceSlot &slot = *copy->slots.front();
      if (!idle || slot.busy() + slot.waiting.size() <
                       idle->busy() + idle->waiting.size())
        idle = &slot;
    }
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    if (copy->state == CopyState::Ready && copy->slots.front() != idle)
      executor.wake(*copy->slots.front());
  if (idle)
    executor.wake(*idle);
}

void Scheduler::remove(Request &request) {
  ServedModel &model = *request.model;
  queued -= model.queue->requests.erase(request.key());
  if (request.session)
    request.session->waiting.erase(request.key());
  model.waiting = model.queue->requests.size();
}

/// Counts an answer to a request.
void Scheduler::count(ServedModel &model, Code code) {
  ModelCounters &counters = model.queue->counters;
  switch (code) {
  case Code::Ok:
    ++counters.answered;
    break;
  case Code::Deadline:
    ++counters.late;
    break;
  case Code::Cancelled:
    ++counters.cancelled;
    break;
  default:
    ++counters.failed;
  }
}

/// Makes a request Answered, counts it, and calls `done` with an error after
/// the Entry. A success only counts: deliver() passes its outputs on.
void Scheduler::answer(const std::shared_ptr<Request> &request, Status status) {
  if (request->state == RequestState::Waiting) {
    remove(*request);
    // A request to another model may have waited for this one.
    if (request->session)
      wake(*request->session);
  }
  request->state = RequestState::Answered;
  monitor.workers->cancel(request->timer);
  ServedModel &model = *request->model;
  count(model, status.code());
  trace(*request, "request", request->admitted);
  if (!status.ok())
    monitor.later([request, status] { complete(*request, status, {}); });
  settled(model);
}

/// Lets a leaving model go when its queue is empty.
void Scheduler::settled(ServedModel &model) {
  if (model.state != ModelState::Leaving || model.waiting)
    return;
  // Deferred, because a caller may iterate over the models.
  monitor.later([this, id = model.id] {
    Monitor::Entry entry(monitor);
    provisioner.leave(id);
  });
}

/// Answers a request at its deadline or after a cancellation.
void Scheduler::expire(const std::shared_ptr<Request> &request, Code code) {
  if (request->state == RequestState::Answered)
    return;
  // Borrowed memory goes back to the caller only when no device touches it:
  // claim() or decide() answers the request at the end of the run.
  if (request->state == RequestState::Running && request->isBorrowed) {
    request->isCancelled |= code == Code::Cancelled;
    std::shared_ptr<Batch> run = request->run.lock();
    if (run && request->isCancelled && run->requests.size() == 1)
      executor.abandon(*run);
    return;
  }
  if (request->state == RequestState::Running && code == Code::Deadline &&
      mistake(Mistake::AnswerAfterTheRun))
    return;
  std::shared_ptr<Batch> run = request->run.lock();
  answer(request,
         code == Code::Cancelled
             ? Status(code, "the request was cancelled")
             : Status(code, "the request was not done at its deadline"));
  // The other requests of a batch still need the run.
  auto isAnswered = [](const std::shared_ptr<Request> &other) {
    return other->state == RequestState::Answered;
  };
  if (run && std::ranges::all_of(run->requests, isAnswered))
    executor.abandon(*run);
}

void Scheduler::cancel(const std::shared_ptr<Request> &request) {
  expire(request, Code::Cancelled);
}

void Scheduler::finish(const std::shared_ptr<Batch> &run, bool killed) {
  ServedModel &model = *run->copy->model;
  ++model.queue->counters.runs;
  model.queue->counters.runTime.add(monitor.now() - run->begin);
  if (run->status.ok())
    return deliver(run);
  if (!run->tasksOut)
    letGo(*run);
  if (mistake(Mistake::ForgetAfterLoss) &&
      run->status.code() == Code::DeviceLost)
    return;
  for (const std::shared_ptr<Request> &request : run->requests) {
    if (request->state != RequestState::Running)
      continue; // answered at its deadline, or cancelled
    request->kills += killed;
    if ((request->isBorrowed || request->session) && run->tasksOut)
      run->held.push_back(request);
    else
      decide(request, *run, killed);
  }
}

void Scheduler::release(const std::shared_ptr<Batch> &run) {
  letGo(*run);
  for (const std::shared_ptr<Request> &request : std::exchange(run->held, {}))
    if (request->state == RequestState::Running) // else answered meanwhile
      decide(request, *run, false);
}

/// Whether the deadline of a request has passed. The clock is read only for a
/// request that has one, because that takes a good part of a short run.
static bool isLate(const Request &request, const Workers &workers) {
  return request.options.deadline != TimePoint::max() &&
         request.options.deadline < workers.now();
}

static Status missedDeadline() {
  return Status(Code::Deadline, "the request was not done at its deadline");
}

/// Answers a request whose run failed, or queues it again.
void Scheduler::decide(const std::shared_ptr<Request> &request,
                       const Batch &run, bool killed) {
  if (request->isCancelled)
    return answer(request,
                  Status(Code::Cancelled, "the request was cancelled"));
  if (isLate(*request, *monitor.workers))
    return answer(request, missedDeadline());
  if (request->kills >= 2 && !mistake(Mistake::NeverPoison))
    return answer(
        request,
        failure(Code::Poison, "the request was run on ", request->kills,
                " devices that were lost; the last: ", run.status.message()));
  // In a batch another request may have caused the failure. Each then runs
  // alone.
  const bool isCause =
      run.requests.size() == 1 || mistake(Mistake::ShareErrors);
  if (run.status.code() != Code::DeviceLost && isCause)
    return answer(request, run.status);
  if (monitor.isClosed)
    return answer(request, run.status);
  // A leaving version keeps its copy until its requests are answered. After a
  // device loss the copy is not loaded again for them. After a failed batch it
  // stays: only a run of its own answers a request that caused no failure.
  const bool hasCopy = run.status.code() != Code::DeviceLost &&
                       run.copy->state != CopyState::Gone;
  if (hasCopy) {
    provisioner.stay(run.copy);
  } else if (request->model->state != ModelState::Serving &&
             run.copy->state != CopyState::Ready) {
    std::shared_ptr<ServedModel> newer =
        request->session ? nullptr : provisioner.find(request->model->id);
    if (!newer || newer->state != ModelState::Serving)
      return answer(request, run.status.code() == Code::DeviceLost
                                 ? run.status
                                 : Status(Code::DeviceLost,
                                          "the model's version ended before "
                                          "the request could run again"));
    request->model = newer;
  }
  request->isAlone |= run.status.code() != Code::DeviceLost || request->kills;
  ++request->model->queue->counters.again;
  push(request);
}

/// Makes a request Answered before its outputs are delivered, so that a
/// deadline timer finds it done; false if it was answered before or is late.
bool Scheduler::claim(const std::shared_ptr<Request> &request) {
  if (request->state != RequestState::Running)
    return false;
  if (request->isCancelled) {
    answer(request, Status(Code::Cancelled, "the request was cancelled"));
    return false;
  }
  if (isLate(*request, *monitor.workers) &&
      !mistake(Mistake::AnswerAfterTheRun)) {
    answer(request, missedDeadline());
    return false;
  }
  answer(request, Status());
  return true;
}

/// Corrects the counters of a request that claim() counted as answered.
void Scheduler::countAsLate(const Request &request) {
  std::lock_guard lock(monitor.mutex);
  --request.model->queue->counters.answered;
  ++request.model->queue->counters.late;
}

/// Claims the requests of a successful run under the lock; copies outputs and
/// calls `done` without it.
void Scheduler::deliver(const std::shared_ptr<Batch> &run) {
  std::vector<std::pair<std::shared_ptr<Request>, int64_t>> wanted; // and row
  int64_t row = 0;
  for (const std::shared_ptr<Request> &request : run->requests) {
    const bool isWanted = claim(request);
    if (isWanted)
      wanted.emplace_back(request, row);
    if (request->session && (isWanted || mistake(Mistake::AdvanceInVain)))
      request->states->advance(request->stateProgram);
    row += request->rows;
  }
  letGo(*run);
  monitor.later([this, run, wanted = std::move(wanted)] {
    for (const auto &[request, first] : wanted) {
      Result<std::vector<Tensor>> outputs = outputsOf(*run, *request, first);
      // A deadline may pass while the lock is freed and rows are copied.
      if (!request->session && isLate(*request, *monitor.workers) &&
          !mistake(Mistake::AnswerAfterTheRun)) {
        countAsLate(*request);
        outputs = missedDeadline();
      }
      if (outputs)
        complete(*request, Status(), outputs.take());
      else
        complete(*request, outputs.status(), {});
    }
    // Keeps the memory of the run for the next one, after all outputs are read.
    const bool isUsed =
        run->copy->model->isBatched || !run->code.between.empty();
    if (!isUsed || !run->buffers)
      return;
    std::lock_guard lock(monitor.mutex);
    if (run->copy->isReady())
      executor.keepBuffers(*run);
  });
}

void Scheduler::failWaiting(ServedModel &model, const Status &status) {
  auto requests = model.queue->requests; // a copy: answer() erases entries
  for (auto &[key, request] : requests)
    answer(request, status);
}

void Scheduler::close(const Status &status) {
  for (const std::shared_ptr<ServedModel> &model : provisioner.all()) {
    failWaiting(*model, status);
    forget(*model);
  }
  for (const std::unique_ptr<DeviceSlot> &slot : executor.devices())
    for (const std::shared_ptr<Task> &task : slot->active)
      if (!task->run->isCheck)
        for (const auto &request : static_cast<Batch &>(*task->run).requests)
          if (request->state == RequestState::Running && !request->isBorrowed)
            answer(request, status);
}

void Scheduler::forget(ServedModel &model) {
  monitor.workers->cancel(model.queue->collecting);
}

void Scheduler::trace(const Request &request, const char *category,
                      TimePoint from) {
  if (!monitor.observer)
    return;
  monitor.later([observer = monitor.observer, model = request.model,
                 id = request.id, parent = request.options.parentSpan, category,
                 from, to = monitor.now()] {
    observer->spanDone({id, parent, model->spec.name, category, from, to});
  });
}
