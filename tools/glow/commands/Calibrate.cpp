//===- Calibrate.cpp - glow calibrate: the cost model of this host --------===//
// SPDX-License-Identifier: MIT

#include "glow/Toolchain/Calibrate.h"
#include "cli/Help.h"
#include "data/Inputs.h"
#include "report/Busy.h"
#include "report/Layers.h"
#include <cstdio>
#include <thread>

using namespace glow;
using namespace glow::tool;

static Result<ProbeTime> timeOf(const ModelOptions &options, bool measure) {
  Result<std::shared_ptr<Session>> session = openModel(options);
  if (!session)
    return session.status();
  std::vector<NamedTensor> inputs;
  if (measure) {
    InputOptions asked;
    asked.seed = 0;
    Result<std::vector<NamedTensor>> made =
        makeInputs((*session)->inputs(), asked);
    if (!made)
      return made.status();
    inputs = made.take();
  }
  Result<Layers> layers =
      layersOf(session.take(), requestOf(options), measure ? &inputs : nullptr);
  if (!layers)
    return layers.status();
  ProbeTime time;
  for (const Layer &layer : layers->rows)
    time.predicted += layer.predicted, time.measured += layer.measured;
  return time;
}

namespace {

struct CalibrateOptions {
  ModelOptions model; ///< its backend and its cache
  bool undoes = false, forces = false;
};

} // namespace

/// Refuses where others work: their time would be taken for the processor's.
static Status checkIdle(const BusyWatch &busy,
                        const CalibrateOptions &options) {
  if (options.forces || !busy.isDisturbed())
    return Status();
  return failure(Code::Overloaded,
                 "the machine is busy: ", othersText(*busy.otherProcessors()),
                 "; measure when it is idle, or as it is with --force");
}

/// Reports the numbers of `glow explain` from here on.
static void printUse(const ModelOptions &options) {
  CompileRequest request = requestOf(options);
  std::printf("glow explain predicts by the numbers of %s\n",
              numbersOf(request).c_str());
}

static Status undo(const ModelOptions &options) {
  Result<bool> wasKept = dropMeasured(options.cacheDir, options.backend);
  if (!wasKept)
    return wasKept.status();
  std::printf("%s in %s\n",
              *wasKept ? "removed the numbers of this host"
                       : "there are no numbers of this host",
              options.cacheDir.c_str());
  printUse(options);
  return Status();
}

static Status measureHost(const CalibrateOptions &calibrate) {
  const ModelOptions &options = calibrate.model;
  if (options.cacheDir.empty())
    return Status(Code::InvalidArgument,
                  "there is no folder to keep the numbers in; say --cache-dir");
  if (Status status = checkMeasures(options.backend); !status.ok())
    return status;
  if (calibrate.undoes)
    return undo(options);
  if (!calibrate.forces) {
    BusyWatch before;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    if (Status status = checkIdle(before, calibrate); !status.ok())
      return status;
  }
  // Compiled anew for each of the numbers.
  ModelOptions probe = options;
  probe.cacheDir.clear();
  auto time = [&](const std::string &path, const CodeOptions &code,
                  bool measure) {
    probe.model = path;
    probe.code = code;
    return timeOf(probe, measure);
  };
  BusyWatch during;
  Result<std::string> numbers = glow::calibrate(options.backend, time);
  if (!numbers)
    return numbers.status();
  if (Status status = checkIdle(during, calibrate); !status.ok())
    return status;
  if (Status status = keepMeasured(options.cacheDir, options.backend, *numbers);
      !status.ok())
    return status;
  std::fputs(measuredAsText(options.backend, *numbers).c_str(), stdout);
  printUse(options);
  std::printf("kept in %s; glow calibrate --undo removes them\n",
              options.cacheDir.c_str());
  return Status();
}

Subcommand tool::addCalibrate(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "calibrate", "measure this host for the cost model, once");
  addExamples(*app, {"glow calibrate", "glow calibrate --undo"});
  auto options = std::make_shared<CalibrateOptions>();
  options->model.sessions = &sessions;
  addBackendOption(*app, options->model.backend);
  addCacheOption(*app, options->model.cacheDir);
  app->add_flag("--force", options->forces,
                "measure although other processes use processors, whose time "
                "makes the numbers wrong");
  app->add_flag("--undo", options->undoes,
                "remove what was measured, in place of measuring: predictions "
                "come from the numbers that Glow brings along")
      ->excludes("--force");
  return {app, [options] {
            Status status = measureHost(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
