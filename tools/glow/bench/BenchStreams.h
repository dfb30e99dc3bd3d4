//===- BenchStreams.h - runs of a model, one or several at once -*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_BENCH_BENCHSTREAMS_H
#define GLOW_TOOLS_GLOW_BENCH_BENCHSTREAMS_H

#include "BenchHost.h"
#include "model/Runner.h"
#include <atomic>
#include <optional>

namespace glow::tool {

struct BenchOptions {
  ModelOptions model;
  InputOptions inputs;
  std::optional<int64_t> batch; // what is not given is 1
  int64_t items() const { return batch.value_or(1); }
  double duration = 2;
  std::optional<double> warmup; // a tenth of that
  std::optional<uint64_t> iterations;
  unsigned streams = 1;
  std::string hint; ///< "latency", "throughput"; "": streams and threads stand
  std::string json;
  std::string against; ///< a library of ONNX Runtime; "": none
  bool slices = false;
  HostBench host;
};

/// Sorted times of single runs, in milliseconds.
struct Times {
  std::vector<double> sorted;
  double total = 0;     // of the wall clock, with what is between the runs
  double processor = 0; // of all processors, in this process
  std::optional<double> others; ///< processors that other processes used
  bool isDisturbed = false;     ///< by those

  /// The smallest time that `percent` of the runs did not exceed.
  double percentile(double percent) const;
  double mean() const;
  /// The standard deviation of the runs; 0 of one.
  double deviation() const;
};

/// Runs a model in several streams at once, each with a host and threads of its
/// own.
class Streams {
public:
  Streams(const std::shared_ptr<Session> &session, const BenchOptions &options,
          const std::vector<NamedTensor> &inputs);

  Status addDevices();
  Runner &first() { return *runners[0]; }
  Result<Times> measure();

private:
  Status warmUp();
  Status runStream(Runner &runner, const Stopwatch &whole,
                   std::vector<double> &times);

  const BenchOptions options;
  const std::vector<NamedTensor> &inputs;
  std::vector<std::unique_ptr<Runner>> runners;
  std::atomic<uint64_t> started = 0;   // of the runs that are measured
  std::atomic<bool> isStopped = false; // a stream has no thread
};

/// Has `options.streams` and the threads of each be those of all that were
/// tried which are best by `options.hint`. Nothing happens without one.
Status chooseStreams(const std::shared_ptr<Session> &session,
                     const std::vector<NamedTensor> &inputs,
                     BenchOptions &options);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_BENCH_BENCHSTREAMS_H
