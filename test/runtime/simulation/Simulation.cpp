//===- Simulation.cpp - a host in a time of its own -----------------------===//
// SPDX-License-Identifier: MIT

#include "World.h"
#include <algorithm>

using namespace simulation;
using namespace glow;
using namespace glow::runtime;

static HostOptions optionsOf(const Plan &plan, std::shared_ptr<Workers> clock) {
  HostOptions options;
  options.workers = clock;
  options.queueLimit = plan.queueLimit;
  options.memoryLimit = plan.memoryLimit;
  options.hangFactor = 8;
  options.hangLeast = std::chrono::milliseconds(5);
  options.loadLimit = std::chrono::milliseconds(8);
  options.backOff = std::chrono::milliseconds(1);
  options.backOffMost = std::chrono::milliseconds(40);
  options.patience = 6;
  options.seed = plan.seed;
  return options;
}

World::World(const Plan &plan)
    : plan(plan), clock(std::make_shared<Clock>(plan.seed)),
      host(optionsOf(plan, clock)), core(HostAccess::core(host)) {
  for (size_t i = 0; i < plan.devices.size(); ++i)
    addDevice(i);
  models.resize(plan.models.size());
  clock->watch = [this] { look(); };
}

/// Delivers the host's last messages, and ends the delayed runs of devices:
/// servers wait for both. After a violation the servers stay.
World::AfterTheHost::~AfterTheHost() {
  if (!world.wrong.empty()) {
    for (const auto &server : world.servers)
      (void)new std::shared_ptr<RemoteService>(server);
    return;
  }
  while (world.clock->step(TimePoint::max()))
    ;
  for (const auto &device : world.devices)
    device->endAll();
}

void World::addDevice(size_t number) {
  const DevicePlan &device = plan.devices[number];
  devices.push_back(std::make_shared<simulation::Device>(
      *clock, device, plan.seed * 31 + number, seen, wrong));
  wires.push_back(nullptr);
  if (!device.link) {
    (void)host.addDevice(devices.back());
    return;
  }
  using std::chrono::milliseconds;
  ServerOptions server;
  server.workers = clock;
  server.lease = milliseconds(20);
  server.seed = plan.seed * 17 + number + 1;
  servers.push_back(deviceServer(devices.back(), "simulated", server));
  wires.back() = std::make_shared<Wire>(*clock, std::chrono::microseconds(1),
                                        std::chrono::microseconds(device.link),
                                        plan.seed * 13 + number);
  auto far = remoteDevice(linkOver(wires.back(), servers.back()), clock,
                          {milliseconds(10), milliseconds(10), milliseconds(10),
                           milliseconds(15), milliseconds(1)});
  if (far)
    (void)host.addDevice(far.take());
  else
    fail("no session: ", far.status().message());
}

std::optional<std::string> World::run() {
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
    clock->postAt(at(start + fault.time), [this, &fault] {
      devices[fault.device]->fault(fault);
      if (wires[fault.device])
        wires[fault.device]->fault(fault);
    });
  const Duration before = crowd(start / 2);
  // Shows the host what it has not seen yet: a run on each device.
  (void)crowd(warm);
  until(quiet);
  closeSessions();
  settled();
  const size_t first = asked.size();
  const Duration after = crowd(quiet + 1000);
  // A model that evicts others may have evicted the first one.
  if (std::ranges::none_of(plan.models, &ModelPlan::evicts) &&
      std::any_of(asked.begin() + ptrdiff_t(first), asked.end(),
                  [](const auto &one) { return one->isUnserved; }))
    fail("the first model is not served any more");
  Duration slack{0};
  // Messages of each round and part may take longer than before.
  for (const DevicePlan &device : plan.devices)
    slack = std::max<Duration>(
        slack, std::chrono::microseconds(device.runTime + 6 * device.link));
  if (after > before + slack)
    fail("throughput is not what it was: ", before.count(), " ns, then ",
         after.count());
  if (wrong.empty())
    return std::nullopt;
  return wrong + " (at " + std::to_string(when) + " us)";
}

void World::until(int64_t time) {
  while (wrong.empty() && clock->step(at(time)))
    ;
  if (when == 0 && !wrong.empty())
    when = clock->now().time_since_epoch().count() / 1000;
}

void World::addModel(size_t number) {
  const ModelPlan &model = plan.models[number];
  ModelSpec spec;
  spec.name = model.name;
  for (int64_t batch : model.batches)
    if (model.hasState)
      spec.programs.push_back(
          programWithState(kindOf(model.name), number * 10, batch));
    else if (!model.isOpen || batch == model.batches.back())
      spec.programs.push_back(programInParts(kindOf(model.name), number * 10,
                                             model.parts, batch, model.isOpen));
  spec.batch = model.isOpen ? "N" : "";
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

int64_t World::rowsFor(const RequestPlan &request) const {
  const std::vector<int64_t> &batches = plan.models[request.model].batches;
  if (batches.size() == 1)
    return batches[0];
  if (plan.models[request.model].isOpen)
    return request.rows;
  return plan.models[request.model].mayPad
             ? request.rows
             : batches[size_t(request.rows) % batches.size()];
}

/// The session of a request; null if the host opens none.
Session *World::sessionOf(const RequestPlan &request) {
  const auto key = std::pair(request.model, request.session);
  auto found = sessions.find(key);
  if (found == sessions.end()) {
    Result<HostSessionId> id = host.openSession(*models[request.model]);
    if (!id)
      return nullptr;
    found = sessions.insert({key, {*id, std::vector<float>(width)}}).first;
  }
  return &found->second;
}

void World::closeSessions() {
  for (const auto &[key, session] : sessions)
    if (Status status = host.closeSession(session.id); !status.ok())
      fail("a session cannot be closed: ", status.message());
}

void World::submit(const RequestPlan &request) {
  if (!models[request.model])
    return;
  Session *session = nullptr;
  if (plan.models[request.model].hasState)
    if (!(session = sessionOf(request)))
      return;
  const int64_t id = int64_t(asked.size()) + 1;
  asked.emplace_back(std::make_unique<Asked>());
  Asked &one = *asked.back();
  one.plan = &request;
  one.name = plan.models[request.model].name;
  seen[id].model = kindOf(one.name);
  const int64_t rows = rowsFor(request);
  // Requests of open models differ in their columns, too.
  const bool isWide = plan.models[request.model].isOpen && request.priority % 2;
  const int64_t columns = isWide ? 2 * width : width;
  Chance chance(plan.seed + uint64_t(id));
  Tensor x = Tensor::zeros({ElementKind::F32, {rows, columns}}).take();
  for (int64_t row = 0; row < rows; ++row) {
    one.x.push_back(float(id));
    one.x.push_back(request.kind == RequestPlan::Bad && row == 0 ? bad
                    : request.kind == RequestPlan::Fatal && row == 0
                        ? fatal
                        : float(chance.below(60000)));
    while (int64_t(one.x.size()) < (row + 1) * columns)
      one.x.push_back(float(chance.below(60000)));
  }
  std::ranges::copy(one.x, x.elements<float>().begin());
  RequestOptions options;
  options.priority = request.priority;
  if (request.deadline)
    one.deadline = options.deadline =
        clock->now() + std::chrono::microseconds(request.deadline);
  std::vector<Tensor> inputs;
  inputs.push_back(std::move(x));
  one.session = session;
  auto done = [this, &one, id](Status status, std::vector<Tensor> outputs) {
    answered(one, id, status, outputs);
  };
  one.handle = session ? host.submit(session->id, std::move(inputs), options,
                                     std::move(done))
                       : host.submit(*models[request.model], std::move(inputs),
                                     options, std::move(done));
  if (request.cancel)
    clock->postAt(clock->now() + std::chrono::microseconds(request.cancel),
                  [this, &one] {
                    one.isCancelled = one.answers == 0;
                    host.cancel(one.handle);
                  });
}

Duration World::crowd(int64_t time) {
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
      ;
  }
  if (first == asked.size())
    fail("the first model is not served");
  return clock->now() - begin;
}

std::optional<std::string> simulation::run(const Plan &plan) {
  return World(plan).run();
}
