//===- Classify.cpp - glow classify: labels of an image -------------------===//
// SPDX-License-Identifier: MIT
//
// A run has --batch images. An image that cannot be read is skipped with
// --keep-going, and ends the command otherwise; either way it fails.
//
//===----------------------------------------------------------------------===//

#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "glow/Base/Counted.h"
#include "glow/Images/Image.h"
#include "glow/TensorFiles/File.h"
#include "images/Labels.h"
#include "images/Pictures.h"
#include "model/Outputs.h"
#include "model/Runner.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>

using namespace glow;
using namespace glow::tool;

namespace {

struct ClassifyOptions {
  ModelOptions model;
  std::vector<std::string> words, expected; // of IMAGE, not expanded yet
  ImageOptions pictures;
  std::string labels, json, jsonLines;
  unsigned top = 5, batch = 1;
  bool keepGoing = false;
};

class Classifier {
public:
  explicit Classifier(const ClassifyOptions &options) : options(options) {}
  ~Classifier() {
    if (lines && lines != stdout)
      std::fclose(lines);
  }
  Classifier(const Classifier &) = delete;

  int run() {
    Status status = classifyAll();
    showProgress("");
    if (!status.ok())
      return fail(status);
    if (left > 0)
      return fail(countedOf(left, images.size(), "image") + " " +
                  wordFor(left, "was", "were") + " left out");
    if (expected.empty())
      return 0;
    printOutcome(wrong == 0 ? ""
                            : countedOf(wrong, images.size(), "image") + " " +
                                  wordFor(wrong, "is", "are") +
                                  " not what is expected");
    return wrong == 0 ? 0 : differsStatus;
  }

private:
  Status classifyAll();
  Status readOptions();
  Status openClassifier();
  Status openFiles();
  Status checkScores(const Binding &output) const;
  Status findLabels(size_t classes);
  Status classifyBatch(size_t first, size_t end);
  Status classifyOnes(size_t first, size_t end);
  Result<Tensor> read(size_t image);
  Result<Tensor> readBatch(size_t first, size_t end);
  void print(size_t image, const std::vector<Score> &scores);
  void showRest(size_t done) const;

  const ClassifyOptions &options;
  std::shared_ptr<Session> session;
  std::unique_ptr<Runner> runner;
  Binding input;
  ImageOptions pictures;
  Labels labels;
  std::vector<std::string> images;
  std::vector<std::string> expected; // one an image, or none
  size_t wrong = 0, left = 0;
  bool reported = false; // what becomes of images
  Json report = Json::array();
  std::FILE *lines = nullptr;
  Status written; ///< of lines
  Stopwatch watch;
};

} // namespace

static constexpr std::string_view labelsOfImageNet = "imagenet",
                                  noLabels = "none";

static bool isBuiltIn(const std::string &labels) {
  return labels == labelsOfImageNet || labels == noLabels;
}

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
    return failure(Code::InvalidArgument, "--expect gives ",
                   counted(labels.size(), "label"), " for ",
                   counted(images, "image"), ", it should give one each");
  return labels;
}

Status Classifier::readOptions() {
  Result<std::vector<std::string>> found = expandImages(options.words);
  if (!found)
    return found.status();
  images = found.take();
  Result<std::vector<std::string>> wanted =
      expectedLabels(options.expected, images.size());
  if (!wanted)
    return wanted.status();
  expected = wanted.take();
  if (options.labels.empty() || isBuiltIn(options.labels))
    return Status(); // until it is known how many classes there are
  Result<Labels> names = Labels::read(options.labels);
  if (!names)
    return names.status();
  labels = names.take();
  return Status();
}

/// Uses ImageNet's labels by default for a model of photographs with as many
/// classes as ImageNet.
Status Classifier::findLabels(size_t classes) {
  if (!labels.isEmpty() || options.labels == noLabels)
    return Status();
  const bool isSaid = options.labels == labelsOfImageNet;
  const bool hasColours =
      std::ranges::find(input.type.shape, 3) != input.type.shape.end();
  Labels known = Labels::ofImageNet(classes);
  if (isSaid && known.isEmpty())
    return failure(Code::InvalidArgument,
                   "--labels imagenet has 1000 or 1001 classes, the model ",
                   std::to_string(classes));
  if (known.isEmpty() || (!isSaid && !hasColours))
    return Status();
  if (!isSaid)
    note(counted(classes, "class", "classes") +
         " are taken for ImageNet's; --labels may be FILE or none");
  labels = std::move(known);
  return Status();
}

/// Sizes that only a run knows may still be those of scores.
Status Classifier::checkScores(const Binding &output) const {
  if (isClassifier({output}))
    return Status();
  const std::string image = images.empty() ? "IMAGE" : images[0];
  return failure(Code::InvalidArgument, "the model is no classifier: output '",
                 output.name, "' is ", typeText(output),
                 ", it should be [N,CLASSES]; glow run --input ", input.name,
                 "=", image, " runs it");
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
                   counted(shapes.inputs().size(), "input"), " and ",
                   counted(session->outputs().size(), "output"),
                   "; a classifier should have one input and at least "
                   "one output");
  input = shapes.inputs()[0];
  const Binding &output = session->outputs()[0];
  const Ints &sizes = output.type.shape;
  if (output.ranked &&
      std::ranges::all_of(sizes, [](int64_t size) { return size >= 0; }))
    if (Status status = checkScores(output); !status.ok())
      return status;
  pictures = imagesOf(*session, options.pictures);
  // Preprocessing makes one image, whose first dimension is that of a batch.
  if (options.batch > 1 && (input.type.shape.size() != 4 ||
                            (input.type.shape[0] >= 0 &&
                             input.type.shape[0] != int64_t(options.batch))))
    return failure(Code::ShapeMismatch, "--batch ", options.batch, ": input '",
                   input.name, "' is ", typeText(input),
                   ", which takes no such batch");
  if (options.batch > 1)
    input.type.shape[0] = -1;
  runner = std::make_unique<Runner>(session, requestOf(options.model),
                                    options.model.threads);
  return Status();
}

Status Classifier::openFiles() {
  // Before the first image is classified: an output that is one of these would
  // be lost.
  std::vector<std::string> inputs = session->files();
  inputs.insert(inputs.end(), images.begin(), images.end());
  if (!isBuiltIn(options.labels))
    inputs.push_back(options.labels);
  if (Status status = checkOutputs({options.json, options.jsonLines}, inputs);
      !status.ok() || options.jsonLines.empty())
    return status;
  const bool isOutput = options.jsonLines == "-";
  lines = isOutput ? stdout : std::fopen(options.jsonLines.c_str(), "w");
  return lines ? Status() : cannotWrite(options.jsonLines, errno);
}

Status Classifier::classifyAll() {
  if (options.json == "-" || options.jsonLines == "-")
    silenceText();
  if (Status status = readOptions(); !status.ok())
    return status;
  if (Status status = openClassifier(); !status.ok())
    return status;
  if (Status status = openFiles(); !status.ok())
    return status;
  watch = Stopwatch();
  for (size_t i = 0; i < images.size(); i += options.batch) {
    size_t end = std::min(i + options.batch, images.size());
    Status status = classifyBatch(i, end);
    // Run the images of the batch that can be read.
    if (!status.ok() && options.keepGoing)
      status = classifyOnes(i, end);
    if (!written.ok()) // nor could what comes behind
      return written;
    if (!status.ok())
      return status;
    showRest(end);
  }
  if (lines && lines != stdout &&
      std::fclose(std::exchange(lines, nullptr)) != 0)
    return cannotWrite(options.jsonLines, errno);
  return writeJson(options.json, report);
}

/// "12 of 100 images, 45.2 a second, 2 s left".
void Classifier::showRest(size_t done) const {
  double seconds = watch.milliseconds() / 1000;
  if (images.size() == 1 || seconds <= 0)
    return;
  double rate = double(done) / seconds;
  char text[96];
  std::snprintf(text, sizeof text,
                "%zu of %zu images, %.3g a second, %.0f s "
                "left",
                done, images.size(), rate, double(images.size() - done) / rate);
  showProgress(text);
}

Result<Tensor> Classifier::read(size_t image) {
  const std::string &path = images[image];
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.status();
  Result<Tensor> pixels = parseImage(*bytes);
  if (!pixels)
    return pixels.status().prefixed("'" + path + "': ");
  std::string how;
  Result<Tensor> tensor = preprocess(*pixels, input, pictures, &how);
  if (tensor && !reported) {
    reported = true;
    note(std::filesystem::path(path).filename().string() + " " + how +
         (images.size() > 1 ? ", as all" : ""));
  }
  return tensor;
}

/// Concatenates the images. If their size is symbolic, all must have the same
/// one.
Result<Tensor> Classifier::readBatch(size_t first, size_t end) {
  Result<Tensor> one = read(first);
  if (!one || end - first == 1)
    return one;
  TensorType type = one->type();
  const uint64_t bytes = type.bytes();
  type.shape[0] = int64_t(end - first);
  Result<Tensor> batch = Tensor::zeros(type);
  for (size_t i = first; batch && i < end; ++i) {
    if (i > first)
      one = read(i);
    if (!one)
      return one;
    if (one->type().bytes() != bytes)
      return failure(Code::ShapeMismatch, "'", images[i], "' becomes ",
                     one->type().text(), ", but the first of its batch ",
                     type.text(), ": say --shape ", input.name, "=SIZES");
    std::memcpy(static_cast<char *>(batch->data()) + (i - first) * bytes,
                one->data(), bytes);
  }
  return batch;
}

/// The scores of one image among those of a batch.
static Result<Tensor> rowOf(const Tensor &scores, size_t row, size_t rows) {
  TensorType type = scores.type();
  type.shape = {type.elements() / int64_t(rows)};
  Result<Tensor> own = Tensor::zeros(type);
  if (own)
    std::memcpy(own->data(),
                static_cast<const char *>(scores.data()) + row * type.bytes(),
                type.bytes());
  return own;
}

Status Classifier::classifyOnes(size_t first, size_t end) {
  for (size_t i = first; i < end; ++i)
    if (Status status = classifyBatch(i, i + 1); !status.ok()) {
      fail(status);
      ++left;
    }
  return Status();
}

Status Classifier::classifyBatch(size_t first, size_t end) {
  Result<Tensor> tensor = readBatch(first, end);
  if (!tensor)
    return tensor.status();
  std::vector<NamedTensor> inputs, outputs;
  inputs.push_back({input.name, tensor.take()});
  if (Status status = runner->run(inputs, outputs); !status.ok())
    return status;
  // By convention the first output has the scores.
  const Tensor &all = outputs[0].tensor;
  if (all.type().elements() == 0)
    return failure(Code::InvalidArgument, "output '",
                   session->outputs()[0].name, "' has no elements");
  Binding given = session->outputs()[0];
  given.type = all.type(), given.dimensions.clear(), given.ranked = true;
  if (Status status = checkScores(given); !status.ok())
    return status;
  for (size_t i = first; i < end; ++i) {
    Result<Tensor> scores = rowOf(all, i - first, end - first);
    if (!scores)
      return scores.status();
    if (Status status = findLabels(size_t(scores->type().elements()));
        !status.ok())
      return status;
    print(i, bestScores(*scores, std::max(1u, options.top)));
  }
  return Status();
}

void Classifier::print(size_t image, const std::vector<Score> &scores) {
  showProgress("");
  const std::string &path = images[image];
  std::string name = std::filesystem::path(path).filename().string();
  const Score &best = scores.front();
  bool right = expected.empty() || labels.means(expected[image], best.index);
  wrong += !right;
  printText("%s: %s, %.2f %%, %s%s\n", oneLine(name).c_str(),
            labels.name(best.index).c_str(), best.probability * 100,
            timeText(runner->runTime).c_str(),
            right ? "" : (", expected " + oneLine(expected[image])).c_str());
  Json entry{{"image", path}, {"run_ms", runner->runTime}};
  if (!expected.empty())
    entry["passed"] = right;
  entry["top"] = Json::array();
  for (const Score &score : scores) {
    if (options.top > 1)
      printText("  %6.2f %%  %4zu  %s\n", score.probability * 100, score.index,
                labels.name(score.index).c_str());
    entry["top"].push_back({{"index", score.index},
                            {"label", labels.name(score.index)},
                            {"probability", score.probability}});
  }
  if (lines) {
    std::string line =
        entry.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (std::fprintf(lines, "%s\n", line.c_str()) < 0 ||
        std::fflush(lines) != 0)
      written = cannotWrite(options.jsonLines, errno);
  }
  report.push_back(std::move(entry));
}

static void addClassifyFlags(CLI::App &app, ClassifyOptions &options) {
  app.add_option("IMAGE", options.words,
                 "images, folders of some, or @LIST, a text with "
                 "one a line")
      ->required();
  app.add_option("--model", options.model.model, modelOrCompiledFiles)
      ->type_name("MODEL")
      ->required();
  addInitOption(app, options.model);
  app.add_option("--labels", options.labels,
                 "names of the classes, one a line; or imagenet, ImageNet's; "
                 "or none, their numbers; default: imagenet for 1000 or 1001 "
                 "classes of pictures in colours, else none")
      ->type_name("FILE");
  addImageOptions(app, options.pictures);
  addNumber(app, "--top", options.top, 1u, 1000000u,
            "how many classes to print")
      ->type_name("K");
  addNumber(app, "--batch", options.batch, 1u, 1000000u,
            "how many images are one run, where the model takes a batch")
      ->type_name("N");
  app.add_flag("--keep-going", options.keepGoing,
               "leave out images that cannot be read, and fail at the end");
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
  addJsonOption(app, options.json, "the classes");
  app.add_option("--json-lines", options.jsonLines,
                 "write a line of JSON for each image as it is done; - is "
                 "standard output, in place of the text")
      ->type_name("FILE");
}

Subcommand tool::addClassify(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand("classify", "say what is in images");
  addExamples(*app,
              {"glow classify photograph.jpg --model resnet50.onnx",
               "glow classify 3.png --model digits.onnx --labels labels.txt"});
  auto options = std::make_shared<ClassifyOptions>();
  addClassifyFlags(*app, *options);
  options->model.sessions = &sessions;
  addBackendOption(*app, options->model.backend);
  addMemoryOption(*app, options->model.code.memoryLimit);
  addThreadsOption(*app, options->model.threads);
  addCacheOption(*app, options->model.cacheDir);
  return {app, [options] { return Classifier(*options).run(); }};
}
