//===- Bench.cpp - glow bench: speed of a model ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Runs are timed one by one, for percentiles, and together, for the throughput:
// what lies between two runs counts there. A comparison with another program
// takes turns with it, in slices: two programs measured one after the other
// would be compared in two states of the machine.
//
//===----------------------------------------------------------------------===//

#include "bench/Against.h"
#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "glow/Base/Counted.h"
#include "glow/Base/Version.h"
#include "glow/Runtime/DeviceList.h"
#include "model/Outputs.h"
#include "model/PartitionOptions.h"
#include "model/Runner.h"
#include "report/Busy.h"
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>

using namespace glow;
using namespace glow::tool;

/// Gives the model's symbolic batch its size.
static Result<std::vector<Binding>> withBatch(const Session &session,
                                              const BenchOptions &options) {
  InputShapes shapes(session.inputs());
  Status status = shapes.apply(options.model.shapes);
  if (status.ok() && options.batch)
    status = shapes.setBatch(*options.batch);
  if (status.ok() && options.batch)
    status = shapes.checkBatch(*options.batch).prefixed("--batch: ");
  if (!status.ok())
    return status;
  return shapes.inputs();
}

/// The number of threads. The default is the processors of this process.
static unsigned threadsOf(const ModelOptions &model) {
  return model.threads ? model.threads : usableProcessors();
}

static Json summary(const BenchOptions &options, const Runner &runner,
                    const Times &times) {
  double runs = double(times.sorted.size());
  Json json = {
      {"model", options.model.model},
      {"backend", options.model.backend},
      {"threads", threadsOf(options.model)},
      {"streams", options.streams},
      {"math", name(options.model.code.math.value_or(Math::Default))},
      {"processor", processorName()},
      {"version", version()},
      {"revision", GLOW_REVISION},
      {"batch", options.items()},
      {"runs", times.sorted.size()},
      {"median_ms", times.percentile(50)},
      {"p90_ms", times.percentile(90)},
      {"p99_ms", times.percentile(99)},
      {"min_ms", times.sorted.front()},
      {"mean_ms", times.mean()},
      {"deviation_ms", times.deviation()},
      {"processor_ms", times.processor / runs},
      {"busy_threads", times.processor / times.total},
      {"per_second", runs * double(options.items()) / times.total * 1000},
      {"peak_rss_bytes", peakResidentBytes()}};
  runner.addPreparation(json);
  if (!options.hint.empty())
    json["hint"] = options.hint;
  if (times.others)
    json["other_processors"] = *times.others;
  return json;
}

static void print(const Json &json, const std::string &preparation) {
  auto time = [&](const char *key) {
    return timeText(json[key].get<double>());
  };
  printText("median      %s, the fastest %s\n", time("median_ms").c_str(),
            time("min_ms").c_str());
  printText("mean        %s, standard deviation %s\n", time("mean_ms").c_str(),
            time("deviation_ms").c_str());
  printText("percentiles 90 %%: %s, 99 %%: %s\n", time("p90_ms").c_str(),
            time("p99_ms").c_str());
  printText("processor   %s a run, %.3g threads at work\n",
            time("processor_ms").c_str(), json["busy_threads"].get<double>());
  printText("throughput  %.4g per second, in %s of batch %s\n",
            json["per_second"].get<double>(),
            counted(json["runs"].get<uint64_t>(), "run").c_str(),
            json["batch"].dump().c_str());
  printText("before      %s\n", preparation.c_str());
  printText("peak memory %.1f MiB\n",
            json["peak_rss_bytes"].get<double>() / (1 << 20));
}

/// Lines of stdin say when to measure, so that the caller can let another
/// program run in between. Each has a line of JSON as answer.
class Slices {
public:
  Slices(Runner &runner, const std::vector<NamedTensor> &inputs)
      : runner(runner), inputs(inputs) {}

  /// Until stdin ends. `opening` is what the model's file took.
  Status serve(double opening) {
    Stopwatch first;
    if (Status status = runner.run(inputs, outputs); !status.ok())
      return status;
    Json begin = {{"first_result_ms", opening + first.milliseconds()}};
    runner.addPreparation(begin);
    answer(begin);
    for (std::string line; std::getline(std::cin, line);)
      if (Status status = obey(line); !status.ok())
        return status;
    return Status();
  }

private:
  Status obey(const std::string &line) {
    std::istringstream words(line);
    std::string command;
    if (double length; words >> command && command == "run" && words >> length)
      return run(length);
    words.clear();
    if (std::string folder;
        command == "write" && words >> std::ws && std::getline(words, folder))
      return write(folder);
    return failure(Code::InvalidArgument, "line '", line,
                   "' of stdin should be 'run MILLISECONDS' or 'write DIR'");
  }

  Status run(double length) {
    // The first run finds the caches as the other program left them.
    if (Status status = runner.runPrepared(inputs, outputs); !status.ok())
      return status;
    std::vector<double> times;
    Stopwatch whole;
    do {
      if (Status status = runner.runPrepared(inputs, outputs); !status.ok())
        return status;
      times.push_back(runner.runTime);
    } while (whole.milliseconds() < length);
    answer({{"times_ms", times}});
    return Status();
  }

  Status write(const std::string &folder) {
    NewFiles files;
    Status status = writeTensors(files, folder, outputs);
    if (status.ok())
      status = files.finish();
    if (status.ok())
      answer({{"written", folder}});
    return status;
  }

  static void answer(const Json &json) { std::cout << json << std::endl; }

  Runner &runner;
  const std::vector<NamedTensor> &inputs;
  std::vector<NamedTensor> outputs;
};

/// The options for a host, with the options that both benchmarks share.
static HostBench ofHost(const BenchOptions &options) {
  HostBench host = options.host;
  host.model = options.model;
  host.inputs = options.inputs;
  host.json = options.json;
  host.traffic.seconds = options.duration;
  return host;
}

static Status bench(BenchOptions options) {
  if (options.json == "-")
    silenceText();
  Stopwatch opening;
  Result<std::shared_ptr<Session>> session = openModel(options.model);
  if (!session)
    return session.status();
  double openTime = opening.milliseconds();
  if (Status status = checkOutputs({options.json}, (*session)->files());
      !status.ok())
    return status;
  if (options.host.isWanted())
    return benchHost(ofHost(options), **session);
  Result<std::vector<Binding>> bindings = withBatch(**session, options);
  if (!bindings)
    return bindings.status();
  // The bindings have the shapes already.
  InputOptions asked = inputsOf(options.model, **session, options.inputs);
  asked.shapes.clear();
  Result<std::vector<NamedTensor>> inputs = makeInputs(*bindings, asked);
  if (!inputs)
    return (*session)->withRefusedNodes(inputs.status());
  if (!options.against.empty())
    return benchAgainst(*session, options, *inputs);
  if (Status status = chooseStreams(*session, *inputs, options); !status.ok())
    return status;
  Streams streams(*session, options, *inputs);
  if (Status status = streams.addDevices(); !status.ok())
    return status;
  if (options.slices)
    return Slices(streams.first(), *inputs).serve(openTime);
  Result<Times> times = streams.measure();
  if (!times)
    return times.status();
  Json json = summary(options, streams.first(), *times);
  print(json, streams.first().preparation());
  if (times->isDisturbed)
    note("the machine is busy: " + othersText(*times->others) +
         "; on an idle one times are shorter");
  return writeJson(options.json, json);
}

Subcommand tool::addBench(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand("bench", "measure how fast a model runs");
  addExamples(*app, {"glow bench model.onnx --duration 1 --threads 2",
                     "glow bench model.onnx --hint=throughput",
                     "glow bench model.onnx --duration 1 --json=results.json"});
  auto options = std::make_shared<BenchOptions>();
  options->inputs.seed = 0;
  addModelOptions(*app, options->model, sessions, modelOrCompiledFiles);
  addThreadsOption(*app, options->model.threads);
  addDevicesOption(*app, options->model);
  addPartitionOptions(*app, "--partition", options->model);
  addHostFlags(*app, options->host);
  addCacheOption(*app, options->model.cacheDir);
  app->add_option("--input", options->inputs.files,
                  "tensor of an input, as in glow run; default: random values")
      ->type_name("NAME=FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  HelpGroup measurement(*app, "Measurement");
  addNumberFlag(
      *app, "--batch", [options](int64_t value) { options->batch = value; },
      int64_t(1), int64_t(1) << 32,
      "size of a symbolic dimension 0, in items of a run; default 1")
      ->type_name("N");
  addNumber(*app, "--duration", options->duration, 1e-6, 1e6,
            "time to measure, in seconds, after a tenth to warm up")
      ->type_name("SECONDS");
  addNumberFlag(
      *app, "--warmup", [options](double value) { options->warmup = value; },
      0.0, 1e6, "time of runs before, in seconds; one at least")
      ->type_name("SECONDS");
  addNumberFlag(
      *app, "--iterations",
      [options](uint64_t value) { options->iterations = value; }, uint64_t(1),
      uint64_t(1) << 32, "number of runs to measure")
      ->type_name("N")
      ->excludes("--duration");
  addNumber(*app, "--streams", options->streams, 1u, 1024u,
            "how many runs go on at once, each with --threads of its own; the "
            "throughput is that of all")
      ->type_name("N");
  app->add_option("--hint", options->hint,
                  "try numbers of streams and threads for a tenth of the "
                  "duration each, and measure with the best: latency, one "
                  "stream with the shortest runs; throughput, the most runs "
                  "with all processors")
      ->check(CLI::IsMember({"latency", "throughput"}))
      ->excludes("--threads")
      ->excludes("--streams")
      ->excludes("--devices")
      ->excludes("--clients")
      ->excludes("--rate");
  app->add_option("--against", options->against,
                  "measure in turns with a library that has ONNX Runtime's C "
                  "interface, as libonnxruntime.so, on the same threads and "
                  "inputs, and print the ratio of the times")
      ->type_name("LIBRARY")
      ->excludes("--streams")
      ->excludes("--hint")
      ->excludes("--iterations")
      ->excludes("--warmup")
      ->excludes("--devices")
      ->excludes("--clients")
      ->excludes("--rate");
  addJsonOption(*app, options->json,
                "median_ms p90_ms p99_ms per_second compile_ms load_ms "
                "peak_rss_bytes, mean_ms, deviation_ms, processor_ms, "
                "processor, revision and more");
  app->add_flag("--slices", options->slices,
                "run once and print first_result_ms compile_ms load_ms as "
                "JSON; then obey lines of stdin: 'run MILLISECONDS' prints "
                "times_ms, 'write DIR' writes the outputs as NAME.npy")
      ->group(developerHeading)
      ->excludes("--json")
      ->excludes("--hint")
      ->excludes("--duration")
      ->excludes("--warmup")
      ->excludes("--streams")
      ->excludes("--iterations");
  return {app, [options] {
            Status status = readPartition(options->model);
            if (status.ok())
              status = bench(*options);
            return status.ok() ? 0 : fail(status);
          }};
}
