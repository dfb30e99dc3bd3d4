//===- Profile.cpp - profile of a call ------------------------------------===//
// SPDX-License-Identifier: MIT
//
// On a host of its own, so that nothing else is measured with it, and nothing
// else is slowed down by being watched.
//
//===----------------------------------------------------------------------===//

#include "Guard.h"
#include "glow/Runtime/Trace.h"
#include <algorithm>
#include <cstdio>

using namespace glow;
using namespace glow::capi;

namespace {

struct StepTime {
  std::string node, instruction;
  double milliseconds;
};

/// The steps of one run.
struct RunTimes {
  std::vector<StepTime> steps;
  double milliseconds() const {
    double sum = 0;
    for (const StepTime &step : steps)
      sum += step.milliseconds;
    return sum;
  }
};

class Watcher final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override {
    std::lock_guard lock(mutex); // parts run on several devices
    run.steps.push_back(
        {std::string(event.node), std::string(event.instruction),
         std::chrono::duration<double, std::milli>(event.end - event.begin)
             .count()});
  }
  /// The times of the run that is over.
  RunTimes take() {
    std::lock_guard lock(mutex);
    return std::exchange(run, {});
  }

private:
  std::mutex mutex;
  RunTimes run;
};

} // namespace

static std::string numberText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", number);
  return text;
}

static std::string jsonOf(const RunTimes &run, size_t runs) {
  std::string json = "{\"runs\": " + std::to_string(runs) +
                     ", \"milliseconds\": " + numberText(run.milliseconds()) +
                     ", \"steps\": [";
  for (const StepTime &step : run.steps)
    json += (&step == run.steps.data() ? "\n{\"node\": " : ",\n{\"node\": ") +
            jsonText(step.node) +
            ", \"instruction\": " + jsonText(step.instruction) +
            ", \"milliseconds\": " + numberText(step.milliseconds) + "}";
  return json + "\n]}\n";
}

Result<std::string> capi::profile(const glow_program &program,
                                  const Tensors &tensors, size_t runs) {
  DeviceOptions options;
  options.threads = program.run.threads;
  Host host(options);
  Result<ModelId> model = host.load(program.program);
  if (!model)
    return model.status();
  // Once unwatched: memory is touched and threads are awake afterwards.
  if (Status status = host.run(*model, tensors); !status.ok())
    return status;
  auto watcher = std::make_shared<Watcher>();
  host.observe(watcher);
  std::vector<RunTimes> all;
  for (size_t i = 0; i < runs; ++i) {
    if (Status status = host.run(*model, tensors); !status.ok())
      return status;
    all.push_back(watcher->take());
  }
  auto median = all.begin() + ptrdiff_t(runs / 2);
  std::ranges::nth_element(all, median, {}, &RunTimes::milliseconds);
  return jsonOf(*median, runs);
}
