//===- Engine.cpp - a model that runs in Glow -----------------------------===//
// SPDX-License-Identifier: MIT

#include "Engine.h"
#include <algorithm>
#include <cstring>
#include <set>

using namespace glow;
using namespace glow::ort;

/// Each program has the weights of its layers, if only as pages of a file.
static constexpr size_t mostPrograms = 8;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static bool isOpen(const api::TensorInfo &info) {
  return std::ranges::any_of(info.shape, [](int64_t size) { return size < 0; });
}

Engine::Engine(api::Model read, Settings settings, Compile when)
    : settings(std::move(settings)), model(std::move(read)),
      theInputs(model->inputs()), theOutputs(model->outputs()) {
  if (when == Compile::Trial)
    compileForTrial();
  else if (std::ranges::none_of(theInputs, isOpen))
    compileFixed();
  compileRanges();
  // A model without open sizes has its program or runner for all runs.
  if (std::ranges::none_of(theInputs, isOpen))
    model.reset();
}

static std::string nameOf(const api::TensorInfo &input, size_t d) {
  return d < input.dimensions.size() ? input.dimensions[d] : "";
}

namespace {
/// Open sizes of a trial.
struct Trial {
  int64_t batch, length;
};
} // namespace

/// A model may take powers of two alone, only lengths above that of its window,
/// or no batch of 1.
static std::vector<Trial> trials() {
  std::vector<Trial> all;
  for (int64_t length = 1; length <= 1024; length *= 2)
    all.push_back({1, length});
  for (int64_t size = 2; size <= 16; size *= 2)
    all.push_back({size, size});
  return all;
}

/// The shapes for a trial. The first open size of an input is mostly that of a
/// batch, others are lengths. A name has one size.
static std::vector<std::vector<int64_t>>
shapesOf(const std::vector<api::TensorInfo> &inputs, const Trial &trial) {
  std::set<std::string> batches;
  for (const api::TensorInfo &input : inputs)
    if (input.shape.size() > 1)
      batches.insert(nameOf(input, 0));
  batches.erase("");
  std::vector<std::vector<int64_t>> shapes;
  for (const api::TensorInfo &input : inputs) {
    std::vector<int64_t> &shape = shapes.emplace_back(input.shape);
    for (size_t d = 0; d < shape.size(); ++d)
      if (shape[d] < 0)
        shape[d] =
            (d == 0 && shape.size() > 1) || batches.contains(nameOf(input, d))
                ? trial.batch
                : trial.length;
  }
  return shapes;
}

/// The only program of a model without open sizes, unless it has a runner.
void Engine::compileFixed() {
  Shapes shapes;
  for (const api::TensorInfo &input : theInputs)
    shapes.push_back(input.shape);
  if (auto compiled = compile(std::move(shapes)))
    programs.push_front(std::move(compiled));
}

/// A model that takes the sizes of no trial is refused: nothing shows that Glow
/// can run it.
void Engine::compileForTrial() {
  std::vector<Shapes> left;
  for (const Trial &trial : trials()) {
    Shapes shapes = shapesOf(theInputs, trial);
    if (std::ranges::find(left, shapes) == left.end())
      left.push_back(std::move(shapes));
  }
  for (size_t i = 0;; ++i) {
    try {
      if (auto compiled = compile(left[i]))
        programs.push_front(std::move(compiled));
      else
        tryRunner(left[i]);
      return;
    } catch (const api::Error &) {
      runner.reset();
      if (i + 1 == left.size())
        throw;
    }
  }
}

/// The bytes of `count` elements that are all 0, or all 1.
static std::string elementsOf(glow_kind kind, size_t count, bool ones) {
  std::string element(8, '\0'); // no element is larger
  auto set = [&](auto one) {
    element.assign(reinterpret_cast<const char *>(&one), sizeof one);
  };
  if (ones) {
    switch (kind) {
    case GLOW_F32:
      set(1.0f);
      break;
    case GLOW_F64:
      set(1.0);
      break;
    case GLOW_F16:
      set(uint16_t(0x3c00));
      break;
    case GLOW_BF16:
      set(uint16_t(0x3f80));
      break;
    case GLOW_I64:
    case GLOW_U64:
      set(int64_t(1));
      break;
    case GLOW_I32:
    case GLOW_U32:
      set(int32_t(1));
      break;
    case GLOW_I16:
    case GLOW_U16:
      set(int16_t(1));
      break;
    default:
      set(int8_t(1));
      break;
    }
  }
  std::string bytes;
  for (size_t i = 0; i < count + 1; ++i)
    bytes += element;
  return bytes;
}

void Engine::runOn(glow_runner &runner, const Shapes &shapes, bool ones) {
  for (size_t i = 0; i < theInputs.size(); ++i) {
    size_t count = 1;
    for (int64_t size : shapes[i])
      count *= size;
    api::check(glow_runner_set(
        &runner, theInputs[i].name.c_str(), theInputs[i].kind, shapes[i].size(),
        shapes[i].data(), elementsOf(theInputs[i].kind, count, ones).data()));
  }
  api::check(glow_runner_run(&runner));
}

/// Nodes of a later stage are compiled only when a run has come to them. Some
/// inputs are sizes, or steps that must not be 0.
void Engine::tryRunner(const Shapes &shapes) {
  try {
    runOn(*runner, shapes, /*ones=*/false);
  } catch (const api::Error &) {
    runOn(*runner, shapes, /*ones=*/true);
  }
}

Engine::Runner Engine::makeRunner(const api::Options &options) const {
  glow_runner *made;
  api::check(glow_runner_new(model->get(), options.get(), &made));
  return Runner(made);
}

void Engine::compileRanges() {
  const std::vector<Range> ranges = rangesOf(settings);
  if (ranges.empty())
    return;
  api::Options options = optionsOf(settings);
  for (const auto &[dimension, least, most, multiple] : ranges)
    options.setRange(dimension, least, most, multiple);
  ranged = std::make_unique<Compiled>(Shapes(), model->compile(options));
}

/// Null if only a run knows some sizes: then there is a runner.
std::shared_ptr<Engine::Compiled> Engine::compile(Shapes shapes) {
  api::Options options = optionsOf(settings);
  for (size_t i = 0; i < theInputs.size(); ++i)
    if (isOpen(theInputs[i]))
      options.setShape(theInputs[i].name, shapes[i]);
  glow_program *program;
  const glow_status status = glow_compile(
      const_cast<glow_model *>(model->get()), options.get(), &program);
  if (status == GLOW_UNSUPPORTED) {
    runner = makeRunner(optionsOf(settings));
    return nullptr;
  }
  api::check(status);
  return std::make_shared<Compiled>(std::move(shapes), api::Program(program));
}

static bool sameShapes(const std::vector<std::vector<int64_t>> &shapes,
                       const std::vector<Tensor> &arguments) {
  for (size_t i = 0; i < shapes.size(); ++i)
    if (!std::ranges::equal(shapes[i], arguments[i].shape))
      return false;
  return true;
}

/// Null if there is a runner.
std::shared_ptr<Engine::Compiled>
Engine::programFor(const std::vector<Tensor> &arguments) {
  std::lock_guard lock(mutex);
  if (runner)
    return nullptr;
  for (auto it = programs.begin(); it != programs.end(); ++it)
    if (sameShapes((*it)->shapes, arguments)) {
      programs.splice(programs.begin(), programs, it);
      return programs.front();
    }
  Shapes shapes;
  for (const Tensor &argument : arguments)
    shapes.emplace_back(argument.shape.begin(), argument.shape.end());
  std::shared_ptr<Compiled> compiled = compile(std::move(shapes));
  if (!compiled)
    return nullptr;
  programs.push_front(compiled);
  if (programs.size() > mostPrograms)
    programs.pop_back(); // its runs keep it until they end
  return compiled;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

static bool takes(const api::TensorInfo &input, const Tensor &tensor) {
  if (kindOf(tensor.element) != input.kind ||
      tensor.shape.size() != input.shape.size())
    return false;
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    if (input.shape[d] >= 0 && input.shape[d] != tensor.shape[d])
      return false;
  return true;
}

static std::string textOf(const Tensor &tensor) {
  TensorType type;
  type.element = tensor.element;
  type.shape.assign(tensor.shape.begin(), tensor.shape.end());
  return type.text();
}

/// ONNX Runtime has checked inputs of the model, but not values between nodes,
/// whose sizes may differ from those that it inferred.
void Engine::check(const std::vector<Tensor> &arguments) const {
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!takes(theInputs[i], arguments[i]))
      throw Failure(ORT_INVALID_ARGUMENT,
                    "'" + theInputs[i].name + "' is " + textOf(arguments[i]) +
                        ", which is not the type that the model declares");
}

void Engine::run(const std::vector<Tensor> &arguments, const Place &place,
                 Watch *watch) {
  check(arguments);
  if (ranged && runRanged(arguments, place, watch))
    return;
  if (std::shared_ptr<Compiled> compiled = programFor(arguments))
    runCall(*compiled, takeCall(*compiled), arguments, place, watch);
  else
    runRunner(*runner, arguments, place);
}

Engine::Call Engine::takeCall(Compiled &compiled) {
  {
    std::lock_guard lock(compiled.mutex);
    if (!compiled.idle.empty()) {
      Call call = std::move(compiled.idle.back());
      compiled.idle.pop_back();
      return call;
    }
  }
  glow_call *made;
  api::check(glow_call_new(compiled.program.get(), &made));
  return Call(made);
}

/// Outputs of a run in memory of its own, until their sizes are known.
class Engine::Scratch {
public:
  void *add(size_t bytes) {
    return memory.emplace_back(std::make_unique<char[]>(bytes + 1)).get();
  }
  /// Copies what the run has written.
  void copyTo(const Place &place, const glow_call *call) const {
    for (size_t i = 0; i < memory.size(); ++i) {
      glow_tensor_info info;
      api::check(glow_call_written(call, i, &info));
      void *to = place(i, {info.shape, info.shape + info.rank});
      if (info.bytes)
        std::memcpy(to, memory[i].get(), info.bytes);
    }
  }

private:
  std::vector<std::unique_ptr<char[]>> memory;
};

static void runWatched(glow_call &call, const std::vector<const void *> &inputs,
                       const std::vector<void *> &outputs, Watch *watch) {
  if (watch)
    watch->begin(call);
  const glow_status status = glow_run_on(&call, inputs.data(), outputs.data());
  if (status == GLOW_OK && !watch)
    return;
  const api::Error error(status); // before a function changes the message
  if (watch)
    watch->end(call);
  if (status != GLOW_OK)
    throw error;
}

void Engine::runCall(Compiled &compiled, Call call,
                     const std::vector<Tensor> &arguments, const Place &place,
                     Watch *watch) {
  std::vector<const void *> inputs;
  for (const Tensor &argument : arguments)
    inputs.push_back(argument.data);
  std::vector<void *> outputs;
  Scratch scratch;
  for (size_t i = 0; i < glow_program_outputs(compiled.program.get()); ++i) {
    glow_tensor_info info;
    api::check(glow_call_output(call.get(), i, &info));
    outputs.push_back(compiled.computesSizes
                          ? scratch.add(info.bytes)
                          : place(i, {info.shape, info.shape + info.rank}));
  }
  runWatched(*call, inputs, outputs, watch);
  if (compiled.computesSizes)
    scratch.copyTo(place, call.get());
  std::lock_guard lock(compiled.mutex);
  compiled.idle.push_back(std::move(call));
}

/// False for sizes outside of the ranges or of the conditions of their program.
bool Engine::runRanged(const std::vector<Tensor> &arguments, const Place &place,
                       Watch *watch) {
  Call call = takeCall(*ranged);
  std::vector<const int64_t *> shapes;
  for (const Tensor &argument : arguments)
    shapes.push_back(argument.shape.data());
  const glow_status status = glow_call_set_shapes(call.get(), shapes.data());
  if (status == GLOW_SHAPE_MISMATCH) {
    std::lock_guard lock(ranged->mutex);
    ranged->idle.push_back(std::move(call));
    return false;
  }
  api::check(status);
  runCall(*ranged, std::move(call), arguments, place, watch);
  return true;
}

void Engine::runRunner(glow_runner &runner,
                       const std::vector<Tensor> &arguments,
                       const Place &place) {
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto &[element, shape, data] = arguments[i];
    api::check(glow_runner_set(&runner, theInputs[i].name.c_str(),
                               theInputs[i].kind, shape.size(), shape.data(),
                               data));
  }
  api::check(glow_runner_run(&runner));
  for (size_t i = 0; i < glow_runner_outputs(&runner); ++i) {
    glow_tensor_info info;
    const void *data;
    api::check(glow_runner_output(&runner, i, &info, &data));
    void *memory = place(i, {info.shape, info.shape + info.rank});
    if (info.bytes)
      std::memcpy(memory, data, info.bytes);
  }
}
