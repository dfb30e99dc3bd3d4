//===- Cases.cpp - recorded ONNX cases in folders -------------------------===//
// SPDX-License-Identifier: MIT

#include "Cases.h"
#include "DataSet.h"
#include "cli/Numbers.h"
#include <algorithm>
#include <filesystem>
#include <memory>
#include <re2/re2.h>

using namespace glow;
using namespace glow::tool;
namespace fs = std::filesystem;
using re2::RE2;

const char *tool::outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Passed:
    return "passed";
  case Outcome::Failed:
    return "failed";
  case Outcome::Skipped:
    break;
  }
  return "skipped";
}

void tool::addCaseOptions(CLI::App &app, CaseOptions &options) {
  app.add_option("--filter", options.filter,
                 "only cases whose name has a match of this expression")
      ->type_name("REGEX");
  addNumber(app, "--jobs", options.jobs, 1u, 1024u,
            "cases that run at one time")
      ->type_name("N");
  addNumber(app, "--timeout", options.timeout, 1e-3, 1e6,
            "limit for a case, in seconds")
      ->type_name("SECONDS");
  addJsonOption(app, options.json, "all outcomes");
}

/// "node" of "data/node" and "data/node/".
static std::string lastName(const fs::path &folder) {
  return fs::absolute(folder / "").lexically_normal().parent_path().filename();
}

std::string tool::modelOfCase(const std::string &folder) {
  std::error_code error;
  const fs::path path(folder);
  if (fs::exists(path / "model.onnx", error))
    return folder + "/model.onnx";
  for (const char *net : {"predict_net.pb", "predict_net.pbtxt"})
    if (fs::exists(path / net, error))
      return folder;
  return "";
}

static OnnxCase makeCase(const fs::path &folder, const fs::path &root) {
  OnnxCase test;
  test.folder = folder.string();
  fs::path below = folder.lexically_relative(root);
  // A case that was named itself has no path below.
  test.name = below == "." ? lastName(folder) : below.string();
  if (!findDataSets(test.folder)) {
    test.outcome = Outcome::Skipped;
    test.reason = "it has no test_data_set_0";
  }
  return test;
}

static Status findBelow(const std::string &root, std::vector<OnnxCase> &cases) {
  std::error_code error;
  if (!fs::is_directory(root, error))
    return failure(Code::NotFound, "there is no folder '", root, "'");
  if (!modelOfCase(root).empty()) {
    cases.push_back(makeCase(root, root));
    return Status();
  }
  fs::recursive_directory_iterator entries(
      root, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::end(entries); entries.increment(error)) {
    std::error_code ignored;
    if (!entries->is_directory(ignored) ||
        modelOfCase(entries->path().string()).empty())
      continue;
    cases.push_back(makeCase(entries->path(), root));
    entries.disable_recursion_pending();
  }
  if (error)
    return failure(Code::NotFound, "cannot look through '", root,
                   "': ", error.message());
  return Status();
}

Result<std::function<bool(const std::string &)>>
tool::matcherOf(const std::string &filter) {
  RE2::Options options;
  options.set_log_errors(false);
  auto expression = std::make_shared<RE2>(filter, options);
  if (!expression->ok())
    return failure(Code::InvalidArgument, "--filter '", filter,
                   "' should be a regular expression: ", expression->error());
  return std::function<bool(const std::string &)>(
      [expression](const std::string &name) {
        return RE2::PartialMatch(name, *expression);
      });
}

Result<std::vector<OnnxCase>>
tool::findCases(const std::vector<std::string> &folders,
                const std::string &filter) {
  std::vector<OnnxCase> cases;
  for (const std::string &folder : folders) {
    size_t first = cases.size();
    if (Status status = findBelow(folder, cases); !status.ok())
      return status;
    // Cases of several folders may have the same names.
    for (size_t i = first; i < cases.size() && folders.size() > 1; ++i)
      if (std::string root = lastName(folder); cases[i].name != root)
        cases[i].name = root + "/" + cases[i].name;
  }
  if (cases.empty())
    return failure(
        Code::NotFound, "there is no case below '", folders[0],
        "': a case is a folder with model.onnx or predict_net.pb, and "
        "test_data_set_0");
  auto isChosen = matcherOf(filter);
  if (!isChosen)
    return isChosen.status();
  std::erase_if(cases,
                [&](const OnnxCase &test) { return !(*isChosen)(test.name); });
  if (cases.empty())
    return failure(Code::NotFound, "no case has a match of --filter '", filter,
                   "'");
  std::sort(cases.begin(), cases.end(),
            [](const auto &a, const auto &b) { return a.name < b.name; });
  return cases;
}
