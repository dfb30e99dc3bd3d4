//===- StepRun.cpp - one run of the steps of a program --------------------===//
// SPDX-License-Identifier: MIT

#include "StepRun.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Program/StepCalls.h"
#include "glow/Program/Updates.h"
#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

using namespace glow;

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

PortTable::PortTable(const StepCode &code)
    : parts(code.ports.size()), inPlace(code.ports.size()) {
  for (uint32_t i = 0; i < code.buffers.size(); ++i)
    if (code.buffers[i].where == BufferPlace::Port)
      parts[code.buffers[i].index].push_back({i, code.buffers[i].offset});
  for (const Step &step : code.steps)
    if (step.instruction == "loop" && !step.calls.empty())
      findInPlace(code, step);
}

void PortTable::findInPlace(const StepCode &code, const Step &step) {
  const LoopOperands operands(step);
  const StepCall &call = step.calls[0];
  for (size_t i = 0; i < operands.carried(); ++i) {
    const uint32_t from = call.takes[1 + i],
                   to = call.gives[operands.going.size() + i];
    inPlace[to] = updatesInPlace(code, call, from, to);
  }
}

void StepRun::bind(uint32_t port, char *address) {
  context.bound[port] = address;
  for (const PortTable::Part &part : context.ports.of(port))
    context.views[part.buffer].data = address + part.offset;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Adds the node to the message of a failed step. For a lost device the
/// instruction and the origin of its kernel are added, too.
static Status failedAt(const Step &step, const Status &status) {
  const std::string node = "node '" + step.node + "': ";
  const std::string place(KernelRegistry::instance().placeOf(step.instruction));
  if (status.code() != Code::DeviceLost || place.empty())
    return status.prefixed(node);
  return status.prefixed(node + step.instruction + " of " + place + ": ");
}

Status StepRun::checkCancelled() const {
  if (context.cancelled && context.cancelled->load(std::memory_order_relaxed))
    return Status(Code::Cancelled, "the run was cancelled");
  return Status();
}

Status StepRun::run() {
  size_t first = 0;
  if (context.outputDone)
    for (auto [step, output] : context.lastUses) {
      if (Status status = runRange(first, step + 1 - first); !status.ok())
        return status;
      first = step + 1;
      (*context.outputDone)(output);
    }
  return runRange(first, context.code.entrySteps() - first);
}

Status StepRun::runRange(size_t first, size_t count) {
  for (size_t i = first; i < first + count; ++i) {
    Status status = checkCancelled();
    if (status.ok())
      status = runStep(i);
    if (!status.ok())
      return status;
  }
  return Status();
}

Status StepRun::runStep(size_t index) {
  const Step &step = context.code.steps[index];
  if (step.lengthFrom)
    if (Status status = context.setComputed(step); !status.ok())
      return failedAt(step, status);
  if (step.calls.empty())
    return runKernel(index);
  StepObserver *observer = context.observer;
  StepEvent event{step.node, step.instruction, {}, {}};
  event.parent = context.span;
  if (observer)
    event.begin = std::chrono::steady_clock::now();
  Status status = step.instruction == "if" ? runIf(step) : runLoop(index);
  if (observer) {
    event.end = std::chrono::steady_clock::now();
    context.operands.clear();
    for (uint32_t buffer : std::span(step.buffers).first(step.results))
      context.operands.push_back(context.views[buffer]);
    event.results = context.operands;
    observer->stepDone(event);
  }
  return status;
}

Status StepRun::runKernel(size_t index) {
  const Step &step = context.code.steps[index];
  std::vector<TensorView> &operands = context.operands;
  StepObserver *observer = context.observer;
  operands.clear();
  for (uint32_t buffer : step.buffers)
    operands.push_back(context.views[buffer]);
  // A state that is updated in place.
  if (copies(step) && operands[0].data == operands[1].data)
    return Status();
  StepEvent event{step.node, step.instruction, {}, {}};
  event.results = std::span(operands).first(
      std::min<size_t>(step.results, operands.size()));
  event.parent = context.span;
  const auto tell = [&](auto begin, auto end) {
    observer->spanDone({0, context.span, step.node, "part", begin, end});
  };
  const StepRunner::Worked worked = std::cref(tell);
  if (observer) {
    context.runner.reportWork(&worked);
    event.begin = std::chrono::steady_clock::now();
  }
  Status status = context.runner.run(index, operands);
  if (observer) {
    context.runner.reportWork(nullptr);
    event.end = std::chrono::steady_clock::now();
    observer->stepDone(event);
  }
  return status.ok() ? status : failedAt(step, status);
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

Status StepRun::runIf(const Step &step) {
  const IfOperands operands(step);
  const bool isTrue = *addressOf(operands.condition[0]) != 0;
  const StepCall &call = step.calls[isTrue ? 0 : 1];
  const BufferList captured = isTrue ? operands.captured : operands.others;
  for (size_t i = 0; i < captured.size(); ++i)
    bind(call.takes[i], addressOf(captured[i]));
  for (size_t i = 0; i < operands.values.size(); ++i)
    bind(call.gives[i], addressOf(operands.values[i]));
  return runRange(call.first, call.count);
}

static int64_t readNumber(const char *address) {
  int64_t number;
  std::memcpy(&number, address, sizeof number);
  return number;
}

/// The most trips that sizes and operands of a loop permit.
int64_t StepRun::tripLimit(size_t index) const {
  const Step &step = context.code.steps[index];
  const LoopOperands operands(step);
  if (!operands.condition.empty() && !*addressOf(operands.condition[0]))
    return 0;
  int64_t limit = std::numeric_limits<int64_t>::max();
  if (!operands.trips.empty())
    limit = readNumber(addressOf(operands.trips[0]));
  const bool isOpen = index < context.lists.size() && !step.lists.empty();
  const auto &attributes = isOpen ? context.lists[index] : step.attributes;
  for (int64_t count : std::get<Ints>(attributes[1]))
    limit = std::min(limit, count);
  for (BufferList list : {operands.sliced, operands.stacked()})
    for (uint32_t buffer : list)
      limit = std::min(limit, context.views[buffer].type->shape[0]);
  return std::max<int64_t>(limit, 0);
}

/// Whether operands of a loop permit more trips than its sizes do.
bool StepRun::mayGoOn(const LoopOperands &operands, int64_t limit) const {
  if (!operands.condition.empty() && !*addressOf(operands.condition[0]))
    return false;
  return operands.trips.empty() ||
         readNumber(addressOf(operands.trips[0])) > limit;
}

/// The address of a slice along axis 0.
char *StepRun::sliceOf(uint32_t buffer, int64_t slice) const {
  const TensorType &type = *context.views[buffer].type;
  uint64_t bytes = byteSize(type.kind);
  for (size_t axis = 1; axis < type.shape.size(); ++axis)
    bytes *= uint64_t(type.shape[axis]);
  return addressOf(buffer) + uint64_t(slice) * bytes;
}

Status StepRun::runLoop(size_t index) {
  const Step &step = context.code.steps[index];
  const LoopOperands operands(step);
  const StepCall &call = step.calls[0];
  const auto &backwards = std::get<Ints>(step.attributes[2]);
  const int64_t limit = tripLimit(index);
  const size_t carried = operands.carried(), sliced = operands.sliced.size();
  const BufferList stacked = operands.stacked();
  const std::span<const uint32_t> takes = call.takes, gives = call.gives;
  const auto slices = takes.subspan(1 + carried, sliced),
             captures = takes.subspan(1 + carried + sliced),
             results = gives.subspan(operands.going.size());

  bind(takes[0], addressOf(operands.trip[0]));
  if (!operands.going.empty())
    bind(gives[0], addressOf(operands.going[0]));
  for (size_t i = 0; i < captures.size(); ++i)
    bind(captures[i], addressOf(operands.captured[i]));
  auto moveTo = [&](size_t i, const char *from) {
    const TensorView &to = context.views[operands.values[i]];
    if (from != to.data)
      std::memcpy(to.data, from, to.type->bytes());
  };
  for (size_t i = 0; i < carried; ++i) {
    bind(takes[1 + i], addressOf(operands.initial[i]));
    if (context.ports.isInPlace(results[i])) {
      moveTo(i, context.bound[takes[1 + i]]);
      bind(takes[1 + i], addressOf(operands.values[i]));
      bind(results[i], addressOf(operands.values[i]));
    }
  }

  int64_t trip = 0;
  bool isGoing = true;
  for (; isGoing && trip < limit; ++trip) {
    if (Status status = checkCancelled(); !status.ok())
      return status;
    std::memcpy(addressOf(operands.trip[0]), &trip, sizeof trip);
    auto placeOf = [&](size_t i) {
      return backwards[i] ? limit - 1 - trip : trip;
    };
    for (size_t i = 0; i < sliced; ++i)
      bind(slices[i], sliceOf(operands.sliced[i], placeOf(i)));
    for (size_t i = 0; i < stacked.size(); ++i)
      bind(results[carried + i], sliceOf(stacked[i], placeOf(sliced + i)));
    // The last trip of all that are possible writes the result.
    const BufferList to = (limit - trip) % 2 ? operands.values : operands.next;
    for (size_t i = 0; i < carried; ++i)
      if (!context.ports.isInPlace(results[i])) {
        if (trip)
          bind(takes[1 + i], context.bound[results[i]]);
        bind(results[i], addressOf(to[i]));
      }
    if (Status status = runRange(call.first, call.count); !status.ok())
      return status;
    isGoing = operands.going.empty() || *addressOf(operands.going[0]);
  }
  if (trip == limit && isGoing && isChecked(step) && mayGoOn(operands, limit))
    return failedAt(step, failure(Code::InvalidArgument, "more trips than ",
                                  limit, ", the limit of max-iterations"));
  for (size_t i = 0; i < carried; ++i)
    moveTo(i, context.bound[trip ? results[i] : takes[1 + i]]);
  std::memcpy(addressOf(operands.done()), &trip, sizeof trip);
  return Status();
}
