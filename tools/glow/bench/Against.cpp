//===- Against.cpp - a model beside another runtime -----------------------===//
// SPDX-License-Identifier: MIT
//
// The two programs take turns in slices, A B B A: what changes slowly in the
// machine changes both. The ratio of a round is that of the medians of its
// slices; the result is the median of all rounds.
//
//===----------------------------------------------------------------------===//

#include "Against.h"
#include "Peer.h"
#include "cli/CommandLine.h"
#include "glow/Base/Counted.h"
#include "glow/Runtime/Compare.h"
#include "report/Busy.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

using namespace glow;
using namespace glow::tool;

namespace {

/// Times of runs, in milliseconds.
using Sample = std::vector<double>;

/// A program that takes turns with the other one.
struct Turn {
  std::function<Result<double>()> run; ///< the milliseconds of a run
  Sample medians;                      ///< of its slices
};

} // namespace

static double medianOf(Sample times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

/// Runs for a time, after one run that finds the caches as the other program
/// left them. Adds the median.
static Status runSlice(Turn &program, double milliseconds) {
  Sample times;
  Stopwatch whole;
  do {
    Result<double> time = program.run();
    if (!time)
      return time.status();
    times.push_back(*time);
  } while (whole.milliseconds() < milliseconds || times.size() < 2);
  times.erase(times.begin());
  program.medians.push_back(medianOf(std::move(times)));
  return Status();
}

/// The largest difference of numbers that both programs give. `wrong` becomes
/// the name of an output beyond the tolerance of `glow run --compare`.
static Result<double> differenceOf(const std::vector<NamedTensor> &ours,
                                   const Peer &peer, std::string &wrong) {
  Result<std::vector<NamedTensor>> theirs = peer.outputs();
  if (!theirs)
    return theirs.status();
  double largest = 0;
  for (const NamedTensor &other : *theirs) {
    const auto own = std::ranges::find(ours, other.name, &NamedTensor::name);
    if (own == ours.end())
      return failure(Code::ShapeMismatch, "output '", other.name,
                     "' is there, and not here");
    Result<Difference> found =
        compare(own->tensor.view(), other.tensor.view(), Tolerance());
    if (!found)
      return verdict(other.name, found);
    largest = std::max(largest, found->largest);
    if (!found->ok())
      wrong = other.name;
  }
  return largest;
}

Status tool::benchAgainst(const std::shared_ptr<Session> &session,
                          const BenchOptions &options,
                          const std::vector<NamedTensor> &inputs) {
  const unsigned threads =
      options.model.threads ? options.model.threads : usableProcessors();
  BenchOptions single = options;
  single.model.threads = threads;
  Streams streams(session, single, inputs);
  Runner &runner = streams.first();
  Result<std::unique_ptr<Peer>> peer =
      Peer::open(options.against, options.model.model, threads, inputs);
  if (!peer)
    return peer.status().prefixed("--against: ");
  std::vector<NamedTensor> outputs;
  if (Status status = runner.run(inputs, outputs); !status.ok())
    return status;
  Turn ours{[&]() -> Result<double> {
              Status status = runner.runPrepared(inputs, outputs);
              return status.ok() ? Result<double>(runner.runTime) : status;
            },
            {}};
  Turn theirs{[&]() -> Result<double> {
                Stopwatch watch;
                Status status = (*peer)->run();
                return status.ok() ? Result<double>(watch.milliseconds())
                                   : status.prefixed(options.against + ": ");
              },
              {}};
  showProgress("measuring for " + timeText(options.duration * 1000));
  BusyWatch busy;
  Stopwatch whole;
  Sample ratios;
  const double slice = options.duration * 1000 / 20;
  do {
    for (Turn *program : {&ours, &theirs, &theirs, &ours})
      if (Status status = runSlice(*program, slice); !status.ok())
        return status;
    auto last = [](const Turn &program) {
      return *(program.medians.end() - 1) + *(program.medians.end() - 2);
    };
    ratios.push_back(last(theirs) / last(ours));
  } while (whole.milliseconds() < options.duration * 1000);
  const bool isDisturbed = busy.isDisturbed();
  showProgress("");
  std::string wrong;
  Result<double> difference = differenceOf(outputs, **peer, wrong);
  if (!difference)
    return difference.status();
  const double our = medianOf(ours.medians), their = medianOf(theirs.medians);
  const auto [least, most] = std::ranges::minmax(ratios);
  const std::string file =
      std::filesystem::path(options.against).filename().string();
  printText("%s, %s, in turns with %s %s\n", timeText(our).c_str(),
            counted(threads, "thread").c_str(), file.c_str(),
            (*peer)->version().c_str());
  printText("%s there: %.3g times as long, %.3g to %.3g in %s\n",
            timeText(their).c_str(), medianOf(ratios), least, most,
            counted(ratios.size(), "round").c_str());
  printText("outputs differ by %.3g at most\n", *difference);
  if (!wrong.empty())
    note("output '" + wrong + "' is not what " + file +
         " gives: the programs do different work");
  if (isDisturbed)
    note("the machine is busy: " + othersText(*busy.otherProcessors()) +
         "; a ratio is right on an idle one alone");
  return writeJson(options.json, {{"model", options.model.model},
                                  {"backend", options.model.backend},
                                  {"threads", threads},
                                  {"median_ms", our},
                                  {"against", options.against},
                                  {"against_version", (*peer)->version()},
                                  {"against_median_ms", their},
                                  {"ratio", medianOf(ratios)},
                                  {"ratio_least", least},
                                  {"ratio_most", most},
                                  {"rounds", ratios.size()},
                                  {"largest_difference", *difference}});
}
