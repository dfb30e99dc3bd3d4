//===- Partition.cpp - glow partition: a model for several devices --------===//
// SPDX-License-Identifier: MIT

#include "cli/Help.h"
#include "data/Inputs.h"
#include "glow/Base/NewFile.h"
#include "glow/Runtime/PartsFile.h"
#include "glow/Toolchain/Toolchain.h"
#include "model/PartitionOptions.h"
#include "report/Layers.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct PartitionCommand {
  ModelOptions model;
  std::vector<std::string> whatIf; ///< unparsed
  std::string output, json;
  bool measure = false;
};

} // namespace

/// Runs the model whole on each kind of device, for the times of its nodes.
/// Devices of one backend with as many threads are the same here.
static Status measure(std::shared_ptr<Session> session,
                      const PartitionCommand &options,
                      PartitionRequest &request) {
  InputOptions asked = inputsOf(options.model, *session);
  asked.seed = 0;
  Result<std::vector<NamedTensor>> inputs =
      makeInputs(session->inputs(), asked);
  if (!inputs)
    return inputs.status().prefixed("--measure: ");
  std::map<std::string, Ints> shapes;
  for (const NamedTensor &input : *inputs)
    shapes[input.name] = input.tensor.type().shape;
  std::map<std::pair<std::string, unsigned>, std::map<std::string, double>> all;
  for (PartitionDevice &device : request.devices) {
    auto [times, isNew] = all.try_emplace({device.backend, device.threads});
    if (isNew) {
      ModelOptions alone = options.model;
      alone.partition.reset();
      alone.backend = device.backend;
      alone.threads = device.threads;
      Result<Layers> layers =
          layersOf(session, requestOf(alone, shapes), &*inputs);
      if (!layers)
        return layers.status().prefixed("--measure on '" + device.name + "': ");
      for (const Layer &layer : layers->rows)
        times->second[nodeOf(layer.report)] += layer.measured / 1e3;
    }
    device.measured = times->second;
  }
  return Status();
}

/// The text of the parts, and what was found.
static Result<std::string> partition(Session &session,
                                     const PartitionCommand &options,
                                     CompileRequest compile,
                                     const PartitionRequest &request) {
  compile.partition = request;
  if (options.output.ends_with(".dot"))
    return drawModel(session, compile, "partition", {});
  const bool isBytecode = options.output.ends_with(".mlirbc");
  return session.print(compile, "partition", isBytecode);
}

static Status writeProgram(Session &session, const PartitionCommand &options,
                           CompileRequest compile) {
  compile.partition = options.model.partition;
  Result<Program> program = session.compile(compile);
  return program ? writeParts(options.output, *program) : program.status();
}

static Status run(PartitionCommand &options) {
  if (Status status =
          checkOutputs({options.output, options.json},
                       {options.model.model, options.model.devices});
      !status.ok())
    return status;
  if (Status status = readPartition(options.model); !status.ok())
    return status;
  PartitionRequest &request = *options.model.partition;
  Result<std::shared_ptr<Session>> session = openModel(options.model);
  if (!session)
    return session.status();
  Result<CompileRequest> whole =
      completeRequest(options.model, (*session)->inputs());
  if (!whole)
    return (*session)->withRefusedNodes(whole.status());
  setClock(request);
  if (options.measure)
    if (Status status = measure(*session, options, request); !status.ok())
      return status;
  Result<std::string> parts = partition(**session, options, *whole, request);
  if (!parts)
    return parts.status();
  if (options.json != "-")
    std::fputs(asText(*request.report).c_str(), stdout);
  Result<std::vector<WhatIf>> others =
      tryWhatIf(**session, *whole, request, options.whatIf);
  if (!others)
    return others.status();
  if (options.json != "-")
    std::fputs(asText(*others).c_str(), stdout);
  Json json = asJson(*request.report);
  if (!others->empty())
    json["what_if"] = asJson(*others);
  if (Status status = writeJson(options.json, json); !status.ok())
    return status;
  if (options.output.ends_with(".parts"))
    return writeProgram(**session, options, whole.take());
  return options.output.empty() ? Status() : writeFile(options.output, *parts);
}

Subcommand tool::addPartition(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "partition", "cut a model into parts, each for one of several devices");
  addExamples(*app, {"glow partition model.onnx --devices devices.json",
                     "glow partition model.onnx --devices devices.json --mode "
                     "pipeline --measure -o model.parts"});
  auto options = std::make_shared<PartitionCommand>();
  addModelOptions(*app, options->model, sessions);
  addDevicesOption(*app, options->model);
  app->get_option("--devices")->required();
  options->model.partitionMode = "latency";
  addPartitionOptions(*app, "--mode", options->model);
  addWhatIfOption(*app, options->whatIf);
  app->add_flag("--measure", options->measure,
                "run the model on every kind of device, for the times of its "
                "nodes, in place of predicting them");
  app->add_option("-o,--output", options->output,
                  "the parts: .parts, compiled for this processor; .mlirbc, a "
                  "module with all weights; .mlir, to be read, where long ones "
                  "are left out; .dot, a drawing with a colour for each device")
      ->type_name("FILE")
      ->check(CLI::Validator(
          [](const std::string &path) {
            for (const char *ending : {".parts", ".mlirbc", ".mlir", ".dot"})
              if (path.ends_with(ending))
                return std::string();
            return "'" + path +
                   "' should end with .parts, .mlirbc, .mlir or .dot";
          },
          ""));
  addJsonOption(*app, options->json, "devices, parts, transfers and times");
  return {app, [options] {
            Status status = run(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
