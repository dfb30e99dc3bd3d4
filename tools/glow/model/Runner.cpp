//===- Runner.cpp - a model compiled for requested shapes -----------------===//
// SPDX-License-Identifier: MIT

#include "Runner.h"
#include "cli/ChildProcess.h"
#include <algorithm>
#include <limits>

using namespace glow;
using namespace glow::tool;

/// The exit status of a child that could decide whether it can read a file.
static constexpr int toldStatus = 100;

/// LLVM's reader of bytecode ends the process at some mistakes in it, so that
/// another one reads it first.
static Status tryToRead(SessionFactory &sessions, const std::string &path) {
  Status status;
  ChildWork work;
  work.count = 1;
  work.seconds = std::numeric_limits<int32_t>::max();
  work.run = [&](size_t) {
    (void)sessions.open(path);
    return toldStatus;
  };
  work.ended = [&](size_t, Result<ChildResult> child) {
    if (!child)
      status = child.status();
    else if (child->signal || child->exitStatus != toldStatus)
      status = failure(Code::InvalidArgument, path,
                       " is damaged: reading it ends the process",
                       child->signal ? " by signal " : "",
                       child->signal ? std::to_string(child->signal) : "");
  };
  runInChildren(work);
  return status;
}

Result<std::shared_ptr<Session>> tool::openModel(SessionFactory &sessions,
                                                 const std::string &path) {
  // A program without phases becomes the compiler when it opens the model, and
  // the compiler calls this function again.
  if (path.ends_with(".mlirbc") && !sessions.phaseNames().empty())
    if (Status status = tryToRead(sessions, path); !status.ok())
      return status;
  Activity reading("reading the model");
  Result<std::unique_ptr<Session>> opened = sessions.open(path);
  if (!opened)
    return opened.status();
  return std::shared_ptr<Session>(opened.take());
}

Result<std::shared_ptr<Session>> tool::openModel(const ModelOptions &options) {
  Result<std::shared_ptr<Session>> session =
      openModel(*options.sessions, options.model);
  if (session && !options.function.empty())
    if (Status status = (*session)->choose(options.function); !status.ok())
      return status;
  return session;
}

CompileRequest tool::requestOf(const ModelOptions &options,
                               std::map<std::string, Ints> shapes) {
  CompileRequest request;
  request.path = options.model;
  request.backend = options.backend;
  request.shapes = std::move(shapes);
  request.sizes = rangesOf(options.shapes);
  if (!options.specialize.empty())
    request.specialize = *specializeNamed(options.specialize);
  request.maxIterations = options.maxIterations;
  request.predicates = options.predicates;
  request.cacheDir = options.cacheDir;
  request.code = options.code;
  request.partition = options.partition;
  request.states = stateRequestOf(options.states).take();
  return request;
}

Runner::Runner(std::shared_ptr<Session> session, CompileRequest request,
               unsigned threads)
    : session(session), theBackend(request.backend),
      model(std::move(session), std::move(request), DeviceOptions{threads}) {}

static const Tensor *heldTensor(const NamedTensor &input) {
  return &input.tensor;
}
static const Tensor *heldTensor(const NamedValue &input) {
  return input.value.tensor();
}

/// The shapes of tensors, which must be those that the model takes.
template <typename Value>
Result<std::map<std::string, Ints>>
Runner::shapesOf(std::span<const Value> inputs) {
  InputShapes shapes(session->inputs());
  for (const Value &input : inputs)
    if (const Tensor *tensor = heldTensor(input))
      if (Status status = shapes.setType(input.name, tensor->type());
          !status.ok())
        return status;
  for (const Binding &input : session->inputs())
    if (std::ranges::none_of(inputs, [&](const Value &given) {
          return given.name == input.name;
        }))
      return failure(Code::NotFound, "input '", input.name,
                     "' is not given; it should be ", typeText(input));
  return shapes.known();
}

template <typename Run> Status Runner::timed(Run run) {
  Stopwatch running;
  Status status = run();
  runTime = running.milliseconds();
  compileTime = model.compileTime;
  loadTime = model.loadTime;
  // A stage is compiled when the run comes to it.
  if (model.stages())
    runTime -= compileTime;
  return status;
}

Status Runner::run(std::span<const NamedTensor> inputs,
                   std::vector<NamedTensor> &outputs) {
  Result<std::map<std::string, Ints>> shapes = shapesOf(inputs);
  if (!shapes)
    return shapes.status();
  Result<std::vector<Constant>> values = smallValues(inputs);
  if (!values)
    return values.status();
  {
    Activity compiling("compiling");
    if (Status status = model.prepare(*shapes, values.take()); !status.ok())
      return status;
  }
  Activity running("running");
  return runPrepared(inputs, outputs);
}

Status Runner::run(std::span<const NamedValue> inputs,
                   std::vector<NamedValue> &outputs) {
  if (Result<std::map<std::string, Ints>> shapes = shapesOf(inputs); !shapes)
    return shapes.status();
  {
    Activity compiling("compiling");
    if (Status status = model.prepare(inputs); !status.ok())
      return status;
  }
  Activity running("running");
  return timed([&] { return model.runPrepared(inputs, outputs); });
}

Status Runner::runPrepared(std::span<const NamedTensor> inputs,
                           std::vector<NamedTensor> &outputs) {
  return timed([&] { return model.runPrepared(inputs, outputs); });
}

std::string Runner::preparation() const {
  const std::string loaded = "loaded in " + timeText(loadTime);
  switch (model.source) {
  case Session::Source::Compiler:
    return "compiled in " + timeText(compileTime) + ", " + loaded;
  case Session::Source::Cache:
    return "found in the cache in " + timeText(compileTime) + ", " + loaded;
  case Session::Source::File:
    break;
  }
  return loaded;
}

void Runner::addPreparation(Json &json) const {
  const bool isCompiled = model.source == Session::Source::Compiler;
  json["compile_ms"] = isCompiled ? compileTime : 0;
  if (model.source == Session::Source::Cache)
    json["cache_ms"] = compileTime;
  json["load_ms"] = loadTime;
}

void Runner::collect(std::shared_ptr<StepObserver> observer) {
  model.host().observe(std::move(observer));
}
