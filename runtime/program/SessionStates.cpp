//===- SessionStates.cpp - values that stay between runs ------------------===//
// SPDX-License-Identifier: MIT
//
// A run writes the next buffer of a state while it reads the current one, and
// the two change places. A buffer that another session may read is not written
// again: after the swap its session drops it and takes another one.
//
//===----------------------------------------------------------------------===//

#include "StateModel.h"
#include "glow/Program/Failure.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <cstring>

using namespace glow;

static size_t indexOf(const std::vector<Binding> &bindings,
                      const std::string &name) {
  return size_t(std::ranges::find(bindings, name, &Binding::name) -
                bindings.begin());
}

std::vector<StateInfo> glow::statesOf(const Program &program) {
  std::vector<StateInfo> infos;
  if (program.states)
    for (const StatePair &pair : *program.states) {
      const size_t input = indexOf(program.inputs, pair.input);
      infos.push_back({pair, program.inputs[input].type, input,
                       indexOf(program.outputs, pair.output)});
    }
  return infos;
}

Result<std::unique_ptr<SessionStates>>
SessionStates::create(const Program &program) {
  if (hasLengths(program.inputs))
    return Status(Code::Unsupported,
                  "the program has ranges of sizes, but states of a session "
                  "have fixed sizes: give one size in place of each range");
  auto model = std::make_shared<Model>(program);
  if (model->states.empty())
    return Status(Code::InvalidArgument,
                  "the program has no state for a session; a pair of an input "
                  "and an output becomes one by --state INPUT=OUTPUT, or the "
                  "option 'state'");
  std::unique_ptr<SessionStates> session(new SessionStates(std::move(model)));
  for (size_t i = 0; i < session->all().size(); ++i)
    session->states.push_back({});
  if (Status status = session->reset(); !status.ok())
    return status;
  return session;
}

const std::vector<StateInfo> &SessionStates::all() const {
  return model->states;
}

/// Allocates the buffer of a value, unless there is one.
Status SessionStates::provide(std::shared_ptr<Tensor> &buffer,
                              const StateInfo &info) {
  if (buffer)
    return Status();
  Result<Tensor> fresh = Tensor::zeros(info.type);
  if (fresh)
    buffer = std::make_shared<Tensor>(fresh.take());
  return fresh.status().prefixed("state '" + info.pair.input + "': ");
}

Status SessionStates::bind(Tensors &tensors) {
  for (size_t i = 0; i < states.size(); ++i) {
    const StateInfo &info = all()[i];
    if (Status status = provide(states[i].next, info); !status.ok())
      return status;
    tensors.inputs[info.input] = states[i].current->view();
    tensors.outputs[info.output] = states[i].next->view();
  }
  return Status();
}

void SessionStates::swap(State &state) {
  std::swap(state.current, state.next);
  if (state.isShared)
    state.next = nullptr;
  state.isShared = false;
}

void SessionStates::advance() {
  for (State &state : states)
    swap(state);
}

std::unique_ptr<SessionStates> SessionStates::fork() {
  std::unique_ptr<SessionStates> other(new SessionStates(model));
  for (State &state : states) {
    state.isShared = true;
    other->states.push_back({state.current, nullptr, true});
  }
  return other;
}

Status SessionStates::reset() {
  for (size_t i = 0; i < states.size(); ++i)
    if (Status status = provide(states[i].next, all()[i]); !status.ok())
      return status;
  for (State &state : states) {
    if (const uint64_t bytes = state.next->type().bytes())
      std::memset(state.next->data(), 0, bytes);
    swap(state);
  }
  return Status();
}

Result<size_t> SessionStates::find(const std::string &name) const {
  std::string names;
  for (auto member : {&StatePair::input, &StatePair::output})
    for (size_t i = 0; i < all().size(); ++i) {
      if (all()[i].pair.*member == name)
        return i;
      if (member == &StatePair::input)
        names += (i ? ", '" : "'") + all()[i].pair.input + "'";
    }
  return failureOf(Code::NotFound, {"the session has no state named '", name,
                                    "'; its states are ", names});
}

TensorView SessionStates::value(size_t state) const {
  return states[state].current->view();
}

Status SessionStates::set(size_t index, TensorView value) {
  const StateInfo &info = all()[index];
  if (*value.type != info.type)
    return failureOf(Code::ShapeMismatch,
                     {"state '", info.pair.input, "' is ", info.type.text(),
                      ", not ", value.type->text()});
  State &state = states[index];
  if (Status status = provide(state.next, info); !status.ok())
    return status;
  if (const uint64_t bytes = info.type.bytes())
    std::memcpy(state.next->data(), value.data, bytes);
  swap(state);
  return Status();
}

Status SessionStates::refuseToGrow(size_t state, const char *what) const {
  const StateInfo &info = all()[state];
  return failureOf(Code::Unsupported,
                   {"state '", info.pair.input, "' is ", info.type.text(),
                    " in all runs and has no axis that grows: ", what});
}

Status SessionStates::append(size_t state, const void *, size_t) {
  return refuseToGrow(state, "nothing can be appended");
}

Status SessionStates::rollback(size_t) {
  return refuseToGrow(0, "it cannot be rolled back; a fork keeps a session "
                         "as it is");
}
