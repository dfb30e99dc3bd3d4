//===- Quantize.cpp - glow quantize: a model of integers ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Quantizer/Quantize.h"
#include "QuantizeWords.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "data/Inputs.h"
#include "data/Recordings.h"
#include "glow/Base/Counted.h"
#include "glow/Program/Prediction.h"
#include "glow/Quantization/NodePatterns.h"
#include "glow/TensorFiles/File.h"
#include "glow/Toolchain/Toolchain.h"
#include "report/QuantizedLayers.h"
#include <cstdio>

using namespace glow;
using namespace glow::tool;

namespace {

struct QuantizeCommandOptions {
  ModelOptions model;
  RecordingOptions data;
  QuantizeOptions how;
  std::string profile, output, json, drawing;
  std::string schema = "asymmetric", precision = "int8", bias = "int32";
  std::string calibration = "min-max", weights = "per-channel", block = "32";
  std::string rounding = "nearest";
  std::vector<std::string> only, skipped;
  double bound = 0;
};

class QuantizeCommand {
public:
  explicit QuantizeCommand(QuantizeCommandOptions &options)
      : options(options),
        choice{{"--only", options.only}, {"--skip", options.skipped}} {}

  Status run();

private:
  bool isFitted() const { return options.rounding == "fitted"; }
  Status setBits();
  Status open();
  Status readProfile();
  Status measure();
  Status meet();
  Status write();
  Status predictSpeed();
  std::optional<double> predictedTime(Session &model);
  std::optional<double> predictedTime(const std::string &onnx);
  void judge();
  void print();

  QuantizeCommandOptions &options;
  NodeChoice choice;
  std::optional<Profile> profile;
  std::unique_ptr<Quantizer> quantizer;
  std::shared_ptr<Session> session;
  std::vector<Recording> recordings;
  Json report;
  std::string verdicts, text; ///< what is printed
};

} // namespace

template <typename... Numbers>
static std::string formatted(const char *format, Numbers... numbers) {
  char text[160];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

Status QuantizeCommand::readProfile() {
  if (options.profile.empty())
    return options.how.activationBits == 0
               ? Status()
               : failure(Code::InvalidArgument, "--precision ",
                         options.precision,
                         " needs --profile FILE, which glow profile writes");
  Result<std::string> text = readFile(options.profile);
  if (!text)
    return text.status();
  Result<Profile> read = Profile::parse(*text);
  if (!read)
    return read.status().prefixed("'" + options.profile + "': ");
  profile = read.take();
  return Status();
}

/// Takes the words that name bits and channels.
Status QuantizeCommand::setBits() {
  options.how.scheme = meaningOf(schemes, options.schema);
  options.how.calibration = meaningOf(calibrations, options.calibration);
  auto bits = meaningOf(precisions, options.precision);
  options.how.activationBits = bits.first, options.how.weightBits = bits.second;
  options.how.biasBits = options.bias == "int8" ? 8 : 32;
  options.how.perChannel = options.weights == "per-channel";
  if (options.weights == "per-block") {
    if (options.how.activationBits != 0)
      return failure(Code::InvalidArgument,
                     "--weights=per-block is of weights alone: it needs "
                     "--precision=weights4 or weights8, not ",
                     options.precision);
    options.how.perChannel = true;
    options.how.block = meaningOf(blockSizes, options.block);
  } else if (isFitted()) {
    return failure(Code::InvalidArgument,
                   "--rounding=fitted is of weights in blocks: it needs "
                   "--weights=per-block, not ",
                   options.weights);
  }
  return Status();
}

Status QuantizeCommand::open() {
  if (Status status = setBits(); !status.ok())
    return status;
  if (Status status = choice.check(); !status.ok())
    return status;
  options.how.wish = [this](const std::string &name, const std::string &op) {
    return choice.wishFor(name, op);
  };
  if (Status status = readProfile(); !status.ok())
    return status;
  auto shapes = shapesOf(*session, options.model);
  if (!shapes)
    return shapes.status();
  Result<std::unique_ptr<Quantizer>> opened = Quantizer::open(
      options.model.model, profile ? &*profile : nullptr, options.how,
      {options.model.sessions, requestOf(options.model), options.model.threads,
       shapes.take()});
  // A pattern without a match explains why no node is left.
  if (Status status = choice.checkUsed();
      !status.ok() && opened.status().code() != Code::InvalidArgument &&
      opened.status().code() != Code::Reported)
    return status;
  if (!opened)
    return opened.status();
  quantizer = opened.take();
  for (const std::string &note : quantizer->notes())
    text += "note: " + oneLine(note) + "\n";
  return Status();
}

Status QuantizeCommand::meet() {
  auto runs = [&](auto use) { return forEachRecording(recordings, use); };
  Result<BoundReport> met =
      quantizer->meet(options.bound, runs, [this](const std::string &onnx) {
        return predictedTime(onnx);
      });
  if (!met)
    return met.status();
  const unsigned asked = options.how.activationBits ? options.how.activationBits
                                                    : options.how.weightBits;
  size_t kept = 0;
  for (const QuantizedLayer &layer : quantizer->layers())
    kept += layer.kind.bits != asked;
  text += formatted("error of the outputs: predicted %.3g, reached %.3g, bound "
                    "%.3g: ",
                    met->predicted, met->reached, options.bound) +
          countedOf(kept, quantizer->layers().size(), "layer") +
          formatted(" with more bits; %.1f %% of the work is of at most 8\n",
                    integerShare(quantizer->layers()) * 100);
  if (met->isMet && met->reached == 0 && kept == quantizer->layers().size())
    text += "note: within that bound no layer can be integers\n";
  report["error"] = {{"bound", options.bound},
                     {"predicted", met->predicted},
                     {"reached", met->reached}};
  if (met->isMet)
    return Status();
  return failure(Code::InvalidArgument, "the bound ", options.bound,
                 " cannot be met: without integers the error is ",
                 met->reached);
}

Status QuantizeCommand::measure() {
  if (options.data.folders.empty() && options.data.images.empty() &&
      options.data.files.empty()) {
    if (options.bound == 0 && !isFitted())
      return Status();
    return failure(Code::InvalidArgument,
                   options.bound != 0
                       ? "--max-error needs data to judge by"
                       : "--rounding=fitted needs data to fit to",
                   ": say --data, --image or --input");
  }
  Result<std::vector<Recording>> all =
      recordingsOf(*session, options.data, options.model);
  if (!all)
    return all.status();
  recordings = all.take();
  auto runs = [&](auto use) { return forEachRecording(recordings, use); };
  Status ready = isFitted() ? quantizer->fit(runs) : Status();
  if (ready.ok() && options.bound != 0)
    ready = meet();
  if (!ready.ok())
    return ready;
  if (Status status = quantizer->measure(runs); !status.ok())
    return status;
  judge();
  text += quantizedTable(worstFirst(quantizer->layers())).text();
  return Status();
}

/// The output that differs most, and whether it is of any use.
void QuantizeCommand::judge() {
  const std::vector<OutputNoise> &outputs = quantizer->outputs();
  report["outputs"] = outputsAsJson(outputs);
  const auto worst = std::ranges::min_element(
      outputs, {}, [](const OutputNoise &one) { return one.noise.decibels(); });
  if (worst == outputs.end())
    return;
  const std::string decibels = decibelText(worst->noise);
  if (options.bound == 0)
    text += formatted("error of the outputs: %.3g", worst->noise.relative()) +
            " (" + decibels + "), the largest of " +
            counted(outputs.size(), "output") + ": '" + oneLine(worst->name) +
            "'\n";
  // Noise of a third of the signal.
  constexpr double usable = 10;
  if (worst->noise.decibels() < usable)
    verdicts += "unusable: output '" + oneLine(worst->name) + "' has " +
                decibels +
                " of signal against noise, it should have at least " +
                formatted("%.0f dB\n", usable);
}

/// By the backend's model of cost, in milliseconds of one core.
std::optional<double> QuantizeCommand::predictedTime(Session &model) {
  Result<std::vector<NamedTensor>> inputs = recordings[0]();
  if (!inputs)
    return std::nullopt;
  std::map<std::string, Ints> shapes;
  for (const NamedTensor &input : *inputs)
    shapes[input.name] = input.tensor.type().shape;
  CompileRequest request = requestOf(options.model, std::move(shapes));
  request.mayRunInStages = true;
  Result<Program> program = model.compile(request);
  if (!program)
    return std::nullopt;
  double seconds = predictedSeconds(reportOf(*program));
  if (seconds == 0)
    return std::nullopt;
  return seconds * 1000;
}

std::optional<double> QuantizeCommand::predictedTime(const std::string &onnx) {
  std::optional<double> time;
  (void)withFile(onnx, [&](const std::string &path) {
    Result<std::shared_ptr<Session>> made =
        openModel(*options.model.sessions, path);
    if (made)
      time = predictedTime(**made);
    return made.status();
  });
  return time;
}

/// Reports nothing for models and backends that have no such model.
Status QuantizeCommand::predictSpeed() {
  if (recordings.empty() || !options.output.ends_with(".onnx"))
    return Status();
  Result<std::shared_ptr<Session>> made =
      openModel(*options.model.sessions, options.output);
  if (!made)
    return made.status();
  const std::optional<double> before = predictedTime(*session),
                              after = predictedTime(**made);
  if (!before || !after)
    return Status();
  text += "predicted for one core: " + timeText(*before) + " in floats, " +
          timeText(*after) + " now, " +
          formatted("%.2f times as fast\n", *before / *after);
  if (*after > *before)
    verdicts +=
        "useless: the quantised model is predicted to be slower than the "
        "model in floats: " +
        timeText(*after) + " against " + timeText(*before) + "\n";
  report["predicted_ms"] = {{"floats", *before}, {"now", *after}};
  return Status();
}

Status QuantizeCommand::write() {
  const std::string &path = options.output;
  const ModelForm form = formOf(path);
  // A model of ONNX stays one of all sizes.
  Result<CompileRequest> request =
      form == ModelForm::Onnx
          ? requestOf(options.model)
          : completeRequest(options.model, session->inputs());
  if (!request)
    return request.status();
  Result<std::string> bytes = quantizer->model(form, *request);
  if (!bytes)
    return bytes.status();
  report["layers"] = quantizedTable(quantizer->layers()).json();
  if (Status status = writeFile(path, *bytes); !status.ok())
    return status;
  if (Status status = predictSpeed(); !status.ok())
    return status;
  if (Status status = options.drawing.empty()
                          ? Status()
                          : writeFile(options.drawing, quantizer->drawing());
      !status.ok())
    return status;
  return writeJson(options.json, report);
}

/// Reasons not to use the file come first.
void QuantizeCommand::print() {
  printText("%s%s", verdicts.c_str(), text.c_str());
}

Status QuantizeCommand::run() {
  if (options.json == "-")
    silenceText();
  Result<std::shared_ptr<Session>> opened = openModel(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  std::vector<std::string> inputs = session->files();
  inputs.push_back(options.profile);
  if (Status status =
          checkOutputs({options.output, options.json, options.drawing}, inputs);
      !status.ok())
    return status;
  for (auto step : {&QuantizeCommand::open, &QuantizeCommand::measure,
                    &QuantizeCommand::write})
    if (Status status = (this->*step)(); !status.ok()) {
      print();
      return status;
    }
  print();
  size_t integers = 0, halves = 0;
  for (const QuantizedLayer &layer : quantizer->layers())
    integers += layer.kind.isInteger(), halves += layer.kind.isBF16;
  printText("%s in integers%s: %s\n",
            countedOf(integers, quantizer->layers().size(), "layer").c_str(),
            halves ? formatted(", %zu in bf16", halves).c_str() : "",
            options.output.c_str());
  return Status();
}

template <typename Meaning>
static void addWords(CLI::App &app, const char *flag, std::string &value,
                     const Words<Meaning> &words, const std::string &text) {
  std::vector<std::string> names;
  for (const auto &word : words)
    names.push_back(word.first);
  app.add_option(flag, value, text)
      ->check(CLI::IsMember(names))
      ->capture_default_str();
}

static void addHow(CLI::App &app, QuantizeCommandOptions &options) {
  addWords(app, "--schema", options.schema, schemes,
           "how ranges of activations become integers: unsigned with a zero "
           "point, signed, unsigned where nothing is negative, or signed with "
           "powers of two as scales; weights are always signed without a zero "
           "point");
  addWords(app, "--precision", options.precision, precisions,
           "bits of activations and weights: 8, 16, 8 and 4, or of weights "
           "alone");
  addWords(app, "--calibration", options.calibration, calibrations,
           "how a range is found in the histogram of a value");
  addNumber(app, "--percentile", options.how.percentile, 50.0, 100.0,
            "of --calibration=percentile: what stays within the range, in "
            "percent, on either side");
  addWords(app, "--weights", options.weights,
           Words<int>{{"per-channel", 0}, {"per-tensor", 1}, {"per-block", 2}},
           "a scale for each channel of the result, or one, or one for each "
           "block of a column of a product");
  addWords(app, "--block-size", options.block, blockSizes,
           "of --weights=per-block: weights of a block");
  addWords(app, "--rounding", options.rounding,
           Words<int>{{"nearest", 0}, {"fitted", 1}},
           "of --weights=per-block: each weight by itself, or so that results "
           "on the data change least");
  addWords(app, "--bias", options.bias, Words<int>{{"int32", 0}, {"int8", 1}},
           "32 bits with the scale of the product, or 8 with one of its own");
  app.add_flag("--equalize", options.how.equalize,
               "make channels between neighbours alike first");
  app.add_flag("--correct-bias", options.how.correctBias,
               "take from biases what rounding the weights adds on average");
}

static void addChoice(CLI::App &app, const char *flag,
                      std::vector<std::string> &list, const std::string &text) {
  app.add_option(flag, list, text + "; again for more")
      ->type_name("REGEX")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Subcommand tool::addQuantize(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "quantize",
      "write a model of integers, and say what that does to layers");
  addExamples(*app, {"glow quantize model.onnx --profile profile.json -o "
                     "quantized.onnx",
                     "glow quantize model.onnx --precision=weights4 -o "
                     "small.onnx"});
  auto options = std::make_shared<QuantizeCommandOptions>();
  addModelOptions(*app, options->model, sessions, modelFiles);
  addThreadsOption(*app, options->model.threads);
  app->add_option("--profile", options->profile,
                  "what glow profile found; weights alone need none")
      ->type_name("FILE");
  app->add_option("-o,--output", options->output,
                  "the model: .onnx, or .mlir or .mlirbc after its import")
      ->type_name("FILE")
      ->required();
  addHow(*app, *options);
  addChoice(*app, "--only", options->only,
            "names or operators of nodes that may be integers; default: all "
            "whose import record says so");
  addChoice(*app, "--skip", options->skipped,
            "names or operators of nodes that stay in floats");
  addRecordingOptions(*app, options->data, "data to judge layers by");
  addNumberFlag(
      *app, "--max-error", [options](double bound) { options->bound = bound; },
      1e-12, 1.0,
      "root of the mean square by which each output may differ, relative to "
      "that of the output: the fewest layers that it takes stay floats, or "
      "get 16 bits where these are predicted to be faster")
      ->type_name("BOUND");
  addJsonOption(*app, options->json, "what is printed");
  app->add_option("--draw", options->drawing,
                  "write the graph for Graphviz, layers in the colours of "
                  "their noise, for which it takes data")
      ->type_name("FILE");
  return {app, [options] {
            Status status = QuantizeCommand(*options).run();
            return status.ok() ? 0 : fail(status);
          }};
}
