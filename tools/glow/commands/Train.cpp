//===- Train.cpp - glow train: weights of a model from data ---------------===//
// SPDX-License-Identifier: MIT

#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "cli/TrainingFlags.h"
#include "glow/Base/Counted.h"
#include "glow/Base/NewFile.h"
#include "glow/Trainer/Trainer.h"
#include "model/Runner.h"
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <limits>

using namespace glow;
using namespace glow::tool;

namespace {

struct TrainOptions {
  ModelOptions model;
  TrainerOptions how;
  std::string output, curve;
};

/// SIGINT and SIGTERM end the training after the current step, as long as it
/// lives. A second one ends the process.
class Interrupt {
public:
  Interrupt() {
    isAsked = false;
    for (size_t i = 0; i < signals.size(); ++i) {
      struct sigaction action = {};
      action.sa_handler = [](int) { isAsked = true; };
      action.sa_flags = SA_RESETHAND | SA_RESTART;
      ::sigaction(signals[i], &action, &before[i]);
    }
  }
  ~Interrupt() {
    for (size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &before[i], nullptr);
  }
  Interrupt(const Interrupt &) = delete;

  static inline std::atomic<bool> isAsked = false;
  static_assert(std::atomic<bool>::is_always_lock_free);

private:
  static constexpr std::array<int, 2> signals = {SIGINT, SIGTERM};
  std::array<struct sigaction, 2> before = {};
};

/// The lines of a training, and its curve.
class TrainCommand {
public:
  explicit TrainCommand(const TrainOptions &options) : options(options) {}

  Status run();

private:
  void begin(const Trainer &trainer);
  void report(const EpochReport &epoch);
  Status finish(const Trainer &trainer, bool isStopped);

  const TrainOptions &options;
  Stopwatch watch;
  Json epochs = Json::array();
};

} // namespace

static std::string number(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

void TrainCommand::begin(const Trainer &trainer) {
  int64_t parameters = 0;
  for (const Trainer::Weight &weight : trainer.weights())
    parameters += weight.type.elements();
  printText("%s of %s, %s for training, %lld for validation\n",
            counted(size_t(parameters), "parameter").c_str(),
            counted(trainer.weights().size(), "weight").c_str(),
            counted(size_t(trainer.trainingRows()), "row").c_str(),
            (long long)trainer.validationRows());
  if (trainer.stepsBefore())
    printText("continued behind step %lld\n", (long long)trainer.stepsBefore());
  std::fflush(stdout);
}

void TrainCommand::report(const EpochReport &epoch) {
  std::string line = number("loss %.6f", epoch.loss);
  Json row = {{"epoch", epoch.epoch}, {"loss", epoch.loss}};
  if (epoch.accuracy >= 0) {
    line += number(", accuracy %.2f %%", 100 * epoch.accuracy);
    row["accuracy"] = epoch.accuracy;
  }
  if (epoch.isValidated) {
    line += number(", validation loss %.6f", epoch.validationLoss);
    row["validation_loss"] = epoch.validationLoss;
    if (epoch.validationAccuracy >= 0) {
      line += number(", accuracy %.2f %%", 100 * epoch.validationAccuracy);
      row["validation_accuracy"] = epoch.validationAccuracy;
    }
  }
  const int64_t left = options.how.epochs - epoch.epoch;
  const double perEpoch = watch.milliseconds() / double(epoch.epoch);
  printText(
      "epoch %lld of %lld: %s, %.0f samples/s%s\n", (long long)epoch.epoch,
      (long long)options.how.epochs, line.c_str(), epoch.samplesPerSecond,
      left ? (", " + timeText(perEpoch * double(left)) + " left").c_str() : "");
  std::fflush(stdout);
  epochs.push_back(std::move(row));
}

/// Writes the model, and the curve of the epochs that were completed.
Status TrainCommand::finish(const Trainer &trainer, bool isStopped) {
  Result<std::string> bytes = trainer.model();
  if (!bytes)
    return bytes.status();
  if (Status status = writeFile(options.output, *bytes); !status.ok())
    return status;
  printText("%swrote %s\n", isStopped ? "interrupted: " : "",
            options.output.c_str());
  return writeJson(options.curve, {{"epochs", epochs},
                                   {"interrupted", isStopped},
                                   {"model", options.output}});
}

Status TrainCommand::run() {
  if (options.curve == "-")
    silenceText();
  std::vector<std::string> files = options.how.data;
  for (std::string &file : files)
    file = file.substr(file.find('=') + 1);
  files.push_back(options.how.labels);
  files.push_back(options.model.model);
  if (Status status = checkOutputs(
          {options.output, options.curve, options.how.checkpoint}, files);
      !status.ok())
    return status;
  TrainerOptions how = options.how;
  how.sessions = options.model.sessions;
  how.model = options.model.model;
  how.threads = options.model.threads;
  how.request = requestOf(options.model);
  Result<std::unique_ptr<Trainer>> trainer = [&] {
    Activity compiling("compiling the step");
    return Trainer::open(how);
  }();
  if (!trainer)
    return trainer.status();
  begin(**trainer);
  watch = Stopwatch();
  Interrupt interrupt;
  Result<bool> isStopped = (*trainer)->run(
      Interrupt::isAsked, [this](const EpochReport &epoch) { report(epoch); });
  return isStopped ? finish(**trainer, *isStopped) : isStopped.status();
}

static void addData(CLI::App &app, TrainOptions &options) {
  HelpGroup group(app, "Data");
  app.add_option("--data", options.how.data,
                 "rows of an input, as an npy file that may be larger than "
                 "memory; again for each input")
      ->type_name("[INPUT=]FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  app.add_option("--labels", options.how.labels,
                 "what the output should be for each row, as an npy file: "
                 "numbers of classes for cross-entropy, else what the output "
                 "has")
      ->type_name("FILE")
      ->required();
  addNumber(app, "--validation", options.how.validation, 0.0, 0.99,
            "share of the rows that is not trained on, and measured after "
            "each epoch");
  addNumber(app, "--seed", options.how.seed, uint64_t(0),
            std::numeric_limits<uint64_t>::max(),
            "of the order of the rows; the same seed gives the same weights");
}

static void addScheduleFlags(CLI::App &app, RateSchedule &schedule) {
  HelpGroup group(app, "Learning rate");
  constexpr double most = 1e9;
  constexpr int64_t many = int64_t(1) << 40;
  addNumber(app, "--rate", schedule.rate, 0.0, most, "learning rate");
  static constexpr const char *schedules[] = {"constant", "cosine", "step"};
  addWord(app, "--schedule", schedule.name, schedules,
          "the rate over time: the same, down to 0 as a cosine, or by a factor "
          "every few epochs");
  addNumber(app, "--warm-up", schedule.warmUp, int64_t(0), many,
            "steps in which the rate rises to --rate");
  addNumber(app, "--step-epochs", schedule.every, int64_t(0), many,
            "of --schedule=step: epochs until the rate is multiplied");
  addNumber(app, "--step-factor", schedule.factor, 0.0, 1.0,
            "of --schedule=step: by this factor");
}

Subcommand tool::addTrain(CLI::App &glow, SessionFactory &sessions) {
  CLI::App *app = glow.add_subcommand(
      "train", "change weights of a model so that its output follows labels");
  addExamples(*app, {"glow train model.onnx --data X.npy --labels Y.npy "
                     "--optimizer=adam --rate=0.001 -o trained.onnx",
                     "glow train model.onnx --data X.npy --labels Y.npy "
                     "--trainable 'head[.].*' -o tuned.onnx"});
  auto options = std::make_shared<TrainOptions>();
  options->model.sessions = &sessions;
  app->add_option("MODEL", options->model.model, "an .onnx file")->required();
  addBackendOption(*app, options->model.backend);
  addMemoryOption(*app, options->model.memoryLimit);
  addCodeOptions(*app, options->model.code);
  addThreadsOption(*app, options->model.threads);
  app->add_option("-o,--output", options->output,
                  "the model with the trained weights; all else is as in MODEL")
      ->type_name("FILE")
      ->required();
  addLossFlags(*app, options->how.training);
  addLayerFlags(*app, options->how.training);
  addTrainableFlag(*app, options->how.training);
  addNumber(*app, "--epochs", options->how.epochs, int64_t(1), int64_t(1) << 40,
            "how often each row is trained on");
  addNumber(*app, "--batch", options->how.batch, int64_t(1), int64_t(1) << 30,
            "rows of a step");
  app->add_option("--checkpoint", options->how.checkpoint,
                  "a file that is written after each epoch, and from which "
                  "the same command goes on if it exists")
      ->type_name("FILE");
  addData(*app, *options);
  addOptimizerFlags(*app, options->how.training.optimizer);
  addScheduleFlags(*app, options->how.schedule);
  addJsonOption(*app, options->curve, "the loss of each epoch");
  return {app, [options] {
            Status status = TrainCommand(*options).run();
            return status.ok() ? 0 : fail(status);
          }};
}
