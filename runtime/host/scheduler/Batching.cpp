//===- Batching.cpp - batches of requests ---------------------------------===//
// SPDX-License-Identifier: MIT
//
// A device with free capacity takes requests of the highest priority. Among the
// models that have such requests, deficit round robin over predicted run times
// chooses one. A batch is made of waiting requests; an idle device never waits
// for more of them. All functions here run under the lock.
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// A possible next run of a model on a device.
struct Scheduler::Choice {
  std::shared_ptr<ModelCopy> copy;
  size_t variant = 0;
  std::vector<std::shared_ptr<Request>> requests;
  int64_t rows = 0;
  uint64_t bytes = 0; ///< sum of the runBytes of `requests`
  Duration cost{0};
};

/// Refuses the first requests that would be late even if they ran now, as long
/// as others wait: running them would make the others late too.
void Scheduler::shedLate(ServedModel &model, const ModelCopy &copy) {
  const TimePoint now = monitor.now();
  const auto &requests = model.queue->requests;
  while (requests.size() > 1) {
    std::shared_ptr<Request> first = requests.begin()->second;
    if (first->options.deadline == TimePoint::max() ||
        first->options.deadline - now >= copy.timeOf(0, first->runBytes))
      return;
    answer(first, Status(Code::Overloaded,
                         "the request waited too long to be done in time"));
  }
}

/// Whether no other request of its session runs, or comes before this one.
static bool isNext(const Request &request) {
  const HostSession &session = *request.session;
  return !session.holder && *session.waiting.begin() == request.key();
}

/// Fills `choice` with the run that a model would start on a device; false if
/// the model has no request, or no ready copy that begins there.
bool Scheduler::offers(ServedModel &model, DeviceSlot &slot, Choice &choice) {
  const auto &queue = model.queue->requests;
  if (queue.empty())
    return false;
  for (const std::shared_ptr<ModelCopy> &copy : model.copies)
    if (copy->state == CopyState::Ready && copy->slots.front() == &slot &&
        copy->running < copy->depth())
      choice.copy = copy;
  if (!choice.copy)
    return false;
  shedLate(model, *choice.copy);
  if (queue.empty())
    return false;
  const auto &variants = model.variants;
  auto first = queue.begin();
  const int64_t most = variants.back()->batch;
  size_t taken = 0; // the longest prefix of `requests` with an exact batch size
  for (auto entry = first; entry != queue.end(); ++entry) {
    const std::shared_ptr<Request> &request = entry->second;
    // A request of a session waits for the one before it.
    if (request->session && !isNext(*request) &&
        !mistake(Mistake::ShareStates)) {
      first = std::next(entry);
      continue;
    }
    // A request after a failure runs alone; so does a model without batches.
    if (entry != first && (request->isAlone || !model.isBatched))
      break;
    // Requests of other sizes wait for a run of their own.
    if (entry != first && model.joins() &&
        !request->sizes.equalsBut(model.spec.batch, first->second->sizes))
      continue;
    if (choice.rows + request->rows > most)
      break;
    choice.requests.push_back(request);
    choice.rows += request->rows;
    for (size_t i = 0; i < variants.size(); ++i)
      if (variants[i]->batch == choice.rows || !model.isBatched ||
          model.joins()) {
        choice.variant = i;
        taken = choice.requests.size();
      }
    if (request->isAlone)
      break;
  }
  if (choice.requests.empty())
    return false;
  // With padding the whole prefix runs, in the next larger batch.
  if (taken != choice.requests.size() && model.spec.mayPad) {
    taken = choice.requests.size();
    while (variants[choice.variant]->batch < choice.rows)
      ++choice.variant;
  }
  choice.requests.resize(taken);
  choice.rows = 0;
  for (const std::shared_ptr<Request> &request : choice.requests)
    choice.rows += request->rows, choice.bytes += request->runBytes;
  choice.cost = std::max(choice.copy->timeOf(choice.variant, choice.bytes),
                         Duration(std::chrono::microseconds(1)));
  return true;
}

/// Whether a busy device should wait for a fuller batch: as long as the
/// earliest deadline of the batch permits. Sets a timer that wakes the model in
/// time.
bool Scheduler::shouldCollect(const std::shared_ptr<ServedModel> &owner,
                              const DeviceSlot &slot, const Choice &choice) {
  ServedModel &model = *owner;
  Queue &queue = *model.queue;
  if (!model.isBatched || !slot.busy() ||
      choice.rows == model.variants.back()->batch ||
      choice.requests.front()->isAlone)
    return false;
  TimePoint oldest = TimePoint::max();
  for (const std::shared_ptr<Request> &request : choice.requests)
    oldest = std::min(oldest, request->options.deadline);
  if (oldest == TimePoint::max())
    return true;
  // Twice the predicted time, because that is a mean.
  const TimePoint until = oldest - 2 * choice.cost;
  if (until <= monitor.now())
    return false;
  if (queue.collecting != TimerId::None && queue.collectsUntil <= until)
    return true; // a timer is set early enough
  monitor.workers->cancel(queue.collecting);
  queue.collectsUntil = until;
  queue.collecting =
      monitor.postAt(until, std::weak_ptr(owner),
                     [this](const std::shared_ptr<ServedModel> &model) {
                       model->queue->collecting = TimerId::None;
                       wake(*model);
                     });
  return true;
}

bool Scheduler::feed(DeviceSlot &slot) {
  // The candidates of the highest priority, in the order of turns.
  std::vector<std::pair<ServedModel *, Choice>> all;
  int64_t best = 0;
  const std::vector<std::shared_ptr<ServedModel>> &models = provisioner.all();
  const size_t count = models.size();
  turns.resize(executor.devices().size());
  for (size_t i = 0; i < count; ++i) {
    const std::shared_ptr<ServedModel> &model =
        models[(turns[slot.index] + i) % count];
    Queue &queue = *model->queue;
    // An idle model keeps no share for later.
    if (queue.requests.empty()) {
      queue.deficit = Duration(0);
      continue;
    }
    int64_t priority = queue.requests.begin()->first.first;
    if (!all.empty() && priority > best)
      continue;
    Choice choice;
    if (!offers(*model, slot, choice) || shouldCollect(model, slot, choice))
      continue;
    priority = -int64_t(choice.requests.front()->options.priority);
    if (!all.empty() && priority > best)
      continue;
    if (!all.empty() && priority < best)
      all.clear();
    best = priority;
    all.emplace_back(model.get(), std::move(choice));
  }
  if (all.empty())
    return false;
  Duration quantum{0};
  for (const auto &[model, choice] : all)
    quantum = std::max(quantum, choice.cost);
  // Each model gains its share when the loop comes to it. The loop ends: the
  // quantum is the largest cost. A single candidate needs no fair share.
  for (size_t i = 0;; i = (i + 1) % all.size()) {
    auto &[model, choice] = all[i];
    if (all.size() > 1 && model->queue->deficit < choice.cost) {
      model->queue->deficit += quantum * model->spec.weight;
      // The next candidate is tried first; this one can run in the next round.
      continue;
    }
    if (all.size() > 1)
      model->queue->deficit -= choice.cost;
    // The model keeps its turn, as long as its deficit covers its next run.
    auto at =
        std::ranges::find(models, model, &std::shared_ptr<ServedModel>::get);
    turns[slot.index] = size_t(at - models.begin());
    begin(std::move(choice));
    return true;
  }
}

/// Moves requests from the queue into a run: Waiting becomes Running.
void Scheduler::begin(Choice choice) {
  if (choice.requests.front()->session) {
    Request &request = *choice.requests.front();
    if (Status status = bindSession(request); !status.ok())
      return answer(choice.requests.front(), std::move(status));
    choice.bytes = request.runBytes;
  }
  auto run = std::make_shared<Batch>(choice.copy, choice.variant,
                                     std::move(choice.requests));
  if (HostSession *session = run->session())
    session->holder = run.get();
  ServedModel &model = *choice.copy->model;
  run->bytes = choice.bytes;
  run->sizes = run->requests.front()->sizes;
  if (model.joins()) {
    run->rows = choice.rows;
    run->sizes.set(model.spec.batch, choice.rows);
  }
  const TimePoint now = monitor.now();
  for (const std::shared_ptr<Request> &request : run->requests) {
    remove(*request);
    request->state = RequestState::Running;
    request->run = run;
    model.queue->counters.queueTime.add(now - request->started);
    trace(*request, "queue", request->started);
  }
  model.queue->counters.rows += uint64_t(choice.rows);
  if (model.isBatched)
    model.queue->counters.padding += uint64_t(run->rows - choice.rows);
  executor.start(run);
  settled(model);
}
