//===- Classify.cpp - glow classify: what is in an image ------------------===//

#include "Help.h"
#include "Labels.h"
#include "Numbers.h"
#include "Outputs.h"
#include "Preprocess.h"
#include "Runner.h"
#include "glow/Images/Image.h"
#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

namespace {

struct ClassifyOptions {
  ModelOptions model;
  std::vector<std::string> images, expected;
  std::string labels, preset = "auto", json;
  unsigned top = 5;
};

class Classifier {
public:
  explicit Classifier(const ClassifyOptions &options) : options(options) {}

  int run() {
    Status status = classifyAll();
    if (!status.ok())
      return fail(status);
    if (expected.empty())
      return 0;
    if (wrong == 0)
      std::printf("PASSED\n");
    else
      std::printf("FAILED: %zu of %zu images are not what is expected\n", wrong,
                  options.images.size());
    return wrong == 0 ? 0 : differsStatus;
  }

private:
  Status classifyAll();
  Status readOptions();
  Status openClassifier();
  Status classify(size_t image);
  Result<std::vector<Score>> score(const std::string &image);
  void print(size_t image, const std::vector<Score> &scores);

  const ClassifyOptions &options;
  std::shared_ptr<Session> session;
  std::unique_ptr<Runner> runner;
  Binding input;
  Labels labels;
  std::vector<std::string> expected; // one an image, or none
  size_t wrong = 0;
  Json report = Json::array();
};

} // namespace

/// One label an image. Labels may have commas in them, so a value is taken
/// apart only where the values do not match the images as they are.
static Result<std::vector<std::string>>
expectedLabels(const std::vector<std::string> &values, size_t images) {
  if (values.empty() || values.size() == images)
    return values;
  std::vector<std::string> labels;
  for (const std::string &value : values) {
    std::istringstream parts(value);
    for (std::string part; std::getline(parts, part, ',');)
      labels.push_back(part);
  }
  if (labels.size() != images)
    return failure(Code::InvalidArgument, "--expect gives ", labels.size(),
                   " labels for ", images, " images, it should give one each");
  return labels;
}

Status Classifier::readOptions() {
  Result<std::vector<std::string>> wanted =
      expectedLabels(options.expected, options.images.size());
  if (!wanted)
    return wanted.status();
  expected = wanted.take();
  Result<Labels> names = Labels::read(options.labels);
  if (!names)
    return names.status();
  labels = names.take();
  return Status();
}

Status Classifier::openClassifier() {
  Result<std::shared_ptr<Session>> opened = openModel(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  InputShapes shapes(session->inputs());
  if (Status status = shapes.apply(options.model.shapes); !status.ok())
    return status;
  if (shapes.inputs().size() != 1 || session->outputs().empty())
    return failure(Code::InvalidArgument, "the model has ",
                   shapes.inputs().size(), " inputs and ",
                   session->outputs().size(),
                   " outputs; a classifier should have one input and at least "
                   "one output");
  input = shapes.inputs()[0];
  runner = std::make_unique<Runner>(session, requestOf(options.model),
                                    options.model.threads);
  return Status();
}

Status Classifier::classifyAll() {
  if (Status status = readOptions(); !status.ok())
    return status;
  if (Status status = openClassifier(); !status.ok())
    return status;
  // Before the first image is classified: an output that is one of these would
  // be lost.
  std::vector<std::string> inputs = session->files();
  inputs.insert(inputs.end(), options.images.begin(), options.images.end());
  inputs.push_back(options.labels);
  if (Status status = checkOutputs({options.json}, inputs); !status.ok())
    return status;
  for (size_t i = 0; i < options.images.size(); ++i)
    if (Status status = classify(i); !status.ok())
      return status;
  return writeJson(options.json, report);
}

Result<std::vector<Score>> Classifier::score(const std::string &image) {
  Result<std::string> bytes = readFile(image);
  if (!bytes)
    return bytes.status();
  Result<Tensor> pixels = parseImage(*bytes);
  if (!pixels)
    return pixels.status().prefixed("'" + image + "': ");
  Result<Tensor> tensor = preprocess(*pixels, input, options.preset);
  if (!tensor)
    return tensor.status();
  std::vector<NamedTensor> inputs, outputs;
  inputs.push_back({input.name, tensor.take()});
  if (Status status = runner->run(inputs, outputs); !status.ok())
    return status;
  // By convention the first output has the scores.
  return bestScores(outputs[0].tensor, std::max(1u, options.top));
}

Status Classifier::classify(size_t image) {
  Result<std::vector<Score>> scores = score(options.images[image]);
  if (!scores)
    return scores.status();
  if (scores->empty())
    return failure(Code::InvalidArgument, "output '",
                   session->outputs()[0].name, "' has no elements");
  print(image, *scores);
  return Status();
}

void Classifier::print(size_t image, const std::vector<Score> &scores) {
  const std::string &path = options.images[image];
  std::string name = std::filesystem::path(path).filename().string();
  const Score &best = scores.front();
  bool right = expected.empty() || labels.means(expected[image], best.index);
  wrong += !right;
  std::printf("%s: %s, %.2f %%, %s%s\n", name.c_str(),
              labels.name(best.index).c_str(), best.probability * 100,
              timeText(runner->runTime).c_str(),
              right ? "" : (", expected " + oneLine(expected[image])).c_str());
  Json &entry =
      report.emplace_back(Json{{"image", path}, {"run_ms", runner->runTime}});
  if (!expected.empty())
    entry["passed"] = right;
  entry["top"] = Json::array();
  for (const Score &score : scores) {
    if (options.top > 1)
      std::printf("  %6.2f %%  %4zu  %s\n", score.probability * 100,
                  score.index, labels.name(score.index).c_str());
    entry["top"].push_back({{"index", score.index},
                            {"label", labels.name(score.index)},
                            {"probability", score.probability}});
  }
}

static void addClassifyFlags(CLI::App &app, ClassifyOptions &options) {
  app.add_option("IMAGE", options.images, "PNG or JPEG images")->required();
  app.add_option("--model", options.model.model, "an .onnx or .mlir file")
      ->type_name("MODEL")
      ->required();
  app.add_option("--labels", options.labels,
                 "names of the classes, one a line; default: their numbers")
      ->type_name("FILE");
  app.add_option(
         "--preprocess", options.preset,
         "what becomes of a value v of a pixel, 0 to 255. bgr-mean: blue "
         "first, minus 104, 117, 123; imagenet: (v/255 - mean) / deviation of "
         "ImageNet's red, green, blue; 0to1: v/255; 0to255: v; mnist: (v/255 "
         "- 0.1307) / 0.3081; auto: 0to255 for one channel or integers, else "
         "imagenet")
      ->check(CLI::IsMember(presetNames()))
      ->capture_default_str();
  addNumber(app, "--top", options.top, 1u, 1000000u,
            "how many classes to print")
      ->type_name("K");
  app.add_option("--expect", options.expected,
                 "label or number that must be first, one an image, again or "
                 "between commas; PASSED or FAILED is the last line then")
      ->type_name("LABEL")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--shape", options.model.shapes,
                 "size of the input, NAME=1x3x224x224, or of a symbolic "
                 "dimension, NAME=4, in elements; default: the image's")
      ->type_name("NAME=SIZES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--json", options.json, "write the classes as JSON")
      ->type_name("FILE");
}

Subcommand tool::addClassify(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand("classify", "say what is in images");
  addExamples(*app,
              {"glow classify 3.png --model digits.onnx --labels labels.txt"});
  auto options = std::make_shared<ClassifyOptions>();
  addClassifyFlags(*app, *options);
  options->model.sessions = &sessions;
  addBackendOption(*app, options->model.backend);
  addMemoryOption(*app, options->model.memoryLimit);
  addThreadsOption(*app, options->model.threads);
  addCacheOption(*app, options->model.cacheDir);
  return {app, [options] { return Classifier(*options).run(); }};
}
