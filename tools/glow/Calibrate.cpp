//===- Calibrate.cpp - glow calibrate: the cost model of this host --------===//

#include "glow/Toolchain/Calibrate.h"
#include "Inputs.h"
#include "Layers.h"
#include <cstdio>

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

static Status measureHost(const ModelOptions &options) {
  if (options.cacheDir.empty())
    return Status(Code::InvalidArgument,
                  "there is no folder to keep the numbers in; say --cache-dir");
  // Compiled anew for each of the numbers.
  ModelOptions probe = options;
  probe.cacheDir.clear();
  auto time = [&](const std::string &path, const CodeOptions &code,
                  bool measure) {
    probe.model = path;
    probe.code = code;
    return timeOf(probe, measure);
  };
  Result<std::string> numbers = glow::calibrate(options.backend, time);
  if (!numbers)
    return numbers.status();
  if (Status status = keepMeasured(options.cacheDir, options.backend, *numbers);
      !status.ok())
    return status;
  std::fwrite(numbers->data(), 1, numbers->size(), stdout);
  std::printf("kept in %s\n", options.cacheDir.c_str());
  return Status();
}

Subcommand tool::addCalibrate(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "calibrate", "measure this host for the cost model, once");
  auto options = std::make_shared<ModelOptions>();
  options->sessions = &sessions;
  addBackendOption(*app, options->backend);
  addCacheOption(*app, options->cacheDir);
  return {app, [options] {
            Status status = measureHost(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
