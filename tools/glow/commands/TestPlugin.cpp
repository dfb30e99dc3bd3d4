//===- TestPlugin.cpp - glow test-plugin, test-backend: promises are kept -===//
// SPDX-License-Identifier: MIT

#include "cli/ChildProcess.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "cli/Plugins.h"
#include "cli/Tool.h"
#include "data/Cases.h"
#include "glow/Base/Plugin.h"
#include "glow/Program/BackendRecord.h"
#include "glow/Samples/Cases.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <sys/resource.h>

using namespace glow;
using namespace glow::tool;

namespace {

struct PluginOptions : CaseOptions {
  std::string plugin; ///< "" for a registered backend
  std::string backend;
  bool opensSizes = false;
};

struct TriedCase {
  SampleCase test;
  Outcome outcome = Outcome::Failed;
  std::string reason = "";
  double seconds = 0;
};

constexpr int skippedStatus = 2;
constexpr std::string_view failedMark = "FAILED: ";

} // namespace

static Status checkBackendName(const std::string &name) {
  std::string known;
  for (const BackendRecord &backend : backendRecords()) {
    if (name.empty() || name == backend.name)
      return Status();
    known += (known.empty() ? "" : ", ") + std::string(backend.name);
  }
  return Status(Code::NotFound,
                "no backend is named '" + name + "'; there are: " + known);
}

/// The cases of the records that the plug-in adds. Without a plug-in, the cases
/// of the registered backend's own records.
static Result<std::vector<TriedCase>> casesOf(const PluginOptions &options) {
  CaseChoice choice;
  choice.known = KnownRecords::registered();
  choice.backend = options.backend;
  if (options.opensSizes)
    choice.openSizes = CaseChoice::OpenSizes::All;
  if (!options.plugin.empty() && isPluginLoaded(options.plugin))
    return failure(
        Code::InvalidArgument, "--load-backend has loaded '", options.plugin,
        "' already, so that nothing of it would be new: leave that "
        "option out, or try its backend by 'glow test-backend NAME'");
  if (!options.plugin.empty())
    if (Status status = loadPluginOf(options.plugin); !status.ok())
      return status;
  if (Status status = checkBackendName(options.backend); !status.ok())
    return status;
  if (options.plugin.empty())
    choice.known.backends.erase(options.backend);
  auto isChosen = matcherOf(options.filter);
  if (!isChosen)
    return isChosen.status();
  std::vector<TriedCase> cases;
  for (SampleCase &test : sampleCases(choice))
    if ((*isChosen)(test.name))
      cases.push_back({std::move(test)});
  if (cases.empty() && !options.filter.empty())
    return failure(Code::NotFound, "no case has a match of --filter '",
                   options.filter, "'");
  return cases;
}

/// In the child.
static int runCase(const SampleCase &test) {
  // A crash is an outcome here, of which no image on disk is wanted.
  struct rlimit none = {0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  CaseOutcome outcome = test.run();
  if (outcome.why.empty())
    return 0;
  // Kernels of the plug-in may have begun a line.
  std::printf("\n%s%s\n", failedMark.data(), oneLine(outcome.why).c_str());
  return outcome.skipped ? skippedStatus : 1;
}

static void noteOutcome(TriedCase &tried, const Result<ChildResult> &child,
                        double timeout) {
  if (!child) {
    tried.reason = child.status().message();
    return;
  }
  tried.seconds = child->seconds;
  bool ended = !child->timedOut && child->signal == 0;
  if (ended && child->exitStatus == 0)
    tried.outcome = Outcome::Passed;
  else if (ended && child->exitStatus == skippedStatus)
    tried.outcome = Outcome::Skipped;
  if (tried.outcome != Outcome::Passed)
    tried.reason = reasonOf(*child, timeout);
}

static void runCases(std::vector<TriedCase> &cases,
                     const PluginOptions &options) {
  size_t done = 0;
  runInChildren({cases.size(), options.jobs, options.timeout,
                 [&](size_t i) { return runCase(cases[i].test); },
                 [&](size_t i, Result<ChildResult> child) {
                   noteOutcome(cases[i], child, options.timeout);
                   showProgress(std::to_string(++done) + " of " +
                                std::to_string(cases.size()) + ": " +
                                cases[i].test.name);
                 }});
  showProgress("");
}

static Json caseAsJson(const TriedCase &tried) {
  return {{"name", tried.test.name},   {"subject", tried.test.subject},
          {"place", tried.test.place}, {"outcome", outcomeName(tried.outcome)},
          {"reason", tried.reason},    {"seconds", tried.seconds}};
}

/// Many kinds are left out for the same reason. It is reported once, with the
/// values of the first kind.
static void sayWhatIsLeftOut(const std::vector<TriedCase> &cases) {
  std::map<std::pair<std::string, std::string>, std::vector<const TriedCase *>>
      reasons;
  for (const TriedCase &tried : cases)
    if (tried.outcome == Outcome::Skipped)
      reasons[{tried.test.subject,
               tried.reason.substr(0, tried.reason.find("; here "))}]
          .push_back(&tried);
  for (const auto &[reason, left] : reasons)
    printText(
        "skipped %s%s: %s (%s)\n", left.front()->test.name.c_str(),
        left.size() == 1
            ? ""
            : (", and " + std::to_string(left.size() - 1) + " more").c_str(),
        oneLine(left.front()->reason).c_str(),
        left.front()->test.place.c_str());
}

static int report(const std::vector<TriedCase> &cases,
                  const PluginOptions &options) {
  if (options.json == "-")
    silenceText();
  std::map<Outcome, int> totals;
  std::map<std::string, std::map<Outcome, int>> subjects;
  Json json = {{"plugin", options.plugin},
               {"backend", options.backend},
               {"cases", Json::array()}};
  for (const TriedCase &tried : cases) {
    ++totals[tried.outcome];
    ++subjects[tried.test.subject][tried.outcome];
    json["cases"].push_back(caseAsJson(tried));
    if (tried.outcome == Outcome::Failed)
      printText("failed %s: %s (%s)\n", tried.test.name.c_str(),
                oneLine(tried.reason).c_str(), tried.test.place.c_str());
  }
  sayWhatIsLeftOut(cases);
  printText("\n%-40s %7s %7s %7s\n", "record", "passed", "failed", "skipped");
  for (auto &[name, count] : subjects)
    printText("%-40s %7d %7d %7d\n", name.c_str(), count[Outcome::Passed],
              count[Outcome::Failed], count[Outcome::Skipped]);
  int passed = totals[Outcome::Passed], wrong = totals[Outcome::Failed];
  int skipped = totals[Outcome::Skipped];
  json.update({{"passed", passed}, {"failed", wrong}, {"skipped", skipped}});
  if (Status status = writeJson(options.json, json); !status.ok())
    return fail(status);
  printText("\n%d passed, %d failed, %d skipped\n", passed, wrong, skipped);
  return wrong == 0 ? 0 : differsStatus;
}

static int testPlugin(const PluginOptions &options) {
  Result<std::vector<TriedCase>> cases = casesOf(options);
  if (!cases)
    return fail(cases.status());
  std::vector<std::string> inputs;
  if (!options.plugin.empty())
    inputs.push_back(options.plugin);
  if (Status status = checkOutputs({options.json}, inputs); !status.ok())
    return fail(status);
  runCases(*cases, options);
  return report(*cases, options);
}

Subcommand tool::addTestPlugin(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "test-plugin", "try what the records of a plug-in promise: samples, "
                     "refusals, gradients, rules and rewrites, each in a "
                     "process of its own");
  addExamples(*app, {"glow test-plugin ./own.so",
                     "glow test-plugin ./own.so --filter=gradient"});
  auto options = std::make_shared<PluginOptions>();
  app->add_option("FILE.so", options->plugin,
                  "the plug-in, which --load-backend must not load too")
      ->required();
  app->add_option("--backend", options->backend,
                  "only this backend beside the reference; default: all that "
                  "run a node")
      ->type_name("NAME");
  addCaseOptions(*app, *options);
  return {app, [options] { return testPlugin(*options); }};
}

Subcommand tool::addTestBackend(CLI::App &glow, SessionFactory &) {
  CLI::App *app = glow.add_subcommand(
      "test-backend",
      "try what a backend's records claim: samples of every node that it runs, "
      "within the bounds of its kernels, each in a process of its own");
  addExamples(*app, {"glow test-backend cpu",
                     "glow --load-backend=./own.so test-backend own"});
  auto options = std::make_shared<PluginOptions>();
  app->add_option("NAME", options->backend,
                  "the backend; of a plug-in that --load-backend loads, too")
      ->required();
  app->add_flag("--open-sizes", options->opensSizes,
                "run samples with open sizes, too");
  addCaseOptions(*app, *options);
  return {app, [options] { return testPlugin(*options); }};
}
