//===- SharedValues.cpp - values of a step that processes share -----------===//
// SPDX-License-Identifier: MIT

#include "SharedValues.h"
#include "glow/Program/LastUses.h"
#include <algorithm>
#include <cstring>

using namespace glow;

Result<std::unique_ptr<SharedValues>>
SharedValues::create(Group &group, StepProgram &backward, StepProgram &update,
                     const SessionStates &states,
                     const std::vector<std::string> &statistics) {
  std::unique_ptr<SharedValues> shared(
      new SharedValues(group, backward, update));
  const std::vector<Binding> &outputs = backward.program().outputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (update.inputs.contains(outputs[i].name))
      shared->gradients.push_back({outputs[i].name, i});
  for (const std::string &name : statistics) {
    Result<size_t> state = states.find(name);
    if (!state)
      return state.status();
    Result<Tensor> copy = Tensor::copyOf(states.value(*state));
    if (!copy)
      return copy.status();
    shared->moved.emplace_back(*state, copy.take());
  }
  if (Status status = shared->order(); !status.ok())
    return status;
  return shared;
}

/// The order in which the first process has its gradients. Processors may
/// differ between processes, and so the orders of their steps.
Status SharedValues::order() {
  const Program &program = backward.program();
  std::vector<double> places(gradients.size());
  if (auto *code = dynamic_cast<const StepCode *>(program.code.get())) {
    const std::vector<LastUse> uses = lastUses(*code);
    for (size_t i = 0; i < gradients.size(); ++i) {
      auto use = std::ranges::find(uses, gradients[i].output, &LastUse::output);
      places[i] = double(use - uses.begin());
    }
  }
  Status status = group.agreeOn(places);
  if (!status.ok())
    return status;
  std::vector<std::pair<double, Gradient>> ordered;
  for (size_t i = 0; i < gradients.size(); ++i)
    ordered.emplace_back(places[i], std::move(gradients[i]));
  std::ranges::stable_sort(ordered, {}, &std::pair<double, Gradient>::first);
  std::ranges::transform(ordered, gradients.begin(),
                         [](auto &one) { return std::move(one.second); });
  return status;
}

/// Begins the sums of the gradients before `end` that have not begun.
void SharedValues::beginUntil(size_t end) {
  for (; begun < end && status.ok(); ++begun)
    status = group.beginMean(backward.outputs.at(gradients[begun].name).view(),
                             weight);
}

void SharedValues::gradientDone(size_t output) {
  auto found = std::ranges::find(gradients, output, &Gradient::output);
  if (found == gradients.end())
    return;
  found->isDone = true;
  auto next = std::ranges::find(gradients, false, &Gradient::isDone);
  beginUntil(size_t(next - gradients.begin()));
}

Status SharedValues::run(Host &host, SessionStates &states, double part) {
  weight = part, begun = 0, status = Status();
  for (Gradient &gradient : gradients)
    gradient.isDone = false;
  Status ran;
  if (weight > 0) {
    const std::function<void(size_t)> done = [this](size_t output) {
      gradientDone(output);
    };
    ran = backward.run(host, states, &done);
    if (ran.ok())
      states.advance(0);
  }
  beginUntil(gradients.size());
  for (auto &[state, mean] : moved) {
    std::memcpy(mean.data(), states.value(state).data, mean.type().bytes());
    if (status.ok())
      status = group.beginMean(mean.view(), weight);
  }
  // The memory is the group's until the end of its sums.
  Status ended = group.finish();
  for (Status *failed : {&ran, &status, &ended})
    if (!failed->ok())
      return *failed;
  return Status();
}

Status SharedValues::take(SessionStates &states) {
  for (const Gradient &gradient : gradients)
    std::swap(update.inputs.at(gradient.name),
              backward.outputs.at(gradient.name));
  for (const auto &[state, mean] : moved)
    if (Status set = states.set(state, mean.view()); !set.ok())
      return set;
  return Status();
}
