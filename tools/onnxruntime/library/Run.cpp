//===- Run.cpp - runs of sessions -----------------------------------------===//
// SPDX-License-Identifier: MIT

#include "library/Session.h"
#include "library/Table.h"
#include <algorithm>
#include <thread>

using namespace glow;
using namespace glow::ort;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string namesOf(const std::vector<Port> &ports) {
  std::string text;
  for (const Port &port : ports)
    text += (text.empty() ? "'" : ", '") + port.name + "'";
  return text.empty() ? "none" : text;
}

/// The place of a name, or the number of ports.
static size_t placeOf(const std::vector<Port> &ports, const char *name) {
  return std::ranges::find(ports, name, &Port::name) - ports.begin();
}

static void checkName(const char *name, const char *what) {
  if (!name)
    throw Failure(ORT_INVALID_ARGUMENT,
                  std::string("the name of an ") + what + " is null");
}

static bool takes(const TensorType &type, const Payload &tensor) {
  if (type.element != tensor.element)
    return false;
  if (!type.hasRank)
    return true;
  if (type.shape.size() != tensor.shape.size())
    return false;
  for (size_t d = 0; d < type.shape.size(); ++d)
    if (type.shape[d] >= 0 && type.shape[d] != tensor.shape[d])
      return false;
  return true;
}

static std::string textOf(const OrtTypeInfo &type) {
  static constexpr const char *names[] = {
      "a value", "a tensor",        "a sequence", "a map",
      "opaque",  "a sparse tensor", "an optional"};
  return type.kind == ONNX_TYPE_TENSOR ? type.tensor.text() : names[type.kind];
}

static std::string textOf(const Payload &payload) {
  OrtTypeInfo type;
  type.kind = payload.kind;
  type.tensor = {payload.type()};
  return textOf(type);
}

/// An optional takes any value; Glow checks the value itself.
static void checkType(const Port &port, const Payload &payload,
                      const char *what) {
  if (port.type.kind == ONNX_TYPE_OPTIONAL ||
      port.type.kind == ONNX_TYPE_UNKNOWN)
    return;
  if (port.type.kind != payload.kind ||
      (payload.isTensor() && !takes(port.type.tensor, payload)))
    throw Failure(ORT_INVALID_ARGUMENT,
                  std::string(what) + " '" + port.name + "' is " +
                      textOf(payload) + ", it should be " + textOf(port.type));
}

/// The value of each input; null for an optional without one. Values of
/// initializers are checked too.
static std::vector<const Payload *> argumentsOf(const SessionModel &model,
                                                std::span<const Named> in,
                                                bool &overrides) {
  std::vector<const Payload *> arguments(model.inputs.size());
  for (const Named &one : in) {
    checkName(one.name, "input");
    const size_t place = placeOf(model.inputs, one.name);
    const size_t other = placeOf(model.overridables, one.name);
    if (place == model.inputs.size() && other == model.overridables.size())
      throw Failure(ORT_INVALID_ARGUMENT, std::string("there is no input '") +
                                              one.name + "', the model has " +
                                              namesOf(model.inputs));
    if (!one.payload)
      throw Failure(ORT_INVALID_ARGUMENT, std::string("the value of input '") +
                                              one.name + "' is null");
    overrides |= place == model.inputs.size();
    checkType(place < model.inputs.size() ? model.inputs[place]
                                          : model.overridables[other],
              *one.payload, "input");
    if (place < arguments.size())
      arguments[place] = one.payload.get();
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i] && model.inputs[i].type.kind != ONNX_TYPE_OPTIONAL)
      throw Failure(ORT_INVALID_ARGUMENT,
                    "input '" + model.inputs[i].name + "' has no value");
  return arguments;
}

static std::vector<size_t> placesOf(const SessionModel &model,
                                    std::span<const Named> out) {
  std::vector<size_t> places;
  for (const Named &one : out) {
    checkName(one.name, "output");
    places.push_back(placeOf(model.outputs, one.name));
    if (places.back() == model.outputs.size())
      throw Failure(ORT_INVALID_ARGUMENT, std::string("there is no output '") +
                                              one.name + "', the model has " +
                                              namesOf(model.outputs));
    if (one.payload)
      checkType(model.outputs[places.back()], *one.payload, "output");
  }
  return places;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// The call of a run among those that its options may end.
class Ending : public Watch {
public:
  explicit Ending(const OrtRunOptions &options) : options(options) {}
  void begin(glow_call &call) override { options.begin(call); }
  void end(glow_call &call) override { options.end(call); }

private:
  const OrtRunOptions &options;
};

/// The memory of the outputs of a run.
class Results {
public:
  Results(const std::vector<Port> &ports, std::span<Named> out,
          const std::vector<size_t> &places)
      : ports(ports), made(ports.size()) {
    for (size_t i = 0; i < out.size(); ++i)
      if (out[i].payload)
        made[places[i]] = out[i].payload;
  }
  void *place(size_t index, const std::vector<int64_t> &shape) {
    auto &payload = made[index];
    if (!payload)
      payload = makeTensor(ports[index].type.tensor.element, shape);
    else if (payload->shape != shape)
      refuse(index, shape);
    return payload->data;
  }
  const std::shared_ptr<Payload> &operator[](size_t index) const {
    return made[index];
  }

private:
  [[noreturn]] void refuse(size_t index, const std::vector<int64_t> &shape) {
    TensorType type = made[index]->type();
    type.shape = shape;
    throw Failure(ORT_INVALID_ARGUMENT, "output '" + ports[index].name +
                                            "' is " +
                                            made[index]->type().text() +
                                            ", it should be " + type.text());
  }

  const std::vector<Port> &ports;
  std::vector<std::shared_ptr<Payload>> made;
};
} // namespace

/// A tensor without elements may have no address.
static Tensor tensorOf(const Payload &payload) {
  alignas(64) static const char nothing[64] = {};
  Tensor tensor = payload.tensor();
  if (!tensor.data)
    tensor.data = nothing;
  return tensor;
}

void SessionModel::runTensors(const OrtRunOptions *options,
                              const std::vector<const Payload *> &arguments,
                              std::span<Named> out,
                              const std::vector<size_t> &places) {
  std::vector<Tensor> tensors;
  for (const Payload *argument : arguments)
    tensors.push_back(tensorOf(*argument));
  Results results(outputs, out, places);
  std::optional<Ending> ending;
  if (options)
    ending.emplace(*options);
  engine->run(
      tensors,
      [&](size_t i, const std::vector<int64_t> &shape) {
        return results.place(i, shape);
      },
      ending ? &*ending : nullptr);
  for (size_t i = 0; i < out.size(); ++i)
    out[i].payload = results[places[i]];
}

/// Copies a result into the tensor that was given for it.
static void copyResult(const Port &port, const Payload &from, Payload &to) {
  checkType({port.name, {.kind = from.kind, .tensor = {from.type()}}}, to,
            "output");
  to.texts = from.texts;
  if (!from.isTensor())
    throw Failure(ORT_NOT_IMPLEMENTED,
                  "output '" + port.name +
                      "' is no tensor, the run should make its value");
  if (from.bytes)
    std::copy_n(static_cast<char *>(from.data), from.bytes,
                static_cast<char *>(to.data));
}

void SessionModel::runValues(std::span<const Named> in, std::span<Named> out,
                             const std::vector<size_t> &places) {
  std::lock_guard lock(mutex);
  for (const auto *ports : {&inputs, &overridables})
    for (const Port &port : *ports)
      api::check(
          glow_runner_set_value(runner.get(), port.name.c_str(), nullptr));
  for (const Named &one : in)
    api::check(glow_runner_set_value(runner.get(), one.name,
                                     glowValueOf(*one.payload).get()));
  api::check(glow_runner_run(runner.get()));
  for (size_t i = 0; i < out.size(); ++i) {
    const char *name;
    glow_value *value;
    api::check(glow_runner_value(runner.get(), places[i], &name, &value));
    std::shared_ptr<Payload> made = payloadOf(GlowValue(value).get());
    if (out[i].payload)
      copyResult(outputs[places[i]], *made, *out[i].payload);
    else
      out[i].payload = std::move(made);
  }
}

void SessionModel::run(const OrtRunOptions *options, std::span<const Named> in,
                       std::span<Named> out) {
  if (options)
    options->checkGoesOn();
  bool overrides = false;
  const std::vector<const Payload *> arguments =
      argumentsOf(*this, in, overrides);
  const std::vector<size_t> places = placesOf(*this, out);
  if (engine && !overrides)
    runTensors(options, arguments, out, places);
  else
    runValues(in, out, places);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Values of an application by their names; they are kept while the run goes
/// on.
static std::vector<Named> named(const char *const *names,
                                const OrtValue *const *values, size_t count) {
  if (count && (!names || !values))
    throw Failure(ORT_INVALID_ARGUMENT, "the names or the values of inputs "
                                        "are a null pointer");
  std::vector<Named> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back({names[i], values[i] ? values[i]->payload : nullptr});
  return all;
}

static void give(const std::vector<Named> &from, OrtValue **outputs) {
  for (size_t i = 0; i < from.size(); ++i)
    if (!outputs[i])
      outputs[i] = new OrtValue{from[i].payload};
}

void entry::Run(OrtSession *session, const OrtRunOptions *options,
                const char *const *inputNames, const OrtValue *const *inputs,
                size_t inputCount, const char *const *outputNames,
                size_t outputCount, OrtValue **outputs) {
  std::vector<Named> in = named(inputNames, inputs, inputCount);
  std::vector<Named> out = named(outputNames, outputs, outputCount);
  modelOf(session)->run(options, in, out);
  give(out, outputs);
}

namespace {
/// A run on a thread of its own, with copies of the names.
struct Background {
  std::shared_ptr<SessionModel> model;
  const OrtRunOptions *options;
  std::vector<Named> in, out;
  std::vector<std::string> names = {};
  OrtValue **outputs = nullptr;
  OrtRunAsyncCallback done = nullptr;
  void *context = nullptr;

  void keepNames() {
    names.reserve(in.size() + out.size());
    for (auto *list : {&in, &out})
      for (Named &one : *list)
        if (one.name)
          one.name = names.emplace_back(one.name).c_str();
  }
  void run() {
    OrtStatus *status = nullptr;
    try {
      model->run(options, in, out);
      give(out, outputs);
    } catch (...) {
      status = statusOfException();
    }
    model.reset(); // the callback may be the last that knows the session
    done(context, status ? nullptr : outputs, status ? 0 : out.size(), status);
  }
};
} // namespace

void entry::RunAsync(OrtSession *session, const OrtRunOptions *options,
                     const char *const *inputNames,
                     const OrtValue *const *inputs, size_t inputCount,
                     const char *const *outputNames, size_t outputCount,
                     OrtValue **outputs, OrtRunAsyncCallback done,
                     void *context) {
  auto background = std::make_unique<Background>(Background{
      modelOf(session), options, named(inputNames, inputs, inputCount),
      named(outputNames, outputs, outputCount)});
  background->keepNames();
  background->outputs = outputs;
  background->done = done;
  background->context = context;
  std::thread([background = std::move(background)] {
    background->run();
  }).detach();
}
