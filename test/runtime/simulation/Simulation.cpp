//===- Simulation.cpp - a host in a time of its own -----------------------===//
//
// Runs a plan in three parts: the host loads and is measured; then requests and
// faults come; then all is quiet, and the host must be as it was. After every
// event what must always hold is looked at.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "glow/Runtime/Host.h"
#include "runtime/Core.h"
#include <algorithm>
#include <sstream>

using namespace simulation;
using namespace glow;
using namespace glow::runtime;

namespace glow {
class HostAccess {
public:
  static Core &core(Host &host) { return *host.core; }
};
} // namespace glow

namespace {

constexpr int64_t start = 100000, warm = 350000, quiet = 600000, last = 1000000;

TimePoint at(int64_t microseconds) {
  return TimePoint(std::chrono::microseconds(microseconds));
}

size_t kindOf(const std::string &name) { return size_t(name[0]); }

struct Asked {
  const RequestPlan *plan;
  std::string name;
  std::vector<float> x;
  TimePoint deadline = TimePoint::max();
  int answers = 0;
  bool isCancelled = false;
  RequestHandle handle;
};

class World {
public:
  explicit World(const Plan &plan)
      : plan(plan), clock(std::make_shared<Clock>(plan.seed)),
        host(optionsOf(plan)), core(HostAccess::core(host)) {
    for (size_t i = 0; i < plan.devices.size(); ++i) {
      devices.push_back(std::make_shared<simulation::Device>(
          *clock, plan.devices[i], plan.seed * 31 + i, seen, wrong));
      (void)host.addDevice(devices.back());
    }
    models.resize(plan.models.size());
  }

  std::optional<std::string> run() {
    for (size_t i = 0; i < plan.models.size(); ++i) {
      const ModelPlan &model = plan.models[i];
      int64_t time = model.time ? start + model.time : 0;
      clock->postAt(at(time), [this, i] { addModel(i); });
      if (model.leaves >= 0)
        clock->postAt(at(start + model.leaves), [this, i] {
          if (models[i])
            host.unload(*models[i]);
        });
    }
    for (const RequestPlan &request : plan.requests)
      clock->postAt(at(start + request.time),
                    [this, &request] { submit(request); });
    for (const FaultPlan &fault : plan.faults)
      clock->postAt(at(start + fault.time),
                    [this, &fault] { devices[fault.device]->fault(fault); });
    const Duration before = crowd(start / 2);
    // Shows the host what it has not seen yet: a run on each device.
    (void)crowd(warm);
    until(quiet);
    settled();
    const Duration after = crowd(quiet + 1000);
    Duration slack{0};
    for (const DevicePlan &device : plan.devices)
      slack =
          std::max<Duration>(slack, std::chrono::microseconds(device.runTime));
    if (after > before + slack)
      fail("throughput is not what it was: ", before.count(), " ns, then ",
           after.count());
    if (wrong.empty())
      return std::nullopt;
    return wrong + " (at " + std::to_string(when) + " us)";
  }

private:
  HostOptions optionsOf(const Plan &plan) {
    HostOptions options;
    options.workers = clock;
    options.queueLimit = plan.queueLimit;
    options.memoryLimit = plan.memoryLimit;
    options.hangFactor = 8;
    options.hangLeast = std::chrono::milliseconds(5);
    options.backOff = std::chrono::milliseconds(1);
    options.backOffMost = std::chrono::milliseconds(40);
    options.patience = 6;
    options.seed = plan.seed;
    return options;
  }

  template <typename... Parts> void fail(const Parts &...parts) {
    if (!wrong.empty())
      return;
    std::ostringstream text;
    (text << ... << parts);
    wrong = text.str();
  }

  void until(int64_t time) {
    while (wrong.empty() && clock->step(at(time)))
      look();
    if (when == 0 && !wrong.empty())
      when = clock->now().time_since_epoch().count() / 1000;
  }

  //===--------------------------------------------------------------------===//
  // What happens
  //===--------------------------------------------------------------------===//

  Program programOf(size_t number, int64_t batch) {
    const TensorType type{ElementKind::F32, {batch, width}};
    auto part = [&](uint64_t index, size_t inputs) {
      Program program;
      program.backend = "simulated";
      for (size_t i = 0; i < inputs; ++i)
        program.inputs.push_back({"x" + std::to_string(i), type, {}});
      program.outputs = {{"y", type, {}}};
      program.arenaBytes = 100 * uint64_t(batch);
      auto code = std::make_shared<Function>();
      code->model = kindOf(plan.models[number].name);
      code->salt = number * 10 + index;
      code->isFirst = index == 0;
      program.code = code;
      return program;
    };
    const int parts = plan.models[number].parts;
    if (parts == 1)
      return part(0, 1);
    auto code = std::make_shared<PartsCode>();
    if (parts == 2)
      code->parts = {{part(0, 1), {0}, {2}}, {part(1, 1), {2}, {1}}};
    else
      code->parts = {{part(0, 1), {0}, {2}},
                     {part(1, 1), {2}, {3}},
                     {part(2, 1), {2}, {4}},
                     {part(3, 2), {3, 4}, {1}}};
    code->between.assign(parts == 2 ? 1 : 3, type);
    Program program = part(0, 1);
    program.arenaBytes = 0;
    program.code = code;
    return program;
  }

  float expected(size_t number, float x) const {
    const uint64_t salt = number * 10;
    float first = function(salt, {x});
    if (plan.models[number].parts == 1)
      return first;
    if (plan.models[number].parts == 2)
      return function(salt + 1, {first});
    return function(salt + 3,
                    {function(salt + 1, {first}), function(salt + 2, {first})});
  }

  void addModel(size_t number) {
    const ModelPlan &model = plan.models[number];
    ModelSpec spec;
    spec.name = model.name;
    for (int64_t batch : model.batches)
      spec.programs.push_back(programOf(number, batch));
    spec.mayPad = model.mayPad;
    spec.hasCanary = model.hasCanary;
    spec.copies = model.copies;
    spec.weight = model.weight;
    spec.evictsOthers = model.evicts;
    ++loading;
    host.add(std::move(spec), [this, number](Result<ModelId> id) {
      --loading;
      if (loading < 0)
        fail("a model is said to be loaded twice");
      if (id)
        models[number] = *id;
    });
  }

  int64_t rowsFor(const RequestPlan &request) const {
    const std::vector<int64_t> &batches = plan.models[request.model].batches;
    if (batches.size() == 1)
      return batches[0];
    return plan.models[request.model].mayPad
               ? request.rows
               : batches[size_t(request.rows) % batches.size()];
  }

  void submit(const RequestPlan &request) {
    if (!models[request.model])
      return;
    const int64_t id = int64_t(asked.size()) + 1;
    asked.emplace_back(std::make_unique<Asked>());
    Asked &one = *asked.back();
    one.plan = &request;
    one.name = plan.models[request.model].name;
    seen[id].model = kindOf(one.name);
    const int64_t rows = rowsFor(request);
    Chance chance(plan.seed + uint64_t(id));
    Tensor x = Tensor::zeros({ElementKind::F32, {rows, width}}).take();
    for (int64_t row = 0; row < rows; ++row) {
      one.x.push_back(float(id));
      one.x.push_back(request.kind == RequestPlan::Bad && row == 0 ? bad
                      : request.kind == RequestPlan::Fatal && row == 0
                          ? fatal
                          : float(chance.below(60000)));
    }
    std::ranges::copy(one.x, x.elements<float>().begin());
    RequestOptions options;
    options.priority = request.priority;
    if (request.deadline)
      one.deadline = options.deadline =
          clock->now() + std::chrono::microseconds(request.deadline);
    std::vector<Tensor> inputs;
    inputs.push_back(std::move(x));
    one.handle = host.submit(
        *models[request.model], std::move(inputs), options,
        [this, &one, id](Status status, std::vector<Tensor> outputs) {
          answered(one, id, status, outputs);
        });
    if (request.cancel)
      clock->postAt(clock->now() + std::chrono::microseconds(request.cancel),
                    [this, &one] {
                      one.isCancelled = one.answers == 0;
                      host.cancel(one.handle);
                    });
  }

  /// Requests to the first model, three times as many as run at once on all
  /// devices, and the time they take.
  Duration crowd(int64_t time) {
    until(time);
    static const RequestPlan request{0, 0, 1, 0, 0, 0, RequestPlan::Right};
    const size_t first = asked.size();
    size_t count = 0;
    for (const DevicePlan &device : plan.devices)
      count += device.atOnce;
    const TimePoint begin = clock->now();
    for (int round = 0; round < 3; ++round) {
      size_t before = asked.size();
      for (size_t i = 0; i < count; ++i)
        submit(request);
      look();
      auto isDone = [&] {
        return std::all_of(asked.begin() + ptrdiff_t(before), asked.end(),
                           [](const auto &one) { return one->answers; });
      };
      while (wrong.empty() && !isDone() && clock->step(at(last)))
        look();
    }
    if (first == asked.size())
      fail("the first model is not served");
    return clock->now() - begin;
  }

  //===--------------------------------------------------------------------===//
  // What must hold
  //===--------------------------------------------------------------------===//

  void answered(Asked &one, int64_t id, const Status &status,
                const std::vector<Tensor> &outputs) {
    const Seen &history = seen[id];
    if (++one.answers > 1)
      return fail("request ", id, " is answered twice");
    if (clock->now() > one.deadline)
      return fail("request ", id, " is answered late");
    const bool isBad = one.plan->kind == RequestPlan::Bad;
    switch (status.code()) {
    case Code::Ok:
      return check(one, id, outputs);
    case Code::InvalidArgument:
      return isBad ? void()
                   : fail("request ", id, " fails as another one should");
    case Code::Cancelled:
      return one.isCancelled ? void()
                             : fail("request ", id, " is cancelled by itself");
    case Code::Deadline:
      return clock->now() == one.deadline
                 ? void()
                 : fail("request ", id, " is called late before it is");
    case Code::Poison:
      return history.starts >= 2 || hasParts(one.name)
                 ? void()
                 : fail("request ", id, " is called poison after ",
                        history.starts, " runs");
    case Code::Overloaded:
    case Code::DeviceLost:
    case Code::NotFound:
      return;
    default:
      fail("request ", id, " fails: ", status.message());
    }
  }

  /// Later parts do not show which requests they are of.
  bool hasParts(const std::string &name) const {
    return std::ranges::any_of(plan.models, [&](const ModelPlan &model) {
      return model.name == name && model.parts > 1;
    });
  }

  void check(const Asked &one, int64_t id, const std::vector<Tensor> &outputs) {
    if (one.plan->kind == RequestPlan::Bad)
      return fail("request ", id, " should fail");
    if (outputs.size() != 1 ||
        outputs[0].type().elements() != int64_t(one.x.size()))
      return fail("request ", id, " has outputs of another shape");
    auto y = outputs[0].elements<float>();
    for (size_t number = 0; number < plan.models.size(); ++number)
      if (plan.models[number].name == one.name) {
        bool isRight = true;
        for (size_t i = 0; i < one.x.size(); ++i)
          isRight &= y[i] == expected(number, one.x[i]);
        if (isRight)
          return;
      }
    fail("request ", id, " has wrong numbers");
  }

  void look() {
    size_t waiting = 0, fresh = 0;
    auto neverRan = [](const auto &entry) {
      std::weak_ptr<glow::runtime::Run> none;
      const auto &run = entry.second->run;
      return !run.owner_before(none) && !none.owner_before(run);
    };
    for (const auto &model : core.ring) {
      waiting += model->queue.size();
      fresh += size_t(std::ranges::count_if(model->queue, neverRan));
    }
    if (waiting != core.scheduler.waiting())
      fail("the queue is said to have ", core.scheduler.waiting(), ", it has ",
           waiting);
    // What was run in vain comes back to a queue that may be full.
    if (fresh > plan.queueLimit)
      fail("the queue has ", fresh, " of ", plan.queueLimit);
    if (plan.memoryLimit && core.memory->taken > plan.memoryLimit)
      fail("requests take ", core.memory->taken.load(), " of ",
           plan.memoryLimit, " bytes");
    for (size_t i = 0; i < devices.size(); ++i)
      lookAt(*core.slots[i], *devices[i]);
    for (const auto &[id, history] : seen)
      if (history.kills > 2)
        fail("request ", id, " takes a third device with it");
  }

  void lookAt(Slot &slot, simulation::Device &device) {
    if (slot.active.size() > slot.room())
      fail("a device runs more than it should");
    if (slot.state == DeviceState::Lost)
      return;
    size_t loaded = slot.stale.size();
    for (const auto &copy : slot.copies)
      for (const auto &variant : copy->places)
        for (const Place &place : variant)
          loaded += place.slot == &slot && place.state == Place::Loaded;
    // One that is dead has not been asked yet.
    if (device.programCount() > loaded)
      fail("a device has ", device.programCount(), " programs, the host knows ",
           loaded);
    if (slot.state != DeviceState::Good || !slot.active.empty() ||
        !slot.waiting.empty())
      return;
    for (const auto &copy : slot.copies)
      if (copy->state == Copy::Ready && copy->slots.front() == &slot &&
          !copy->model->queue.empty() && copy->running < copy->depth())
        fail("a device idles while work waits");
  }

  /// What must hold when all has been quiet for long.
  void settled() {
    if (!wrong.empty())
      return;
    if (loading)
      fail(loading, " models are still being loaded");
    for (size_t i = 0; i < asked.size(); ++i)
      if (!asked[i]->answers)
        fail("request ", i + 1, " is not answered");
    if (core.scheduler.waiting() || core.memory->taken)
      fail("there is something left: ", core.scheduler.waiting(), " requests, ",
           core.memory->taken.load(), " bytes");
    for (const auto &slot : core.slots)
      if (slot->state != DeviceState::Good || !slot->active.empty() ||
          !slot->waiting.empty() || !slot->lost.empty())
        fail("device ", slot->name, " is not what it was: ", name(slot->state),
             " ", slot->why, ", runs ", slot->active.size());
    for (const auto &model : core.ring)
      for (const auto &copy : model->copies)
        if (copy->state != Copy::Ready || copy->running)
          fail("a copy of ", model->spec.name, " is not ready");
    if (!host.isReady())
      fail("the host is not ready");
  }

  const Plan &plan;
  std::map<int64_t, Seen> seen;
  std::string wrong;
  int64_t when = 0;
  std::vector<std::unique_ptr<Asked>> asked;
  int loading = 0;
  std::shared_ptr<Clock> clock;
  std::vector<std::shared_ptr<simulation::Device>> devices;
  std::vector<std::optional<ModelId>> models;
  Host host;
  Core &core;
};

} // namespace

std::optional<std::string> simulation::run(const Plan &plan) {
  return World(plan).run();
}
