//===- BenchHost.cpp - glow bench of a host with many requests ------------===//
// SPDX-License-Identifier: MIT

#include "BenchHost.h"
#include "cli/Numbers.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/ReportSocket.h"
#include "glow/Session/ModelRunner.h"
#include "model/Outputs.h"
#include "model/Runner.h"
#include "model/Shapes.h"
#include <algorithm>
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

/// The programs of a model: one for each size of a batch, or one for a range.
class Programs {
public:
  Programs(const HostBench &options, Session &session)
      : options(options), session(session) {}

  Result<ModelSpec> make() {
    ModelSpec spec;
    spec.name = options.model.model;
    spec.mayPad = options.pads;
    // Parts of copies are for any devices.
    const auto &partition = options.model.partition;
    const bool saturates =
        partition && partition->mode == PartitionMode::Saturate;
    spec.copies = saturates ? 0 : options.copies;
    std::vector<int64_t> sizes = options.batches;
    if (options.batchRange)
      sizes = {options.batchRange->low};
    if (sizes.empty())
      sizes = {1};
    for (int64_t size : sizes)
      if (Status status = add(size, spec); !status.ok())
        return status;
    return spec;
  }

  std::vector<NamedTensor> inputs; ///< a request's, after `make`

private:
  Status add(int64_t size, ModelSpec &spec) {
    InputShapes shapes(session.inputs());
    Status status = shapes.apply(options.model.shapes);
    InputShapes ofRequest = shapes;
    if (status.ok())
      status = ofRequest.setBatch(size);
    if (status.ok() && (options.batchRange || !options.batches.empty()))
      status = ofRequest.checkBatch(size).prefixed("--batch-sizes: ");
    if (status.ok())
      status =
          options.batchRange ? openBatch(shapes, spec) : shapes.setBatch(size);
    if (!status.ok())
      return status;
    InputOptions asked = inputsOf(options.model, session, options.inputs);
    std::erase_if(asked.shapes, [](const std::string &flag) {
      return rangesOf({flag}).empty(); // `ofRequest` has all others
    });
    Result<std::vector<NamedTensor>> made =
        makeInputs(ofRequest.inputs(), asked);
    if (!made)
      return session.withRefusedNodes(made.status());
    Result<std::vector<Constant>> values = smallValues(*made);
    if (!values)
      return values.status();
    CompileRequest request = requestOf(options.model, shapes.known());
    request.sizes = shapes.sizes();
    request.values = values.take();
    Result<Program> program = session.compile(request);
    if (!program)
      return program.status();
    // A request is of the smallest size, and of the greatest sizes else.
    if (spec.programs.empty() || size < least) {
      least = size;
      inputs = made.take();
    }
    spec.programs.push_back(program.take());
    return Status();
  }

  /// Gives dimension 0 of an input the range of --batch-sizes, along which the
  /// host joins requests.
  Status openBatch(InputShapes &shapes, ModelSpec &spec) {
    for (const Binding &input : shapes.inputs())
      if (!input.type.shape.empty() && input.type.shape[0] < 0 &&
          spec.batch.empty())
        spec.batch = sizeName(input, 0);
    SizeVariable range = *options.batchRange;
    range.name = spec.batch;
    return shapes.addRange(range).prefixed("--batch-sizes: ");
  }

  const HostBench &options;
  Session &session;
  int64_t least = 0;
};

} // namespace

/// A host has what the user names, or one device of the backend.
static Status openDevices(Host &host, const ModelOptions &options) {
  if (options.devices.empty())
    return host.openDevice(options.backend, {options.threads}, options.backend);
  return addDevices(host, options);
}

/// The tensors in the order of the program, which is the model's but for inputs
/// that it does not read.
static std::vector<NamedTensor> inOrder(std::vector<NamedTensor> inputs,
                                        const Program &program) {
  std::vector<NamedTensor> ordered;
  for (const Binding &input : program.inputs)
    for (NamedTensor &given : inputs)
      if (given.name == input.name)
        ordered.push_back(std::move(given));
  return ordered;
}

static Json summary(const HostBench &options, const TrafficResult &result,
                    const Host &host) {
  Json json = {{"model", options.model.model},
               {"backend", options.model.backend}};
  if (options.traffic.rate > 0)
    json["rate"] = options.traffic.rate;
  if (options.traffic.clients > 0)
    json["clients"] = options.traffic.clients;
  json.update(result.json());
  // Without a deadline none is kept or missed.
  if (options.traffic.deadlineMs > 0)
    json["deadline_ms"] = options.traffic.deadlineMs;
  else
    for (const char *key : {"missed_after_ms", "goodput_per_second"})
      json.erase(key);
  json["peak_rss_bytes"] = peakResidentBytes();
  json["host"] = Json::parse(host.report().json());
  return json;
}

static void print(const TrafficResult &result, bool hasDeadline) {
  auto number = [](uint64_t count) { return std::to_string(count); };
  Json json = result.json();
  auto time = [&](const char *key) {
    return timeText(json[key].get<double>());
  };
  printText("answered    %s, %.4g per second", number(result.answered).c_str(),
            json["per_second"].get<double>());
  if (hasDeadline)
    printText(", %.4g in time", json["goodput_per_second"].get<double>());
  printText("\n");
  printText("not         %s refused, ", number(result.refused).c_str());
  if (hasDeadline)
    printText("%s missed the deadline, %s late, ",
              number(result.missed).c_str(), number(result.late).c_str());
  printText("%s failed\n", number(result.failed).c_str());
  printText("latency     %s median, 90 %%: %s, 99 %%: %s, 99.9 %%: %s, "
            "largest %s\n",
            time("median_ms").c_str(), time("p90_ms").c_str(),
            time("p99_ms").c_str(), time("p99_9_ms").c_str(),
            time("max_ms").c_str());
  if (result.missed)
    printText("told        at most %s after a missed deadline\n",
              time("missed_after_ms").c_str());
  if (result.behind > 1)
    printText("sent        at most %s after its time\n",
              time("behind_ms").c_str());
}

Status tool::benchHost(const HostBench &options, Session &session) {
  Programs programs(options, session);
  Result<ModelSpec> spec = programs.make();
  if (!spec)
    return spec.status();
  std::vector<NamedTensor> inputs =
      inOrder(std::move(programs.inputs), spec->programs.front());
  HostOptions hostOptions;
  hostOptions.queueLimit = options.queue;
  Host host(hostOptions);
  if (Status status = openDevices(host, options.model); !status.ok())
    return status;
  Result<ModelId> model = host.add(spec.take());
  if (!model)
    return model.status();
  std::unique_ptr<ReportSocket> socket;
  if (!options.report.empty()) {
    auto opened = ReportSocket::open(options.report,
                                     [&host] { return host.report().json(); });
    if (!opened)
      return opened.status().prefixed("--report: ");
    socket = opened.take();
  }
  showProgress("measuring for " + timeText(options.traffic.seconds * 1000));
  Result<TrafficResult> result =
      sendTraffic(host, *model, inputs, options.traffic);
  showProgress("");
  if (!result)
    return result.status();
  print(*result, options.traffic.deadlineMs > 0);
  if (Status status = writeJson(options.json, summary(options, *result, host));
      !status.ok())
    return status;
  return result->failure;
}

/// "1..8" or "2..8:2": a range.
static SizeVariable rangeIn(std::string text) {
  const std::string given = text;
  if (const size_t colon = text.find(':'); colon != text.npos)
    text.replace(colon, 1, " by ");
  Result<SizeVariable> range = SizeVariable::parse("N = " + text);
  if (!range || range->low < 1)
    throw CLI::ValidationError("--batch-sizes: '" + given +
                               "' should be a range from 1 on, as 1..8");
  return range.take();
}

/// "1,4,8", each once.
static std::vector<int64_t> sizesIn(const std::string &text) {
  std::vector<int64_t> sizes;
  for (size_t at = 0; at <= text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::optional<int64_t> size =
        numberIn<int64_t>(text.substr(at, end - at), 1, int64_t(1) << 32);
    if (!size || std::ranges::find(sizes, *size) != sizes.end())
      throw CLI::ValidationError("--batch-sizes: '" + text +
                                 "' should be different numbers from 1 on, as "
                                 "1,4,8");
    sizes.push_back(*size);
    at = end + 1;
  }
  return sizes;
}

void tool::addHostFlags(CLI::App &app, HostBench &options) {
  HelpGroup group(app, "Requests to a host");
  TrafficOptions &traffic = options.traffic;
  CLI::Option *clients =
      addNumber(app, "--clients", traffic.clients, 0u, 4096u,
                "clients of a host, each of which waits for its answer before "
                "it asks again, or has its share of --rate; 0: with --rate "
                "one, without it runs one after the other, without a host")
          ->type_name("N");
  CLI::Option *rate =
      addNumber(app, "--rate", traffic.rate, 0., 1e7,
                "requests a second that a host is sent, at random times, "
                "whether or not it answers; latency counts from when each "
                "should be sent; 0: none")
          ->type_name("R");
  auto ofHost = [&](CLI::Option *option) {
    option->check([clients, rate](const std::string &) {
      return clients->count() || rate->count()
                 ? std::string()
                 : std::string("needs --clients or --rate");
    });
  };
  ofHost(addNumber(app, "--deadline", traffic.deadlineMs, 0., 1e9,
                   "time that a request has, in milliseconds; 0: any")
             ->type_name("MS"));
  ofHost(
      app.add_option_function<std::string>(
             "--batch-sizes",
             [&](const std::string &text) {
               if (text.find("..") != text.npos)
                 options.batchRange = rangeIn(text);
               else
                 options.batches = sizesIn(text);
             },
             "sizes of a symbolic dimension 0 that requests are put "
             "together to, each with a program, or a range, as 1..8, with one "
             "program; a request has the smallest")
          ->type_name("N,...|LOW..HIGH"));
  ofHost(
      app.add_flag("--pad", options.pads, "fill a batch up that is not full"));
  ofHost(addNumber(app, "--copies", options.copies, 0u, 1024u,
                   "devices that have the model; 0: all where it fits")
             ->type_name("N"));
  ofHost(app.add_option("--report", options.report,
                        "a Unix socket that tells glow top what the host does")
             ->type_name("PATH"));
  ofHost(addNumber(app, "--queue", options.queue, size_t(1), size_t(1) << 24,
                   "requests that may wait; more are refused")
             ->type_name("N"));
}
