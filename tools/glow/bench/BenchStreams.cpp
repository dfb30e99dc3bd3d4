//===- BenchStreams.cpp - runs of a model, one or several at once ---------===//
// SPDX-License-Identifier: MIT

#include "BenchStreams.h"
#include "cli/CommandLine.h"
#include "glow/Base/Counted.h"
#include "glow/Base/Threads.h"
#include "report/Busy.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

using namespace glow;
using namespace glow::tool;

double Times::percentile(double percent) const {
  size_t rank = size_t(std::ceil(percent / 100 * double(sorted.size())));
  return sorted[std::max<size_t>(rank, 1) - 1];
}

double Times::mean() const {
  return std::accumulate(sorted.begin(), sorted.end(), 0.0) /
         double(sorted.size());
}

double Times::deviation() const {
  double squares = 0, middle = mean();
  for (double time : sorted)
    squares += (time - middle) * (time - middle);
  return sorted.size() < 2 ? 0 : std::sqrt(squares / double(sorted.size() - 1));
}

Streams::Streams(const std::shared_ptr<Session> &session,
                 const BenchOptions &options,
                 const std::vector<NamedTensor> &inputs)
    : options(options), inputs(inputs) {
  for (unsigned i = 0; i < options.streams; ++i)
    runners.push_back(std::make_unique<Runner>(
        session, requestOf(options.model), options.model.threads));
}

Status Streams::addDevices() {
  for (const std::unique_ptr<Runner> &runner : runners)
    if (Status status = runner->addDevices(options.model); !status.ok())
      return status;
  return Status();
}

/// The first runs touch memory and fill caches. One after the other: a session
/// compiles for one thread at a time.
Status Streams::warmUp() {
  double warmup = options.warmup.value_or(options.duration / 10) * 1000;
  Stopwatch warming;
  do {
    for (const std::unique_ptr<Runner> &runner : runners) {
      std::vector<NamedTensor> outputs;
      if (Status status = runner->run(inputs, outputs); !status.ok())
        return status;
    }
  } while (warming.milliseconds() < warmup);
  return Status();
}

Status Streams::runStream(Runner &runner, const Stopwatch &whole,
                          std::vector<double> &times) {
  auto accumulates = [&] {
    return options.iterations ? started.fetch_add(1) < *options.iterations
                              : times.empty() || whole.milliseconds() <
                                                     options.duration * 1000;
  };
  std::vector<NamedTensor> outputs;
  while (!isStopped && accumulates()) {
    // Prepared: neither the search for a program nor the check of shapes is the
    // model's.
    if (Status status = runner.runPrepared(inputs, outputs); !status.ok())
      return status;
    times.push_back(runner.runTime);
  }
  return Status();
}

Result<Times> Streams::measure() {
  showProgress("measuring for " + (options.iterations
                                       ? counted(*options.iterations, "run")
                                       : timeText(options.duration * 1000)));
  if (Status status = warmUp(); !status.ok())
    return status;
  std::vector<std::vector<double>> times(runners.size());
  std::vector<Status> ends(runners.size());
  BusyWatch busy;
  Stopwatch whole;
  {
    std::vector<std::thread> others(runners.size());
    for (size_t i = 1; i < runners.size() && !isStopped; ++i) {
      Status status = beginThread(others[i], [&, i] {
        ends[i] = runStream(*runners[i], whole, times[i]);
      });
      if (!status.ok())
        ends[0] = status.prefixed("stream " + std::to_string(i + 1) + ": ");
      isStopped = !status.ok();
    }
    if (!isStopped)
      ends[0] = runStream(*runners[0], whole, times[0]);
    for (std::thread &other : others)
      if (other.joinable())
        other.join();
  }
  Times all;
  all.total = whole.milliseconds();
  all.processor = busy.ownTime();
  all.others = busy.otherProcessors();
  all.isDisturbed = busy.isDisturbed();
  showProgress("");
  for (size_t i = 0; i < runners.size(); ++i) {
    if (!ends[i].ok())
      return ends[i];
    all.sorted.insert(all.sorted.end(), times[i].begin(), times[i].end());
  }
  std::sort(all.sorted.begin(), all.sorted.end());
  return all;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// One stream of 1, 2, 4 ... threads for the shortest run; for the most runs,
/// streams that have all processors together.
static std::vector<std::pair<unsigned, unsigned>>
candidates(bool isForLatency) {
  const unsigned most = usableProcessors();
  std::vector<std::pair<unsigned, unsigned>> all;
  for (unsigned threads = 1; threads < most; threads *= 2)
    all.emplace_back(isForLatency ? 1 : most / threads, threads);
  all.emplace_back(1, most);
  return all;
}

Status tool::chooseStreams(const std::shared_ptr<Session> &session,
                           const std::vector<NamedTensor> &inputs,
                           BenchOptions &options) {
  if (options.hint.empty())
    return Status();
  const bool isForLatency = options.hint == "latency";
  // A smaller gain is noise, and costs more processors.
  constexpr double clearly = 1.03;
  double best = 0;
  BenchOptions trial = options;
  trial.iterations.reset();
  trial.duration = std::max(options.duration / 10, 0.02);
  for (auto [streams, threads] : candidates(isForLatency)) {
    trial.streams = streams, trial.model.threads = threads;
    Streams tried(session, trial, inputs);
    Result<Times> times = tried.measure();
    if (!times)
      return times.status();
    const double rate = isForLatency
                            ? 1 / times->percentile(50)
                            : double(times->sorted.size()) / times->total;
    if (rate <= best * clearly)
      continue;
    best = rate;
    options.streams = streams, options.model.threads = threads;
  }
  note("--hint=" + options.hint + " chose " +
       counted(options.streams, "stream") + " of " +
       counted(options.model.threads, "thread"));
  return Status();
}
