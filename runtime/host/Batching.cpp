//===- Batching.cpp - which requests run next, and together ---------------===//
//
// A device that has room takes, of the requests with the highest priority,
// those of the model whose turn it is: deficit round robin over predicted
// times. A batch is what waits; a device that is idle never waits for more.
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "base/Mistake.h"
#include <algorithm>

using namespace glow;
using namespace glow::runtime;

/// What a model would run on a device.
struct Scheduler::Choice {
  std::shared_ptr<Copy> copy;
  size_t variant = 0;
  std::vector<std::shared_ptr<Request>> requests;
  int64_t rows = 0;
  Duration cost{0};
};

/// Refuses what would be late if it ran now, as long as others wait: to run it
/// would make them late too.
void Scheduler::dropHopeless(Model &model, Duration time) {
  const TimePoint now = core.now();
  while (model.queue.size() > 1) {
    std::shared_ptr<Request> first = model.queue.begin()->second;
    if (first->options.deadline == TimePoint::max() ||
        first->options.deadline - now >= time)
      return;
    answer(first, Status(Code::Overloaded,
                         "the request waited too long to be done in time"));
  }
}

bool Scheduler::offers(Model &model, Slot &slot, Choice &choice) {
  if (model.queue.empty())
    return false;
  for (const std::shared_ptr<Copy> &copy : model.copies)
    if (copy->state == Copy::Ready && copy->slots.front() == &slot &&
        copy->running < copy->depth())
      choice.copy = copy;
  if (!choice.copy)
    return false;
  dropHopeless(model, choice.copy->timeOf(0));
  if (model.queue.empty())
    return false;
  const auto &variants = model.variants;
  auto first = model.queue.begin();
  const int64_t most = variants.back()->batch;
  size_t taken = 0; // of `requests`, with those of an exact size
  for (auto entry = first; entry != model.queue.end(); ++entry) {
    const std::shared_ptr<Request> &request = entry->second;
    // What may be fatal runs alone; so does a model without batches.
    if (entry != first && (request->isAlone || !model.isBatched))
      break;
    if (choice.rows + request->rows > most)
      break;
    choice.requests.push_back(request);
    choice.rows += request->rows;
    for (size_t i = 0; i < variants.size(); ++i)
      if (variants[i]->batch == choice.rows || !model.isBatched) {
        choice.variant = i;
        taken = choice.requests.size();
      }
    if (request->isAlone)
      break;
  }
  if (taken != choice.requests.size() && model.spec.mayPad) {
    taken = choice.requests.size();
    while (variants[choice.variant]->batch < choice.rows)
      ++choice.variant;
  }
  choice.requests.resize(taken);
  choice.rows = 0;
  for (const std::shared_ptr<Request> &request : choice.requests)
    choice.rows += request->rows;
  choice.cost = std::max(choice.copy->timeOf(choice.variant),
                         Duration(std::chrono::microseconds(1)));
  return true;
}

/// Whether a device that already runs something should wait for a fuller batch:
/// as long as the oldest deadline can afford it.
bool Scheduler::shouldCollect(Model &model, const Slot &slot,
                              const Choice &choice) {
  if (!model.isBatched || slot.active.empty() ||
      choice.rows == model.variants.back()->batch ||
      choice.requests.front()->isAlone)
    return false;
  TimePoint oldest = TimePoint::max();
  for (const std::shared_ptr<Request> &request : choice.requests)
    oldest = std::min(oldest, request->options.deadline);
  if (oldest == TimePoint::max())
    return true;
  // Twice the time, as what is predicted is a mean.
  const TimePoint until = oldest - 2 * choice.cost;
  if (until <= core.now())
    return false;
  if (model.collecting != TimerId::None && model.collectsUntil <= until)
    return true;
  core.workers->cancel(model.collecting);
  model.collectsUntil = until;
  model.collecting =
      core.workers->postAt(until, [weak = core.weak_from_this(),
                                   which = std::weak_ptr(core.find(model.id))] {
        std::shared_ptr<Core> core = weak.lock();
        std::shared_ptr<Model> model = which.lock();
        if (!core || !model)
          return;
        Core::Entry entry(core);
        model->collecting = TimerId::None;
        core->scheduler.wake(*model);
      });
  return true;
}

bool Scheduler::feed(Slot &slot) {
  std::vector<std::pair<Model *, Choice>> all;
  int64_t best = 0;
  const size_t count = core.ring.size();
  for (size_t i = 0; i < count; ++i) {
    Model &model = *core.ring[(slot.turn + i) % count];
    // A fair share needs no comparison where there is one model.
    if (model.queue.empty()) {
      model.deficit = Duration(0);
      continue;
    }
    int64_t place = model.queue.begin()->first.first;
    if (!all.empty() && place > best)
      continue;
    Choice choice;
    if (!offers(model, slot, choice) || shouldCollect(model, slot, choice))
      continue;
    if (!all.empty() && place < best)
      all.clear();
    best = place;
    all.emplace_back(&model, std::move(choice));
  }
  if (all.empty())
    return false;
  Duration quantum{0};
  for (const auto &[model, choice] : all)
    quantum = std::max(quantum, choice.cost);
  // Those whose turn it is not yet get their share when it comes.
  for (size_t i = 0;; i = (i + 1) % all.size()) {
    auto &[model, choice] = all[i];
    if (all.size() > 1 && model->deficit < choice.cost) {
      model->deficit += quantum * model->spec.weight;
      // The model after this one is next, unless it can go on.
      continue;
    }
    if (all.size() > 1)
      model->deficit -= choice.cost;
    auto at = std::ranges::find(core.ring, model, &std::shared_ptr<Model>::get);
    slot.turn = size_t(at - core.ring.begin());
    begin(std::move(choice));
    return true;
  }
}

void Scheduler::begin(Choice choice) {
  auto run = std::make_shared<Run>();
  run->copy = choice.copy;
  run->variant = choice.variant;
  run->requests = std::move(choice.requests);
  Model &model = *choice.copy->model;
  const TimePoint now = core.now();
  for (const std::shared_ptr<Request> &request : run->requests) {
    remove(*request);
    request->state = Request::Running;
    request->run = run;
    model.counters.queueTime.add(now - request->started);
    trace(*request, "queue", request->started);
  }
  model.counters.rows += uint64_t(choice.rows);
  if (model.isBatched)
    model.counters.padding +=
        uint64_t(model.variants[choice.variant]->batch - choice.rows);
  core.executor.start(run);
  settled(model);
}
