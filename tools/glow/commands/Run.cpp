//===- Run.cpp - glow run: one model on files, random data or data sets ---===//
// SPDX-License-Identifier: MIT
//
// Inputs come from files, from a random generator, or from data sets with
// expected outputs. PASSED or FAILED is printed only after a comparison, and
// the exit status then reports it as well. Files are written to temporary names
// and get their own at the end, when all of the command has worked.
//
//===----------------------------------------------------------------------===//

#include "cli/Help.h"
#include "cli/Numbers.h"
#include "data/DataSet.h"
#include "data/Inputs.h"
#include "data/RunOptions.h"
#include "data/SessionRun.h"
#include "glow/Base/Counted.h"
#include "glow/Images/Image.h"
#include "glow/Program/ProgramSeal.h"
#include "glow/TensorFiles/File.h"
#include "glow/TensorFiles/OnnxValue.h"
#include "glow/TensorFiles/TensorFile.h"
#include "images/Pictures.h"
#include "model/Outputs.h"
#include "model/PartitionOptions.h"
#include "model/Shapes.h"
#include "report/FirstDifference.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

using namespace glow;
using namespace glow::tool;

namespace {

/// One run of the command: what it has, and the report it writes at the end.
class RunCommand {
public:
  explicit RunCommand(const RunOptions &options) : options(options) {}

  int run() {
    Status status = runAll();
    if (!status.ok())
      return fail(status);
    if (!compared)
      return 0;
    printOutcome(outcome.message());
    return outcome.ok() ? 0 : differsStatus;
  }

private:
  Status runAll();
  Status checkComparison() const;
  Result<std::vector<DataSet>> readDataSets() const;
  Status runOnDataSets(std::vector<DataSet> &sets);
  Status runOnInputs();
  Status runOnSession();
  Status runAgainst(const std::vector<NamedValue> &inputs,
                    const std::vector<NamedValue> &actual);
  Status writeOutputs(const std::string &folder,
                      std::span<const NamedValue> outputs);
  bool hasImages() const;
  Status writeImages(std::span<const NamedValue> outputs);
  Status printPhase(std::span<DataSet> sets);
  Status addShapes(InputShapes &shapes, DataSet &set) const;
  Status writeReports();
  std::vector<std::string> inputFiles() const;
  void reportTimes(std::vector<double> &times);
  CompileRequest request(const std::string &backend) const;
  void traceRun(std::chrono::steady_clock::time_point begin, unsigned number);

  const RunOptions &options;
  std::shared_ptr<Session> session;
  std::unique_ptr<Runner> runner;
  std::shared_ptr<Trace> trace;
  Trace::Notes notes;
  NewFiles written; // with --output-dir
  bool compared = false;
  Status outcome; // of what was compared
  Json report;
};

} // namespace

CompileRequest RunCommand::request(const std::string &backend) const {
  CompileRequest request = requestOf(options.model);
  // Options of the backend that runs the model may be unknown to another one.
  if (backend != request.backend) {
    request.code.settings = settingsFor(backend, request.code.settings);
    request.code.plans.clear();
  }
  request.backend = backend;
  return request;
}

Status RunCommand::checkComparison() const {
  if (!options.compare.empty())
    // Before minutes of work on the first one.
    if (Status status = options.model.sessions->checkBackend(options.compare);
        !status.ok())
      return status.prefixed("--compare: ");
  if (options.stages && options.compare != referenceBackend())
    return failure(Code::InvalidArgument,
                   "--stages is with --compare=", referenceBackend(),
                   ", not --compare=", options.compare);
  return Status();
}

Result<std::vector<DataSet>> RunCommand::readDataSets() const {
  std::vector<DataSet> sets;
  if (options.dataSet.empty())
    return sets;
  Result<std::vector<std::string>> paths = findDataSets(options.dataSet);
  if (!paths)
    return paths.status();
  for (const std::string &path : *paths) {
    Result<DataSet> set = readDataSet(path, *session);
    if (!set)
      return set.status();
    sets.push_back(set.take());
  }
  return sets;
}

/// Data sets before anything is compiled: what cannot be read needs no program.
Status RunCommand::runAll() {
  if (options.json == "-")
    silenceText();
  if (Status status = checkComparison(); !status.ok())
    return status;
  Result<std::shared_ptr<Session>> opened = openModel(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  if (Status status =
          checkOutputs({options.json, options.trace, options.session,
                        options.model.code.listing},
                       inputFiles());
      !status.ok())
    return status;
  Result<std::vector<DataSet>> sets = readDataSets();
  if (!sets)
    return sets.status();
  if (!options.stopAfter.empty())
    return printPhase(*sets);
  report = {{"model", options.model.model}, {"backend", options.model.backend}};
  if (!options.session.empty())
    return runOnSession();
  runner = std::make_unique<Runner>(session, request(options.model.backend),
                                    options.model.threads);
  if (Status status = runner->addDevices(options.model); !status.ok())
    return status;
  if (!options.trace.empty()) {
    trace = std::make_shared<Trace>();
    runner->collect(trace);
  }
  Status status =
      options.dataSet.empty() ? runOnInputs() : runOnDataSets(*sets);
  return status.ok() ? writeReports() : status;
}

Status RunCommand::addShapes(InputShapes &shapes, DataSet &set) const {
  Status status = matchInputs(set, *session);
  for (const NamedValue &input : set.inputs)
    if (const Tensor *tensor = input.value.tensor(); tensor && status.ok())
      status = shapes.setType(input.name, tensor->type());
  return status.prefixed(set.path + ": ");
}

/// For the sizes of the first data set, if there is one.
Status RunCommand::printPhase(std::span<DataSet> sets) {
  InputShapes shapes(session->inputs());
  Status status = shapes.apply(options.model.shapes);
  if (status.ok() && !sets.empty())
    status = addShapes(shapes, sets.front());
  if (!status.ok())
    return status;
  CompileRequest asked = request(options.model.backend);
  asked.shapes = shapes.known();
  asked.sizes = shapes.sizes();
  Result<std::string> text = session->print(asked, options.stopAfter);
  if (!text)
    return text.status();
  std::fwrite(text->data(), 1, text->size(), stdout);
  return Status();
}

/// Where the outputs of one of several data sets go.
static std::string setFolder(const std::string &outputDir,
                             const std::string &set, size_t sets) {
  std::filesystem::path path(set);
  return sets == 1 ? outputDir : outputDir + "/" + path.filename().string();
}

Status RunCommand::runOnDataSets(std::vector<DataSet> &sets) {
  compared = true;
  report["data_sets"] = Json::array();
  for (DataSet &set : sets) {
    InputShapes shapes(session->inputs());
    if (Status status = shapes.apply(options.model.shapes); !status.ok())
      return status;
    if (!options.model.shapes.empty())
      if (Status status = addShapes(shapes, set); !status.ok())
        return status;
    DataSetResult result =
        runDataSet(*runner, *session, std::move(set), options.tolerance());
    std::string name = std::filesystem::path(result.path).filename().string();
    if (!result.compared)
      return result.status.prefixed(name + ": ");
    printText("%s: %s, largest difference %.3g, %s\n", name.c_str(),
              result.status.ok() ? "passed" : "failed",
              result.largestDifference, timeText(result.milliseconds).c_str());
    // The first difference is reported, but all data sets are run.
    if (outcome.ok())
      outcome = result.status.prefixed(name + ": ");
    report["data_sets"].push_back(
        {{"path", result.path},
         {"passed", result.status.ok()},
         {"message", result.status.message()},
         {"largest_difference", result.largestDifference},
         {"run_ms", result.milliseconds}});
    Status status = writeOutputs(
        setFolder(options.outputDir, result.path, sets.size()), result.outputs);
    if (!status.ok())
      return status;
  }
  return written.finish();
}

/// All files that are read, and must not be written to.
std::vector<std::string> RunCommand::inputFiles() const {
  std::vector<std::string> files = session->files();
  for (const std::string &flag : options.inputs.files)
    // The file is all that is behind the first equals sign; without one, the
    // whole flag.
    files.push_back(flag.substr(flag.find('=') + 1));
  std::error_code error;
  if (!options.dataSet.empty())
    for (const auto &entry :
         std::filesystem::recursive_directory_iterator(options.dataSet, error))
      files.push_back(entry.path());
  return files;
}

/// Writes the outputs as .npy. If one is no tensor, the outputs are written as
/// a data set.
Status RunCommand::writeOutputs(const std::string &folder,
                                std::span<const NamedValue> outputs) {
  if (options.outputDir.empty())
    return Status();
  Result<std::vector<NamedTensor>> tensors = tensorsOf(outputs);
  if (!tensors)
    return tensors.status();
  Status status = writeTensors(written, folder, *tensors, inputFiles());
  if (std::ranges::all_of(outputs, [](const NamedValue &output) {
        return output.value.tensor();
      }))
    return status;
  for (size_t i = 0; status.ok() && i < outputs.size(); ++i) {
    std::string path = folder + "/output_" + std::to_string(i) + ".pb";
    OnnxForm form = formOf(session->outputs()[i].other);
    status = checkOutputs({path}, inputFiles());
    if (status.ok())
      status = written.add(path, onnxValueBytes(outputs[i], form));
  }
  return status;
}

/// Whether an input of the model is an image.
bool RunCommand::hasImages() const {
  return !options.outputDir.empty() &&
         std::ranges::any_of(options.inputs.files, [](const std::string &file) {
           return formatOf(file) == FileFormat::Image;
         });
}

/// Writes the outputs that are images.
Status RunCommand::writeImages(std::span<const NamedValue> outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor *tensor = outputs[i].value.tensor();
    if (!tensor)
      continue;
    std::string range;
    Result<Tensor> pixels = pictureIn(*tensor, range);
    if (!pixels)
      continue;
    std::string path =
        options.outputDir + "/" + fileName(outputs[i].name, i, ".png");
    Result<std::string> bytes = pngBytes(*pixels);
    Status status = bytes ? checkOutputs({path}, inputFiles()) : bytes.status();
    if (status.ok())
      status = written.add(path, *bytes);
    if (!status.ok())
      return status;
    const Ints &shape = pixels->type().shape;
    printText("%s %s -> %s %lldx%lld, values of %s\n",
              oneLine(outputs[i].name).c_str(), tensor->type().text().c_str(),
              oneLine(path).c_str(), static_cast<long long>(shape[1]),
              static_cast<long long>(shape[0]), range.c_str());
  }
  return Status();
}

Status RunCommand::runOnInputs() {
  Result<std::vector<NamedValue>> inputs = [&] {
    Activity reading("reading inputs");
    return makeValues(session->inputs(),
                      inputsOf(options.model, *session, options.inputs));
  }();
  if (!inputs)
    return session->withRefusedNodes(inputs.status());
  std::vector<NamedValue> outputs;
  std::vector<double> times;
  for (unsigned i = 0; i < options.repeat; ++i) {
    auto begin = std::chrono::steady_clock::now();
    if (Status status = runner->run(*inputs, outputs); !status.ok())
      return status;
    times.push_back(runner->runTime);
    traceRun(begin, i + 1);
  }
  if (trace)
    notes = options.model.sessions->traceNotes(*session, runner->request());
  printValues(outputs);
  reportTimes(times);
  report["inputs"] = valuesAsJson(*inputs);
  report["outputs"] = valuesAsJson(outputs);
  Status status = writeOutputs(options.outputDir, outputs);
  if (status.ok() && hasImages())
    status = writeImages(outputs);
  if (status.ok())
    status = written.finish();
  if (status.ok() && !options.compare.empty())
    status = runAgainst(*inputs, outputs);
  return status;
}

/// Files are written when all runs have succeeded.
Status RunCommand::runOnSession() {
  Result<std::unique_ptr<SessionRun>> opened =
      SessionRun::open(options, *session);
  if (!opened)
    return opened.status();
  SessionRun &run = **opened;
  Result<std::vector<NamedValue>> inputs = makeValues(
      run.inputs(),
      run.optionsFor(inputsOf(options.model, *session, options.inputs)));
  if (!inputs)
    return inputs.status();
  std::vector<NamedValue> outputs;
  for (unsigned i = 0; i < options.repeat; ++i)
    if (Status status = run.run(*inputs, outputs); !status.ok())
      return status;
  printValues(outputs);
  printText("%s, ran in %s\n", oneLine(run.beginning()).c_str(),
            timeText(run.runTime).c_str());
  if (const size_t programs = run.specialized()) {
    printText("%s of one size beside that of ranges\n",
              counted(programs, "program").c_str());
    report["specialized"] = programs;
  }
  report["run_ms"] = run.runTime;
  report["runs"] = options.repeat;
  report["inputs"] = valuesAsJson(*inputs);
  report["outputs"] = valuesAsJson(outputs);
  Status status = writeOutputs(options.outputDir, outputs);
  if (status.ok())
    status = written.finish();
  if (status.ok())
    status = run.save();
  return status.ok() ? writeJson(options.json, report) : status;
}

/// Traces the work before the first run, and each run around its steps.
void RunCommand::traceRun(std::chrono::steady_clock::time_point begin,
                          unsigned number) {
  if (!trace)
    return;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  auto add = [&](const std::string &name, const char *category, double from,
                 double time) {
    auto at = [&](double ms) {
      return begin +
             std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                 Milliseconds(ms));
    };
    trace->spanDone({0, 0, name, category, at(from), at(from + time)});
  };
  const double all =
      Milliseconds(std::chrono::steady_clock::now() - begin).count();
  if (number == 1) {
    add("compile", "before", 0, runner->compileTime);
    add("load", "before", runner->compileTime, runner->loadTime);
  }
  add("run " + std::to_string(number), "repeat", all - runner->runTime,
      runner->runTime);
}

void RunCommand::reportTimes(std::vector<double> &times) {
  // The median: single runs are as long as the system lets them be.
  std::sort(times.begin(), times.end());
  double median = times[times.size() / 2];
  if (options.model.model.ends_with(".so")) // of which there is no compiling
    printText("%s\n", textOfOrigin(options.model.model).c_str());
  printText("%s, ran in %s", runner->preparation().c_str(),
            timeText(median).c_str());
  printText(times.size() > 1 ? ", the median of %zu runs\n" : "\n",
            times.size());
  if (const unsigned programs = runner->specialized()) {
    printText("%s of one size beside that of ranges\n",
              counted(programs, "program").c_str());
    report["specialized"] = programs;
  }
  report["run_ms"] = median;
  report["runs"] = times.size();
}

/// The other backend is the one that is believed.
Status RunCommand::runAgainst(const std::vector<NamedValue> &inputs,
                              const std::vector<NamedValue> &actual) {
  if (options.stages) {
    Result<std::vector<NamedTensor>> tensors = tensorsOf(inputs);
    if (!tensors)
      return tensors.status();
    compared = true;
    outcome =
        compareStages(session, request(options.model.backend),
                      options.model.threads, *tensors, options.tolerance());
    return outcome.code() == Code::Internal ? outcome : Status();
  }
  CompileRequest whole = request(options.compare);
  whole.partition.reset();
  Runner other(session, std::move(whole), options.model.threads);
  std::vector<NamedValue> expected;
  if (Status status = other.run(inputs, expected); !status.ok())
    return status.prefixed("backend '" + options.compare + "': ");
  compared = true;
  double largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    Status status =
        compareValues(expected[i].name, actual[i].value, expected[i].value,
                      options.tolerance(), largest);
    if (outcome.ok())
      outcome = std::move(status);
  }
  printText("largest difference to backend '%s': %.3g\n",
            options.compare.c_str(), largest);
  report["compared_with"] = options.compare;
  report["largest_difference"] = largest;
  return Status();
}

Status RunCommand::writeReports() {
  if (trace)
    if (Status status = writeFile(options.trace, trace->chromeJson(notes));
        !status.ok())
      return status;
  runner->addPreparation(report);
  if (compared) {
    report["passed"] = outcome.ok();
    report["message"] = outcome.message();
  }
  return writeJson(options.json, report);
}

Subcommand tool::addRun(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "run", "run a model; PASSED or FAILED when something was compared");
  addExamples(*app, {"glow run model.onnx --random",
                     "glow run model.onnx --input x=x.npy --output-dir results",
                     "glow run model.onnx --random --json"});
  auto options = std::make_shared<RunOptions>();
  addModelOptions(*app, options->model, sessions, modelOrCompiledFiles);
  addThreadsOption(*app, options->model.threads);
  addDevicesOption(*app, options->model);
  addPartitionOptions(*app, "--partition", options->model);
  addCacheOption(*app, options->model.cacheDir);
  addRunFlags(*app, *options, sessions.phaseNames());
  return {app, [options] {
            Status status = readPartition(options->model);
            return status.ok() ? RunCommand(*options).run() : fail(status);
          }};
}
