//===- Calls.cpp - steps that call functions ------------------------------===//
// SPDX-License-Identifier: MIT
//
// A program may come from a file. After these checks a device binds ports to
// buffers without another one: each port has the type of what is bound to it,
// and calls form a tree.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "glow/Program/StepCalls.h"
#include <algorithm>

using namespace glow;

namespace {

/// Cuts the buffers of a step into its operands.
class Segments {
public:
  explicit Segments(const Step &step) : step(step), rest(step.buffers) {}
  BufferList next() {
    const auto count = size_t(step.segments[index++]);
    BufferList list = rest.first(count);
    rest = rest.subspan(count);
    return list;
  }

private:
  const Step &step;
  BufferList rest;
  size_t index = 0;
};

} // namespace

IfOperands::IfOperands(const Step &step) {
  Segments segments(step);
  for (BufferList *list : {&values, &condition, &captured, &others})
    *list = segments.next();
}

LoopOperands::LoopOperands(const Step &step) {
  Segments segments(step);
  for (BufferList *list : {&values, &next, &trip, &going, &trips, &condition,
                           &initial, &sliced, &captured})
    *list = segments.next();
}

/// The most trips of a loop; nothing if no count or slice bounds them.
static std::optional<uint64_t> mostTrips(const StepCode &code,
                                         const Step &loop) {
  const auto &counts = std::get<Ints>(loop.attributes[1]);
  if (!counts.empty())
    return uint64_t(std::max<int64_t>(counts[0], 0));
  const LoopOperands operands(loop);
  for (BufferList list : {operands.sliced, operands.stacked()})
    for (uint32_t buffer : list)
      return uint64_t(code.buffers[buffer].type.shape[0]);
  return std::nullopt;
}

std::vector<std::optional<uint64_t>> glow::mostRunsOf(const StepCode &code) {
  std::vector<std::optional<uint64_t>> runs(code.steps.size(), 1);
  // The steps of a call are behind it.
  for (size_t i = 0; i < code.steps.size(); ++i) {
    const Step &step = code.steps[i];
    std::optional<uint64_t> each = runs[i];
    if (each && step.instruction == "loop") {
      std::optional<uint64_t> trips = mostTrips(code, step);
      each = trips ? std::optional(*each * *trips) : std::nullopt;
    }
    for (const StepCall &call : step.calls)
      std::fill_n(runs.begin() + call.first, call.count, each);
  }
  return runs;
}

size_t StepCode::entrySteps() const {
  size_t entry = steps.size();
  for (const Step &step : steps)
    for (const StepCall &call : step.calls)
      entry = std::min<size_t>(entry, call.first);
  return entry;
}

namespace {

/// Checks of one step with calls.
class StepCallCheck {
public:
  StepCallCheck(const StepCode &code, const Step &step)
      : code(code), step(step) {}

  bool isIf() const {
    if (step.instruction != "if" || step.calls.size() != 2 ||
        step.segments.size() != segmentsOfIf)
      return false;
    IfOperands operands(step);
    return isScalar(operands.condition, ElementKind::Bool, false) &&
           binds(step.calls[0].takes, operands.captured) &&
           binds(step.calls[1].takes, operands.others) &&
           binds(step.calls[0].gives, operands.values) &&
           binds(step.calls[1].gives, operands.values);
  }

  bool isLoop() const {
    if (step.instruction != "loop" || step.calls.size() != 1 ||
        step.segments.size() != segmentsOfLoop || !hasAttributes() ||
        step.segments[0] <= step.segments[6])
      return false;
    LoopOperands operands(step);
    const size_t carried = operands.carried();
    const auto *count = std::get_if<Ints>(&step.attributes[1]);
    const auto *backwards = std::get_if<Ints>(&step.attributes[2]);
    const size_t slices = operands.sliced.size() + operands.stacked().size();
    return isScalar(operands.trip, ElementKind::I64, false) &&
           isScalar(operands.going, ElementKind::Bool, true) &&
           isScalar(operands.trips, ElementKind::I64, true) &&
           isScalar(operands.condition, ElementKind::Bool, true) &&
           isScalar(operands.values.last(1), ElementKind::I64, false) &&
           count && count->size() <= 1 &&
           (count->size() == 1 || (!slices && !isChecked(step))) && backwards &&
           backwards->size() == slices &&
           areAlike(operands.initial, operands.values.first(carried)) &&
           areAlike(operands.initial, operands.next) && takesFit(operands) &&
           givesFit(operands);
  }

private:
  /// The last attribute of a loop is absent in older programs.
  bool hasAttributes() const {
    const size_t count = step.attributes.size();
    return count == attributesOfLoop - 1 ||
           (count == attributesOfLoop &&
            std::holds_alternative<bool>(step.attributes.back()));
  }

  using Ports = std::span<const uint32_t>;

  bool isScalar(BufferList list, ElementKind kind, bool mayBeAbsent) const {
    return (list.empty() && mayBeAbsent) ||
           (list.size() == 1 &&
            code.buffers[list[0]].type == TensorType{kind, {}});
  }

  bool areAlike(BufferList one, BufferList other) const {
    return std::ranges::equal(one, other, [&](uint32_t a, uint32_t b) {
      return code.buffers[a].type == code.buffers[b].type &&
             code.buffers[a].lengths == code.buffers[b].lengths;
    });
  }

  bool isPort(uint32_t port, const TensorType &type,
              const std::vector<Length> &lengths) const {
    return port < code.ports.size() && code.ports[port].type == type &&
           code.ports[port].lengths == lengths;
  }

  /// Whether the ports have the types of the buffers.
  bool binds(Ports ports, BufferList buffers) const {
    return std::ranges::equal(ports, buffers, [&](uint32_t port, uint32_t at) {
      return isPort(port, code.buffers[at].type, code.buffers[at].lengths);
    });
  }

  /// Whether the ports have the types of slices of the buffers along axis 0.
  bool bindsSlices(Ports ports, BufferList buffers) const {
    return std::ranges::equal(ports, buffers, [&](uint32_t port, uint32_t at) {
      TensorType type = code.buffers[at].type;
      std::vector<Length> lengths = code.buffers[at].lengths;
      if (type.shape.empty())
        return false;
      type.shape.erase(type.shape.begin());
      if (!lengths.empty())
        lengths.erase(lengths.begin());
      if (std::ranges::all_of(lengths, &Length::isFixed))
        lengths.clear();
      return isPort(port, type, lengths);
    });
  }

  bool takesFit(const LoopOperands &operands) const {
    const Ports ports = step.calls[0].takes;
    const size_t carried = operands.carried(), sliced = operands.sliced.size();
    return ports.size() == 1 + carried + sliced + operands.captured.size() &&
           binds(ports.first(1), operands.trip) &&
           binds(ports.subspan(1, carried), operands.initial) &&
           bindsSlices(ports.subspan(1 + carried, sliced), operands.sliced) &&
           binds(ports.subspan(1 + carried + sliced), operands.captured);
  }

  bool givesFit(const LoopOperands &operands) const {
    Ports ports = step.calls[0].gives;
    const size_t carried = operands.carried(), going = operands.going.size();
    const BufferList stacked = operands.stacked();
    return ports.size() == going + carried + stacked.size() &&
           binds(ports.first(going), operands.going) &&
           binds(ports.subspan(going, carried), operands.initial) &&
           bindsSlices(ports.subspan(going + carried), stacked);
  }

  const StepCode &code;
  const Step &step;
};

} // namespace

Status glow::checkCalls(const StepCode &code) {
  std::vector<bool> isCalled(code.steps.size());
  for (size_t i = 0; i < code.steps.size(); ++i) {
    const Step &step = code.steps[i];
    auto fail = [&](const auto &...what) {
      return failure(Code::InvalidArgument, "node '", step.node,
                     "': instruction '", step.instruction, "' ", what...);
    };
    const StepCallCheck check(code, step);
    if (!step.calls.empty() && !check.isIf() && !check.isLoop())
      return fail("calls functions with other parameters than its buffers");
    for (const StepCall &call : step.calls) {
      if (call.first <= i || call.first > code.steps.size() ||
          call.count > code.steps.size() - call.first)
        return fail("calls steps ", call.first, " to ",
                    uint64_t(call.first) + call.count, " of ",
                    code.steps.size());
      for (size_t called = call.first; called < call.first + call.count;
           ++called) {
        if (isCalled[called])
          return fail("calls step ", called, ", which another calls");
        isCalled[called] = true;
      }
    }
  }
  // Steps behind those of the entry belong to calls: none runs by itself.
  const size_t entry = code.entrySteps();
  for (size_t i = 0; i < code.steps.size(); ++i)
    if (isCalled[i] != (i >= entry))
      return failure(Code::InvalidArgument, "step ", i, " of ",
                     code.steps.size(), " is ",
                     isCalled[i] ? "called, but is before others of the entry"
                                 : "called by no step");
  return Status();
}
