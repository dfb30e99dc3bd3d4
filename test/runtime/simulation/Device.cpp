//===- Device.cpp - a device with planned failures ------------------------===//
// SPDX-License-Identifier: MIT

#include "Device.h"
#include <stdexcept>

using namespace simulation;
using namespace glow;

static TimePoint after(TimePoint time, int64_t microseconds) {
  return time + std::chrono::microseconds(microseconds);
}

static int64_t rowsOf(const Tensors &tensors) {
  return tensors.inputs[0].type->shape[0];
}

/// A row of the first input.
static const float *rowAt(const Tensors &tensors, int64_t row) {
  return tensors.inputs[0].as<float>() + row * tensors.inputs[0].type->shape[1];
}

namespace {
struct Buffer final : DeviceBuffer {
  std::vector<float> elements;
  uint64_t bytes() const override { return elements.size() * sizeof(float); }
};
} // namespace

DeviceInfo simulation::Device::info() const {
  DeviceInfo info;
  info.backend = "simulated";
  info.programsAtOnce = plan.atOnce;
  info.returnsAtOnce = true;
  info.hasBuffers = plan.hasBuffers;
  return info;
}

Result<std::unique_ptr<DeviceBuffer>>
simulation::Device::allocate(uint64_t bytes) {
  auto buffer = std::make_unique<Buffer>();
  buffer->elements.resize(bytes / sizeof(float));
  return std::unique_ptr<DeviceBuffer>(std::move(buffer));
}

Result<ProgramId> simulation::Device::load(const Program &program) {
  while (hangUntil > clock.now()) {
    Event isOver;
    clock.postAt(hangUntil, [&] { isOver.set(); });
    clock.wait(isOver);
  }
  if (isDead)
    return lostStatus();
  const uint64_t bytes = program.arenaBytes + program.constantBytes();
  if (noMemory > 0 || bytes > freeBytes()) {
    --noMemory;
    return Status(Code::OutOfMemory, "no memory");
  }
  taken += bytes;
  ProgramId id{++lastProgram};
  programs[id] = {std::dynamic_pointer_cast<const Function>(program.code),
                  bytes};
  return id;
}

void simulation::Device::unload(ProgramId program) {
  for (auto &[number, running] : runs)
    if (running.program == program && !running.isDead && !isMute) {
      // A server lets go of what a host does not wait for.
      running.isLeft = plan.link != 0;
      if (!running.isLeft)
        wrong = "a program is unloaded while it runs";
      return;
    }
  auto found = programs.find(program);
  if (found == programs.end())
    return;
  taken -= found->second.bytes;
  programs.erase(found);
}

/// Drops all runs. A device that cannot do so waits for their end.
Status simulation::Device::reset() {
  if (isDead && clock.now() < backAt)
    return lostStatus();
  if (!plan.resets && !isDead && !isMute && hangUntil <= clock.now())
    return Status(Code::Unsupported, "no reset");
  if (hangUntil > clock.now())
    return Status(Code::Unsupported, "it hangs");
  runs.clear();
  programs.clear();
  taken = 0;
  isDead = isMute = false;
  return Status();
}

void simulation::Device::run(ProgramId program, Tensors &tensors,
                             std::function<void(Status)> done) {
  auto found = programs.find(program);
  if (found == programs.end()) {
    if (!isDead && !plan.link)
      wrong = "a program runs that is not loaded";
    return isMute   ? keep(std::move(done))
           : isDead ? done(lostStatus())
                    : done(Status(Code::NotFound, "no such program"));
  }
  const Loaded &loaded = found->second;
  Running running{program, &tensors, std::move(done), {}};
  bool isFatal = false;
  if (loaded.code->isFirst)
    for (int64_t row = 0; row < rowsOf(tensors); ++row) {
      const float *x = rowAt(tensors, row);
      auto known = seen.find(int64_t(x[0]));
      if (known == seen.end())
        continue;
      if (known->second.model != loaded.code->model)
        wrong = "a request runs with another model";
      if (running.ids.empty() || running.ids.back() != known->first)
        running.ids.push_back(known->first);
      isFatal |= x[1] == fatal;
    }
  for (int64_t id : running.ids)
    ++seen[id].starts;
  if (isDead)
    return isMute ? keep(std::move(running.done)) : running.done(lostStatus());
  if (std::exchange(throwsNext, false)) {
    for (int64_t id : running.ids)
      ++seen[id].kills;
    isDead = true; // until it is reset
    throw std::runtime_error("a fault");
  }
  running.twice = std::exchange(twiceNext, false);
  int64_t time = plan.runTime * rowsOf(tensors);
  if (clock.now() < slowUntil)
    time *= chance.between(3, 40);
  TimePoint end = std::max(after(clock.now(), time), hangUntil);
  const uint64_t number = ++lastRun;
  runs.emplace(number, std::move(running));
  clock.postAt(end, [this, number] { finish(number); });
  if (isFatal)
    die(true);
}

void simulation::Device::compute(const Running &running, bool isWrong) {
  const Loaded &loaded = programs.at(running.program);
  const Tensors &tensors = *running.tensors;
  auto elementsOf = [&](const std::vector<TensorView> &views,
                        const std::vector<DeviceBuffer *> &buffers, size_t i) {
    if (!buffers.empty() && buffers[i])
      return static_cast<Buffer *>(buffers[i])->elements.data();
    return views[i].as<float>();
  };
  for (int64_t i = 0; i < tensors.inputs[0].type->elements(); ++i) {
    std::vector<float> inputs;
    for (size_t k = 0; k < tensors.inputs.size(); ++k)
      inputs.push_back(elementsOf(tensors.inputs, tensors.inputBuffers, k)[i]);
    float value = function(loaded.code->salt + isWrong, inputs);
    for (size_t k = 0; k < tensors.outputs.size(); ++k)
      elementsOf(tensors.outputs, tensors.outputBuffers, k)[i] = value;
  }
}

void simulation::Device::finish(uint64_t number) {
  auto found = runs.find(number);
  if (found == runs.end())
    return;
  if (hangUntil > clock.now()) {
    clock.postAt(hangUntil, [this, number] { finish(number); });
    return;
  }
  Running running = std::move(found->second);
  runs.erase(found);
  if (!programs.contains(running.program) && !running.isDead)
    return running.done(lostStatus());
  const Loaded *loaded =
      programs.contains(running.program) ? &programs[running.program] : nullptr;
  if (loaded)
    compute(running, running.isDead || clock.now() < wrongUntil);
  bool isBad = false;
  if (loaded && loaded->code->isFirst && !running.isDead)
    for (int64_t row = 0; row < rowsOf(*running.tensors); ++row)
      isBad |= rowAt(*running.tensors, row)[1] == bad;
  auto done = running.done;
  if (running.isLeft)
    unload(running.program);
  done(isBad ? Status(Code::InvalidArgument, "a bad element") : Status());
  if (running.twice)
    done(Status());
}

/// One run reports the death; the others end later, with any status.
void simulation::Device::die(bool tells) {
  isDead = true;
  isMute = !tells;
  backAt = std::max(backAt, after(clock.now(), 500));
  bool isFirst = true;
  std::vector<std::function<void(Status)>> told;
  for (auto run = runs.begin(); run != runs.end();) {
    for (int64_t id : run->second.ids)
      ++seen[id].kills;
    run->second.isDead = true;
    if (!tells || std::exchange(isFirst, false)) {
      tells ? told.push_back(run->second.done) : keep(run->second.done);
      run = runs.erase(run);
    } else {
      ++run;
    }
  }
  for (auto &done : told)
    done(lostStatus());
}

/// A server waits for an answer until its end.
void simulation::Device::keep(std::function<void(Status)> done) {
  if (plan.link)
    unanswered.push_back(std::move(done));
}

void simulation::Device::endAll() {
  for (auto &done : std::exchange(unanswered, {}))
    done(lostStatus());
}

void simulation::Device::fault(const FaultPlan &fault) {
  const TimePoint until = after(clock.now(), fault.length);
  switch (fault.kind) {
  case FaultPlan::WrongTwice:
    wrongUntil = after(until, fault.length);
    [[fallthrough]];
  case FaultPlan::Dies:
  case FaultPlan::DiesMute:
    backAt = until;
    return isDead ? void() : die(fault.kind != FaultPlan::DiesMute);
  case FaultPlan::Hangs:
    hangUntil = until;
    return;
  case FaultPlan::Slow:
    slowUntil = until;
    return;
  case FaultPlan::Throws:
    throwsNext = true;
    return;
  case FaultPlan::Twice:
    twiceNext = true;
    return;
  case FaultPlan::NoMemory:
    noMemory = 3;
    return;
  case FaultPlan::Cut:
  case FaultPlan::Breaks:
  case FaultPlan::Delays:
    return; // of its wire
  }
}
