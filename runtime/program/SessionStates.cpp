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
#include "glow/Program/Updates.h"
#include <algorithm>
#include <cstring>

using namespace glow;

static size_t indexOf(const std::vector<Binding> &bindings,
                      const std::string &name) {
  return size_t(std::ranges::find(bindings, name, &Binding::name) -
                bindings.begin());
}

uint64_t StateInfo::entryBytes() const {
  const auto from = type.shape.begin() + 1;
  return TensorType{type.kind, Ints(from, type.shape.end())}.bytes();
}

std::vector<StateInfo> glow::statesOf(const Program &program) {
  std::vector<StateInfo> infos;
  if (program.states)
    for (const StatePair &pair : *program.states) {
      const size_t input = indexOf(program.inputs, pair.input);
      StateInfo info{pair, program.inputs[input].type, input,
                     indexOf(program.outputs, pair.output)};
      if (growsInRuns(program, pair)) {
        info.axis = 0;
        info.capacity = info.length = info.type.shape[0];
      }
      info.isUpdated = updatesInPlace(program, pair);
      infos.push_back(std::move(info));
    }
  return infos;
}

SessionStates::SessionStates(std::shared_ptr<Model> of)
    : model(std::move(of)), infos(model->states), states(infos.size()) {}

Result<std::unique_ptr<SessionStates>>
SessionStates::create(const Program &program) {
  const Program *only = &program;
  return create(std::span(&only, 1));
}

Result<std::unique_ptr<SessionStates>>
SessionStates::create(std::span<const Program *const> programs) {
  auto model = std::make_shared<Model>();
  if (Status status = model->add(programs); !status.ok())
    return status;
  if (model->states.empty())
    return Status(
        Code::InvalidArgument,
        std::ranges::any_of(
            programs,
            [](const Program *program) { return hasLengths(program->inputs); })
            ? "the program has no state for a session; a pair of an input and "
              "an output becomes one by --state INPUT=OUTPUT, pairs that grow "
              "by --state append, or the option 'state'"
            : "the program has no state for a session; a pair of an input "
              "and an output becomes one by --state INPUT=OUTPUT, or the "
              "option 'state'");
  std::unique_ptr<SessionStates> session(new SessionStates(std::move(model)));
  if (Status status = session->reset(); !status.ok())
    return status;
  return session;
}

std::span<const StatePlace> SessionStates::places(size_t program) const {
  return model->programs[program].places;
}

bool SessionStates::grow() const {
  return std::ranges::any_of(infos, &StateInfo::grows);
}

/// Allocates the buffer of a value, unless there is one. The buffer of a state
/// that grows has its capacity.
Status SessionStates::provide(std::shared_ptr<Tensor> &buffer,
                              const StateInfo &info) {
  if (buffer)
    return Status();
  TensorType type = info.type;
  if (info.grows())
    type.shape[0] = info.capacity;
  Result<Tensor> fresh = Tensor::zeros(std::move(type));
  if (fresh)
    buffer = std::make_shared<Tensor>(fresh.take());
  return fresh.status().prefixed("state '" + info.pair.input + "': ");
}

//===----------------------------------------------------------------------===//
// States that grow
//===----------------------------------------------------------------------===//

void SessionStates::setLength(size_t state, int64_t length) {
  infos[state].type.shape[0] = infos[state].length = length;
}

Status SessionStates::checkRoom(size_t state, int64_t entries,
                                const char *what) const {
  const StateInfo &info = infos[state];
  if (entries <= info.capacity - info.length)
    return Status();
  return failureOf(Code::InvalidArgument,
                   {"state '", info.pair.input, "' has ",
                    std::to_string(info.length), " entries of at most ",
                    std::to_string(info.capacity), ", and ", what, " appends ",
                    std::to_string(entries), ": its capacity is exceeded"});
}

/// Makes the buffer of a state one that no other session reads.
Status SessionStates::takeForWriting(size_t index) {
  State &state = states[index];
  if (!state.isShared)
    return Status();
  std::shared_ptr<Tensor> own;
  if (Status status = provide(own, infos[index]); !status.ok())
    return status;
  if (const uint64_t bytes = infos[index].type.bytes()) {
    std::memcpy(own->data(), state.current->data(), bytes);
    copied += bytes;
  }
  state = {std::move(own), nullptr};
  return Status();
}

/// A run reads the entries in use, and writes others behind them.
Status SessionStates::bindGrowing(size_t index, StatePlace place,
                                  Tensors &tensors) {
  const StateInfo &info = infos[index];
  TensorView &output = tensors.outputs[place.output];
  const int64_t length = output.type->shape[0];
  Status status = checkRoom(index, length - info.length, "the run");
  if (status.ok())
    status = takeForWriting(index);
  if (!status.ok())
    return status;
  State &state = states[index];
  state.nextLength = length;
  output.data = state.current->data();
  tensors.inputs[place.input] = {state.current->data(), &info.type};
  return Status();
}

/// A run writes new elements over old ones.
Status SessionStates::bindUpdated(size_t index, StatePlace place,
                                  Tensors &tensors) {
  Status status = takeForWriting(index);
  if (!status.ok())
    return status;
  tensors.inputs[place.input] = states[index].current->view();
  tensors.outputs[place.output] = states[index].current->view();
  return Status();
}

Status SessionStates::append(size_t index, const void *data, size_t entries) {
  const StateInfo &info = infos[index];
  if (!info.grows())
    return refuseToGrow(index, "nothing can be appended");
  // No capacity is beyond 63 bits.
  const auto most = size_t(INT64_MAX);
  Status status =
      checkRoom(index, int64_t(std::min(entries, most)), "the caller");
  if (status.ok())
    status = takeForWriting(index);
  if (!status.ok())
    return status;
  if (const uint64_t bytes = entries * info.entryBytes())
    std::memcpy(static_cast<char *>(states[index].current->data()) +
                    info.type.bytes(),
                data, bytes);
  setLength(index, info.length + int64_t(entries));
  return Status();
}

Status SessionStates::rollback(size_t entries) {
  for (size_t i = 0; i < infos.size(); ++i) {
    const StateInfo &info = infos[i];
    if (!info.grows())
      return refuseToGrow(i, "it cannot be rolled back; a fork keeps a session "
                             "as it is");
    if (entries > size_t(info.length))
      return failureOf(Code::InvalidArgument,
                       {"state '", info.pair.input, "' has ",
                        std::to_string(info.length), " entries, of which ",
                        std::to_string(entries), " cannot be rolled back"});
  }
  for (size_t i = 0; i < infos.size(); ++i)
    setLength(i, infos[i].length - int64_t(entries));
  return Status();
}

Status SessionStates::refuseToGrow(size_t state, const char *what) const {
  const StateInfo &info = infos[state];
  return failureOf(Code::Unsupported,
                   {"state '", info.pair.input, "' is ", info.type.text(),
                    " in all runs and has no axis that grows: ", what});
}

//===----------------------------------------------------------------------===//
// All states
//===----------------------------------------------------------------------===//

/// A run reads one buffer and writes another one, unless the state has but one.
Status SessionStates::bindState(size_t index, StatePlace place,
                                Tensors &tensors) {
  const StateInfo &info = infos[index];
  if (place.output != StatePlace::none && info.grows())
    return bindGrowing(index, place, tensors);
  if (place.isUpdated)
    return bindUpdated(index, place, tensors);
  State &state = states[index];
  if (place.input != StatePlace::none)
    tensors.inputs[place.input] = {state.current->data(), &info.type};
  if (place.output == StatePlace::none)
    return Status();
  Status status = provide(state.next, info);
  if (status.ok())
    tensors.outputs[place.output] = state.next->view();
  return status;
}

Status SessionStates::bind(Tensors &tensors, size_t program) {
  const std::span<const StatePlace> all = places(program);
  for (size_t i = 0; i < states.size(); ++i)
    if (Status status = bindState(i, all[i], tensors); !status.ok())
      return status;
  return Status();
}

void SessionStates::swap(State &state) {
  std::swap(state.current, state.next);
  if (state.isShared)
    state.next = nullptr;
  state.isShared = false;
}

void SessionStates::advance(size_t program) {
  const std::span<const StatePlace> all = places(program);
  for (size_t i = 0; i < states.size(); ++i)
    if (all[i].output == StatePlace::none || all[i].isUpdated)
      continue;
    else if (infos[i].grows())
      setLength(i, states[i].nextLength);
    else
      swap(states[i]);
}

std::unique_ptr<SessionStates> SessionStates::fork() {
  std::unique_ptr<SessionStates> other(new SessionStates(model));
  other->infos = infos;
  for (size_t i = 0; i < states.size(); ++i) {
    states[i].isShared = true;
    other->states[i] = {states[i].current, nullptr, true};
  }
  return other;
}

Status SessionStates::reset() {
  // All memory is there before the first state changes.
  for (size_t i = 0; i < states.size(); ++i) {
    const bool isOwn = infos[i].isOneBuffer() && !states[i].isShared;
    auto &buffer =
        isOwn || infos[i].grows() ? states[i].current : states[i].next;
    if (Status status = provide(buffer, infos[i]); !status.ok())
      return status;
  }
  for (size_t i = 0; i < states.size(); ++i) {
    if (infos[i].grows()) {
      setLength(i, 0);
      continue;
    }
    State &state = states[i];
    if (!infos[i].isUpdated || state.isShared)
      swap(state);
    if (const uint64_t bytes = state.current->type().bytes())
      std::memset(state.current->data(), 0, bytes);
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
  return {states[state].current->data(), &infos[state].type};
}

Status SessionStates::set(size_t index, TensorView value) {
  const StateInfo &info = infos[index];
  TensorType type = info.type;
  if (info.grows() && !value.type->shape.empty() &&
      value.type->shape[0] <= info.capacity)
    type.shape[0] = value.type->shape[0];
  if (*value.type != type)
    return failureOf(Code::ShapeMismatch,
                     {"state '", info.pair.input, "' is ", info.type.text(),
                      info.grows() ? " and has a capacity of " : "",
                      info.grows() ? std::to_string(info.capacity) : "",
                      ", not ", value.type->text()});
  State &state = states[index];
  std::shared_ptr<Tensor> &buffer =
      info.isOneBuffer() && !state.isShared ? state.current : state.next;
  if (Status status = provide(buffer, info); !status.ok())
    return status;
  if (const uint64_t bytes = type.bytes())
    std::memcpy(buffer->data(), value.data, bytes);
  if (&buffer == &state.next)
    swap(state);
  if (info.grows())
    setLength(index, type.shape[0]);
  return Status();
}
