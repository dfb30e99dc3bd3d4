//===- Explain.cpp - glow explain: placement of layers and reasons --------===//
// SPDX-License-Identifier: MIT

#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "data/Inputs.h"
#include "glow/Base/Counted.h"
#include "glow/Program/ProgramSeal.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Toolchain/Toolchain.h"
#include "model/PartitionOptions.h"
#include "report/Stages.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct ExplainOptions {
  ModelOptions model;
  std::vector<std::string> whatIf; ///< unparsed
  std::string json;
  bool measure = false, stub = false;

  bool isText() const { return json != "-"; }
};

} // namespace

static void print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// The choices for the layers of one program, if there are any.
static Result<Layers> findLayers(const std::shared_ptr<Session> &session,
                                 const ExplainOptions &options,
                                 const CompileRequest &request) {
  std::vector<NamedTensor> inputs;
  if (options.measure) {
    InputOptions asked = inputsOf(options.model, *session);
    asked.seed = 0;
    Result<std::vector<NamedTensor>> made =
        makeInputs(session->inputs(), asked);
    if (!made)
      return made.status();
    inputs = made.take();
  }
  return layersOf(session, request, options.measure ? &inputs : nullptr);
}

/// A model as one backend, or several of a partition, run it.
static Status printAll(const std::shared_ptr<Session> &session,
                       const ExplainOptions &options,
                       const CompileRequest &request,
                       const Explanation &explanation) {
  Result<Layers> layers = findLayers(session, options, request);
  if (!layers)
    return layers.status();
  layers->addArithmetic(arithmeticOf(*session, request), request);
  const auto &partition = options.model.partition;
  std::vector<WhatIf> others;
  if (partition) {
    Result<std::vector<WhatIf>> tried =
        tryWhatIf(*session, request, *partition, options.whatIf);
    if (!tried)
      return tried.status();
    others = tried.take();
  }
  if (options.isText())
    print(explainedAsText(
        explanation.text, *layers,
        partition ? asText(*partition->report) + asText(others) + "\n" : ""));
  if (options.json.empty())
    return Status();
  std::string text = explanation.text;
  if (options.isText()) {
    Result<Explanation> again = session->explain(request, /*json=*/true);
    if (!again)
      return again.status();
    text = again->text;
  }
  Json all = explainedAsJson(text, *layers);
  if (partition)
    all["partition"] = asJson(*partition->report);
  if (!others.empty())
    all["partition"]["what_if"] = asJson(others);
  return writeJson(options.json, all);
}

static Status printStubs(const std::string &model) {
  Result<std::string> stubs = operatorStubs(model);
  if (!stubs)
    return stubs.status();
  print(*stubs);
  return Status();
}

static Status explainProgram(const std::shared_ptr<Session> &session,
                             const ExplainOptions &options,
                             const CompileRequest &request) {
  Result<Explanation> found =
      session->explain(request, /*json=*/!options.isText());
  if (!found)
    return found.status();
  if (found->refused == 0)
    return printAll(session, options, request, *found);
  print(found->text);
  return failure(Code::Unsupported, "backend '", options.model.backend,
                 "' can neither run nor lower ",
                 counted(found->refused, "node"), " of '", options.model.model,
                 "'");
}

/// A compiled file has what was chosen for each step, and no nodes any more.
static Status explainFile(const std::shared_ptr<Session> &session,
                          const ExplainOptions &options) {
  const std::string &path = options.model.model;
  Result<Layers> layers =
      findLayers(session, options, requestOf(options.model));
  if (!layers)
    return layers.status();
  // Numbers of this host had no part in the choices.
  layers->numbers.clear();
  const std::string origin = textOfOrigin(path);
  if (Result<ProgramOrigin> found = checkProgramSeal(path);
      found && !found->processor.empty())
    layers->numbers = found->processor + ", when the file was compiled";
  if (options.isText())
    print((origin.empty() ? "" : path + ": " + origin + "\n") +
          beginningOf(*layers) + tablesOf(*layers));
  Json all = {{"model", path},
              {"backend", options.model.backend},
              {"origin", origin},
              {"run_arena_bytes", layers->arenaBytes}};
  addLayers(all, *layers);
  return writeJson(options.json, all);
}

static Status explain(const ExplainOptions &options) {
  if (options.stub)
    return printStubs(options.model.model);
  Result<std::shared_ptr<Session>> session = openModel(options.model);
  if (!session)
    return session.status();
  if (Status status = checkOutputs({options.json}, (*session)->files());
      !status.ok())
    return status;
  if (isProgramFile(options.model.model))
    return explainFile(*session, options);
  Activity explaining("explaining");
  Result<CompileRequest> request =
      completeRequest(options.model, (*session)->inputs());
  if (!request)
    return (*session)->withRefusedNodes(request.status());
  request->mayRunInStages = true;
  Status status = explainProgram(*session, options, *request);
  if (status.code() != Code::InStages)
    return status;
  Result<std::optional<CompileRequest>> whole =
      explainStages(*session, options.model, options.json, options.measure);
  if (!whole || !*whole)
    return whole.status();
  note("on chance, the values of the inputs make one program of the model; "
       "--value fixes one");
  return explainProgram(*session, options, **whole);
}

Subcommand tool::addExplain(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "explain", "say what runs where and why, and all that does not");
  addExamples(*app,
              {"glow explain model.onnx", "glow explain model.onnx --measure",
               "glow explain model.so",
               "glow explain model.onnx --devices devices.json",
               "glow explain model.onnx --json=explained.json"});
  auto options = std::make_shared<ExplainOptions>();
  addModelOptions(*app, options->model, sessions, modelOrCompiledFiles);
  addDevicesOption(*app, options->model);
  options->model.partitionMode = "latency";
  addPartitionOptions(*app, "--partition", options->model);
  addWhatIfOption(*app, options->whatIf)->needs("--devices");
  addCacheOption(*app, options->model.cacheDir);
  addPlanOption(*app, options->model.code.plans);
  CLI::Option *json = addJsonOption(*app, options->json, "all of it");
  app->add_flag("--measure", options->measure,
                "run the model on random inputs, for the time of every layer")
      ->excludes("--devices");
  app->add_flag("--stub", options->stub,
                "print a record to fill in for each operator that none imports")
      ->group(developerHeading)
      ->excludes(json);
  return {app, [options] {
            Status status;
            if (!options->model.devices.empty())
              status = readPartition(options->model);
            if (options->model.partition)
              setClock(*options->model.partition);
            if (status.ok())
              status = explain(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
