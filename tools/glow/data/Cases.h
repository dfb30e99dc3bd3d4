//===- Cases.h - recorded ONNX cases in folders -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_DATA_CASES_H
#define GLOW_TOOLS_GLOW_DATA_CASES_H

#include "glow/Base/Status.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace glow::tool {

enum class Outcome { Passed, Failed, Skipped };

/// "passed", "failed", "skipped".
const char *outcomeName(Outcome outcome);

/// Options of commands that run many cases, each in a process of its own.
struct CaseOptions {
  std::string filter, json;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 60; ///< seconds for a case
};
void addCaseOptions(CLI::App &app, CaseOptions &options);

/// A folder with a model, and the outcome of its run.
struct OnnxCase {
  /// Its path below the folder it was looked for in; with that folder's name in
  /// front if there are several.
  std::string name;
  std::string folder;
  Outcome outcome = Outcome::Failed;
  std::string reason; ///< why it did not pass
  double seconds = 0;
};

/// The model of a case: model.onnx in the folder, or the folder itself if it
/// has the nets of Caffe2; "" if it has neither.
std::string modelOfCase(const std::string &folder);

/// All cases below the folders, by name. Cases without a data set are skipped,
/// with that reason. With a filter, only cases whose name has a match. Fails
/// with Code::NotFound if there is none, or if a folder is none;
/// Code::InvalidArgument if the filter is no regular expression.
Result<std::vector<OnnxCase>> findCases(const std::vector<std::string> &folders,
                                        const std::string &filter);

/// Whether a regular expression has a match in a name. Fails with
/// Code::InvalidArgument if --filter `filter` is none.
Result<std::function<bool(const std::string &)>>
matcherOf(const std::string &filter);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_DATA_CASES_H
