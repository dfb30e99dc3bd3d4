//===- Plan.cpp - events of a simulation ----------------------------------===//
// SPDX-License-Identifier: MIT

#include "Plan.h"
#include "Clock.h"
#include <algorithm>
#include <sstream>

using namespace simulation;

/// The first model is never replaced and is on all devices: it measures.
static ModelPlan probe() {
  return {"probe", {1}, false, true, false, 0, 1, 1, 0, -1};
}

static ModelPlan modelOf(Chance &chance, size_t devices, int64_t time) {
  ModelPlan model = probe();
  model.name = chance.percent(50) ? "a" : "b";
  model.batches = chance.percent(40)   ? std::vector<int64_t>{1}
                  : chance.percent(50) ? std::vector<int64_t>{1, 2, 4}
                                       : std::vector<int64_t>{2, 8};
  model.mayPad = chance.percent(60);
  model.copies = unsigned(chance.below(int64_t(devices) + 1));
  model.weight = unsigned(chance.between(1, 3));
  model.parts = chance.percent(60) ? 1 : chance.percent(50) ? 2 : 4;
  if (model.parts > 1)
    model.copies = 1;
  model.time = time;
  model.evicts = chance.percent(20);
  model.leaves = chance.percent(15) ? time + chance.between(20000, 80000) : -1;
  return model;
}

static RequestPlan requestOf(Chance &chance, size_t models) {
  RequestPlan request{};
  request.time = chance.between(10000, 100000);
  request.model = size_t(chance.below(int64_t(models)));
  request.rows = chance.between(1, 4);
  if (chance.percent(40))
    request.deadline = chance.between(200, 20000);
  if (chance.percent(10))
    request.cancel = chance.between(0, 5000);
  request.priority = int(chance.below(3));
  request.kind = chance.percent(4)   ? RequestPlan::Bad
                 : chance.percent(1) ? RequestPlan::Fatal
                                     : RequestPlan::Right;
  return request;
}

Plan simulation::planOf(uint64_t seed) {
  Chance chance(seed * 0x2545f4914f6cdd1d + 1);
  Plan plan{};
  plan.seed = seed;
  plan.queueLimit = size_t(chance.between(8, 60));
  plan.memoryLimit =
      chance.percent(30) ? uint64_t(chance.between(500, 4000)) : 0;
  const int64_t devices = chance.between(1, 4);
  for (int64_t i = 0; i < devices; ++i)
    plan.devices.push_back({unsigned(chance.between(1, 2)), chance.percent(50),
                            chance.percent(70), chance.between(50, 800),
                            uint64_t(chance.between(2000, 6000)),
                            chance.percent(30) ? chance.between(10, 200) : 0});
  plan.models.push_back(probe());
  for (int64_t i = chance.below(4); i > 0; --i)
    plan.models.push_back(
        modelOf(chance, size_t(devices),
                // Later ones start after the first one, which has memory then.
                chance.percent(60) ? 2000 : chance.between(10000, 60000)));
  // Another sequence of numbers: the rest of a seed's plan stays as it is.
  Chance open(seed * 0x9fb21c651e98df25 + 3);
  for (ModelPlan &model : plan.models)
    model.isOpen = open.percent(40) && model.batches.size() > 1;
  Chance states(seed * 0xd6e8feb86659fd93 + 5);
  for (ModelPlan &model : plan.models)
    model.hasState = &model != plan.models.data() &&
                     model.batches.size() == 1 && model.parts == 1 &&
                     states.percent(60);
  const int64_t requests = chance.between(10, 70);
  // Some come in a crowd.
  const int64_t crowd = chance.between(10000, 90000);
  for (int64_t i = 0; i < requests; ++i) {
    plan.requests.push_back(requestOf(chance, plan.models.size()));
    if (chance.percent(40))
      plan.requests.back().time = crowd + chance.below(300);
    plan.requests.back().session = int(states.below(3));
  }
  const int64_t faults = chance.below(9);
  for (int64_t i = 0; i < faults; ++i) {
    const size_t device = size_t(chance.below(devices));
    const int64_t kinds = plan.devices[device].link ? 11 : 8;
    plan.faults.push_back({chance.percent(50) ? crowd + chance.below(2000)
                                              : chance.between(10000, 100000),
                           device, FaultPlan::Kind(chance.below(kinds)),
                           chance.between(1000, 50000)});
  }
  // An evicted canary cannot show that its device is wrong.
  if (std::ranges::any_of(plan.faults, [](const FaultPlan &fault) {
        return fault.kind == FaultPlan::WrongTwice;
      }))
    for (ModelPlan &model : plan.models)
      model.evicts = false;
  return plan;
}

/// Leaves out as many of `items` as can be, in pieces that become smaller.
template <typename Item>
static void shrinkList(Plan &plan, std::vector<Item> Plan::*list,
                       size_t first) {
  for (size_t piece = (plan.*list).size(); piece >= 1; piece /= 2)
    for (size_t i = first; i + piece <= (plan.*list).size();) {
      Plan less = plan;
      auto at = (less.*list).begin() + ptrdiff_t(i);
      (less.*list).erase(at, at + ptrdiff_t(piece));
      if (run(less))
        plan = less;
      else
        i += piece;
    }
}

Plan simulation::shrink(Plan plan) {
  shrinkList(plan, &Plan::faults, 0);
  shrinkList(plan, &Plan::requests, 0);
  shrinkList(plan, &Plan::faults, 0);
  return plan;
}

std::string simulation::text(const Plan &plan) {
  static const char *kinds[] = {"dies",   "dies mute", "hangs",     "slow",
                                "throws", "twice",     "no memory", "wrong",
                                "is cut", "breaks",    "delays"};
  std::ostringstream lines;
  for (const DevicePlan &device : plan.devices)
    lines << "  device: " << device.atOnce << " at once, " << device.runTime
          << " us a row, " << device.memory << " bytes"
          << (device.hasBuffers ? ", buffers" : "")
          << (device.resets ? ", resets" : "")
          << (device.link ? ", behind a link" : "") << "\n";
  for (const ModelPlan &model : plan.models)
    lines << "  model " << model.name << " at " << model.time << ", "
          << model.batches.size() << (model.isOpen ? " open" : "")
          << (model.hasState ? " with a state" : "") << " sizes, "
          << model.parts << " parts, " << model.copies << " copies\n";
  for (const RequestPlan &request : plan.requests)
    lines << "  request at " << request.time << " for model " << request.model
          << ", " << request.rows << " rows, session " << request.session
          << ", deadline " << request.deadline << ", cancel " << request.cancel
          << ", kind " << request.kind << "\n";
  for (const FaultPlan &fault : plan.faults)
    lines << "  fault at " << fault.time << " of device " << fault.device
          << ": " << kinds[fault.kind] << " for " << fault.length << "\n";
  return lines.str();
}
