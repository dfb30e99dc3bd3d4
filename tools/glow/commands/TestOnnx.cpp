//===- TestOnnx.cpp - glow test-onnx: recorded cases, each in a child -----===//
// SPDX-License-Identifier: MIT

#include "cli/ChildProcess.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "data/Cases.h"
#include "data/DataSet.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/OnnxModel.h"
#include <cstdio>
#include <map>
#include <sys/resource.h>

using namespace glow;
using namespace glow::tool;

namespace {

struct TestOptions : CaseOptions {
  SessionFactory *sessions = nullptr;
  std::vector<std::string> folders;
  std::string backend;
  CodeOptions code;
};

/// The results of the cases with one operator.
struct OperatorCount {
  int passed = 0, failed = 0;
};

} // namespace

/// Runs all data sets of a case; the first difference is the reason.
static Status runAllSets(const std::string &folder,
                         const TestOptions &options) {
  Result<std::vector<std::string>> paths = findDataSets(folder);
  if (!paths)
    return paths.status();
  std::string model = modelOfCase(folder);
  Result<std::shared_ptr<Session>> session =
      openModel(*options.sessions, model);
  if (!session)
    return session.status();
  std::vector<DataSet> sets;
  for (const std::string &path : *paths) {
    Result<DataSet> set = readDataSet(path, **session);
    if (!set)
      return set.status();
    sets.push_back(set.take());
  }
  CompileRequest request{model, options.backend, {}, {}};
  request.code = options.code;
  Runner runner(*session, request, 1);
  Tolerance tolerance = Tolerance::ofOnnx();
  if (options.code.math == Math::Fast)
    tolerance = Tolerance().forFastMath();
  for (DataSet &set : sets) {
    DataSetResult result =
        runDataSet(runner, **session, std::move(set), tolerance);
    if (!result.status.ok())
      return result.status;
  }
  return Status();
}

/// In the child.
static int runCase(const std::string &folder, const TestOptions &options) {
  // A crash is an outcome here, of which no image on disk is wanted.
  struct rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  Status status = runAllSets(folder, options);
  return status.ok() ? 0 : fail(status);
}

static void noteOutcome(OnnxCase &test, const Result<ChildResult> &child,
                        double timeout) {
  if (!child) {
    test.reason = child.status().message();
    return;
  }
  test.seconds = child->seconds;
  bool passed =
      !child->timedOut && child->signal == 0 && child->exitStatus == 0;
  test.outcome = passed ? Outcome::Passed : Outcome::Failed;
  if (!passed)
    test.reason = reasonOf(*child, timeout);
}

static void runCases(std::vector<OnnxCase> &cases, const TestOptions &options) {
  std::vector<OnnxCase *> run;
  for (OnnxCase &test : cases)
    if (test.outcome != Outcome::Skipped)
      run.push_back(&test);
  size_t done = 0;
  runInChildren({run.size(), options.jobs, options.timeout,
                 [&](size_t i) { return runCase(run[i]->folder, options); },
                 [&](size_t i, Result<ChildResult> child) {
                   noteOutcome(*run[i], child, options.timeout);
                   showProgress(std::to_string(++done) + " of " +
                                std::to_string(run.size()) + ": " +
                                run[i]->name);
                 }});
  showProgress("");
}

static std::map<std::string, OperatorCount>
countOperators(const std::vector<OnnxCase> &cases) {
  std::map<std::string, OperatorCount> counts;
  for (const OnnxCase &test : cases) {
    if (test.outcome == Outcome::Skipped)
      continue;
    Result<std::string> bytes = readFile(test.folder + "/model.onnx");
    if (!bytes)
      continue;
    for (const std::string &name : onnxOperators(*bytes))
      ++(test.outcome == Outcome::Passed ? counts[name].passed
                                         : counts[name].failed);
  }
  return counts;
}

static Json caseAsJson(const OnnxCase &test) {
  return {{"name", test.name},
          {"outcome", outcomeName(test.outcome)},
          {"reason", test.reason},
          {"seconds", test.seconds}};
}

static int report(const std::vector<OnnxCase> &cases,
                  const TestOptions &options) {
  if (options.json == "-")
    silenceText();
  std::map<Outcome, int> totals;
  Json json = {{"backend", options.backend}, {"cases", Json::array()}};
  for (const OnnxCase &test : cases) {
    ++totals[test.outcome];
    json["cases"].push_back(caseAsJson(test));
    if (test.outcome != Outcome::Passed)
      printText("%s %s: %s\n", outcomeName(test.outcome), test.name.c_str(),
                oneLine(test.reason).c_str());
  }
  printText("\n%-40s %7s %7s\n", "operator", "passed", "failed");
  json["operators"] = Json::object();
  for (const auto &[name, count] : countOperators(cases)) {
    printText("%-40s %7d %7d\n", name.c_str(), count.passed, count.failed);
    json["operators"][name] = {{"passed", count.passed},
                               {"failed", count.failed}};
  }
  int passed = totals[Outcome::Passed], wrong = totals[Outcome::Failed];
  int skipped = totals[Outcome::Skipped];
  json.update({{"passed", passed}, {"failed", wrong}, {"skipped", skipped}});
  if (Status status = writeJson(options.json, json); !status.ok())
    return fail(status);
  printText("\n%d passed, %d failed, %d skipped\n", passed, wrong, skipped);
  return wrong == 0 ? 0 : differsStatus;
}

static int testOnnx(const TestOptions &options) {
  Result<std::vector<OnnxCase>> cases =
      findCases(options.folders, options.filter);
  if (!cases)
    return fail(cases.status());
  if (Status status = checkOutputs({options.json}, {}); !status.ok())
    return fail(status);
  runCases(*cases, options);
  return report(*cases, options);
}

Subcommand tool::addTestOnnx(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "test-onnx", "run recorded ONNX cases, each in a process of its own");
  addExamples(*app, {"glow test-onnx DIR",
                     "glow test-onnx DIR --filter=softmax --json=cases.json"});
  auto options = std::make_shared<TestOptions>();
  app->add_option("DIR", options->folders,
                  "folders; a case is a folder below with model.onnx and "
                  "test_data_set_K")
      ->required();
  options->sessions = &sessions;
  addBackendOption(*app, options->backend);
  addCodeOptions(*app, options->code);
  addCaseOptions(*app, *options);
  return {app, [options] { return testOnnx(*options); }};
}
