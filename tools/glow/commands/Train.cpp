//===- Train.cpp - glow train: weights of a model from data ---------------===//
// SPDX-License-Identifier: MIT

#include "cli/CommandLine.h"
#include "cli/Help.h"
#include "cli/Numbers.h"
#include "cli/TrainingFlags.h"
#include "glow/Base/Counted.h"
#include "glow/Base/NewFile.h"
#include "glow/Trainer/Trainer.h"
#include "images/PictureRows.h"
#include "images/Pictures.h"
#include "model/Runner.h"
#include "report/Curve.h"
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
  ImageOptions pictures;
  PictureChanges changes;
  std::string output, curve, plot;
  int64_t patience = 0; ///< epochs; 0: all are trained
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
  Result<std::shared_ptr<const RowSource>> openFolder(const std::string &folder,
                                                      const Binding &input);
  void begin(const Trainer &trainer);
  void report(const EpochReport &epoch);
  Status judge(const EpochReport &epoch, const Trainer &trainer);
  Status finish(const Trainer &trainer, bool isStopped);
  Status writeCurve(bool isStopped);

  const TrainOptions &options;
  bool isFirst = true; ///< whether this process prints and writes
  Stopwatch watch;
  Json epochs = Json::array();

  // Of --patience.
  double leastLoss = std::numeric_limits<double>::infinity();
  int64_t bestEpoch = 0; ///< 0: none yet
  std::string best;      ///< the model behind that epoch
  bool hasWaited = false;
};

} // namespace

static std::string number(const char *format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Opens a folder of pictures, whose classes the model tells apart.
Result<std::shared_ptr<const RowSource>>
TrainCommand::openFolder(const std::string &folder, const Binding &input) {
  ImageOptions pictures = options.pictures;
  pictures.classifies = true;
  Result<std::shared_ptr<const PictureRows>> rows =
      PictureRows::open(folder, input, pictures, options.changes);
  if (!rows)
    return rows.status();
  std::string names;
  for (const std::string &name : (*rows)->classes())
    names += (names.empty() ? "" : ", ") + name;
  printText("%s in %s: %s\n",
            counted(size_t((*rows)->rows()), "picture").c_str(),
            counted((*rows)->classes().size(), "class", "classes").c_str(),
            names.c_str());
  return std::shared_ptr<const RowSource>(rows.take());
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

/// Keeps the best model, and ends the training where none has been better for
/// too long.
Status TrainCommand::judge(const EpochReport &epoch, const Trainer &trainer) {
  if (!options.patience || !epoch.isValidated)
    return Status();
  if (epoch.validationLoss < leastLoss) {
    leastLoss = epoch.validationLoss, bestEpoch = epoch.epoch;
    Result<std::string> bytes =
        isFirst ? trainer.model() : Result<std::string>(std::string());
    if (!bytes)
      return bytes.status();
    best = bytes.take();
  } else if (epoch.epoch - bestEpoch >= options.patience &&
             epoch.epoch < options.how.epochs) {
    hasWaited = Interrupt::isAsked = true;
  }
  return Status();
}

/// Writes the curve of the epochs that were completed.
Status TrainCommand::writeCurve(bool isStopped) {
  Json curve = {{"epochs", epochs},
                {"interrupted", isStopped},
                {"model", options.output}};
  if (bestEpoch)
    curve["best_epoch"] = bestEpoch;
  if (Status status = writeJson(options.curve, curve);
      !status.ok() || options.plot.empty())
    return status;
  std::vector<CurveLine> lines;
  for (auto [key, name] : {std::pair("loss", "training loss"),
                           std::pair("validation_loss", "validation loss")}) {
    CurveLine line{name, {}};
    for (const Json &row : epochs)
      if (row.contains(key))
        line.values.push_back(row[key].get<double>());
    if (!line.values.empty())
      lines.push_back(std::move(line));
  }
  const int64_t first = epochs.empty() ? 1 : epochs[0]["epoch"].get<int64_t>();
  return writeFile(options.plot, curveAsSvg(lines, first));
}

/// Writes the model and the curve.
Status TrainCommand::finish(const Trainer &trainer, bool isStopped) {
  if (!isFirst)
    return Status();
  Result<std::string> bytes =
      bestEpoch ? Result<std::string>(std::move(best)) : trainer.model();
  if (!bytes)
    return bytes.status();
  if (Status status = writeFile(options.output, *bytes); !status.ok())
    return status;
  if (hasWaited)
    printText("the validation loss did not fall for %s\n",
              counted(uint64_t(options.patience), "epoch").c_str());
  printText("%swrote %s", isStopped && !hasWaited ? "interrupted: " : "",
            options.output.c_str());
  if (bestEpoch)
    printText(", the weights of epoch %lld", (long long)bestEpoch);
  printText("\n");
  return writeCurve(isStopped && !hasWaited);
}

Status TrainCommand::run() {
  if (options.curve == "-")
    silenceText();
  std::vector<std::string> files = options.how.data;
  for (std::string &file : files)
    file = file.substr(file.find('=') + 1);
  if (!options.how.labels.empty())
    files.push_back(options.how.labels);
  files.push_back(options.model.model);
  if (Status status = checkOutputs(
          {options.output, options.curve, options.plot, options.how.checkpoint},
          files);
      !status.ok())
    return status;
  std::unique_ptr<ProcessGroup> group;
  if (processesOfJob() > 1) {
    Result<std::unique_ptr<ProcessGroup>> joined = joinGroup("mpi");
    if (!joined)
      return joined.status();
    group = joined.take();
    isFirst = group->rank() == 0;
    if (!isFirst)
      silenceText();
  }
  TrainerOptions how = options.how;
  how.group = group.get();
  how.sessions = options.model.sessions;
  how.model = options.model.model;
  how.threads = options.model.threads;
  how.request = requestOf(options.model);
  how.openFolder = [this](const std::string &folder, const Binding &input) {
    return openFolder(folder, input);
  };
  Result<std::unique_ptr<Trainer>> trainer = [&] {
    Activity compiling("compiling the step");
    return Trainer::open(how);
  }();
  if (!trainer)
    return trainer.status();
  begin(**trainer);
  watch = Stopwatch();
  Interrupt interrupt;
  Status judged;
  Result<bool> isStopped =
      (*trainer)->run(Interrupt::isAsked, [&](const EpochReport &epoch) {
        report(epoch);
        if (judged.ok())
          judged = judge(epoch, **trainer);
      });
  if (!isStopped || !judged.ok())
    return isStopped ? judged : isStopped.status();
  return finish(**trainer, *isStopped);
}

static void addData(CLI::App &app, TrainOptions &options) {
  HelpGroup group(app, "Data");
  app.add_option("--data", options.how.data,
                 "rows of an input, as an npy file that may be larger than "
                 "memory, or a folder with a folder of pictures for each "
                 "class; again for each input")
      ->type_name("[INPUT=]PATH")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  app.add_option("--labels", options.how.labels,
                 "what the output should be for each row, as an npy file: "
                 "numbers of classes for cross-entropy, else what the output "
                 "has; for folders of pictures, whose labels are the classes, "
                 "none")
      ->type_name("FILE");
  addNumber(app, "--validation", options.how.validation, 0.0, 0.99,
            "share of the rows that is not trained on, and measured after "
            "each epoch");
  addNumber(app, "--seed", options.how.seed, uint64_t(0),
            std::numeric_limits<uint64_t>::max(),
            "of the order of the rows; the same seed gives the same weights");
}

static void addChanges(CLI::App &app, PictureChanges &changes) {
  HelpGroup group(app, "Pictures");
  app.add_flag("--flip", changes.flips,
               "mirror half of the pictures of an epoch, left to right");
  addNumber(app, "--crop", changes.leastPart, 0.01, 1.0,
            "train on random parts of pictures, each of which has at least "
            "this share of the height and of the width");
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
                     "--trainable 'head[.].*' -o tuned.onnx",
                     "glow train model.onnx --data pictures/ --flip "
                     "--crop=0.8 -o trained.onnx"});
  auto options = std::make_shared<TrainOptions>();
  options->model.sessions = &sessions;
  app->add_option("MODEL", options->model.model, "an .onnx file")->required();
  addBackendOption(*app, options->model.backend);
  addMemoryOption(*app, options->model.code.memoryLimit);
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
  addNumber(*app, "--patience", options->patience, int64_t(0), int64_t(1) << 40,
            "end when the loss on --validation has not fallen for so many "
            "epochs, and keep the weights of its least value; 0: train for "
            "all epochs");
  app->add_option("--checkpoint", options->how.checkpoint,
                  "a file that is written after each epoch, and from which "
                  "the same command goes on if it exists")
      ->type_name("FILE");
  addData(*app, *options);
  addImageOptions(*app, options->pictures);
  addChanges(*app, options->changes);
  addOptimizerFlags(*app, options->how.training.optimizer);
  addScheduleFlags(*app, options->how.schedule);
  addJsonOption(*app, options->curve, "the loss of each epoch");
  app->add_option("--plot", options->plot, "the same as an SVG picture")
      ->type_name("FILE");
  return {app, [options] {
            if (options->patience && options->how.validation <= 0)
              return fail(Status(Code::InvalidArgument,
                                 "--patience needs rows of --validation"));
            Status status = TrainCommand(*options).run();
            // Another process of the job has the message.
            if (status.code() == Code::Cancelled && processesOfJob() > 1)
              return 1;
            return status.ok() ? 0 : fail(status);
          }};
}
