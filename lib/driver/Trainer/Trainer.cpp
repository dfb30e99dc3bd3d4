//===- Trainer.cpp - a model that learns from data ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Trainer/Trainer.h"
#include "Data.h"
#include "NonFinite.h"
#include "StepProgram.h"
#include "WeightFile.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>

using namespace glow;

namespace {

/// The losses of some rows.
struct Sums {
  double loss = 0, right = 0;
  int64_t rows = 0;

  void add(const StepProgram &step, int64_t count) {
    loss += step.number(training::loss) * double(count);
    if (step.hasOutput(training::correct))
      right += step.number(training::correct);
    rows += count;
  }
  double meanLoss() const { return loss / double(std::max<int64_t>(1, rows)); }
  double accuracy() const { return right / double(std::max<int64_t>(1, rows)); }
};

class TrainerOfModel final : public Trainer {
public:
  TrainerOfModel(const TrainerOptions &options, WeightFile file)
      : options(options), file(std::move(file)),
        host(DeviceOptions{options.threads}) {}

  Status open();

  const std::vector<Weight> &weights() const override { return theWeights; }
  int64_t stepsBefore() const override { return stepsDone; }
  int64_t trainingRows() const override { return int64_t(order.size()); }
  int64_t validationRows() const override { return int64_t(held.size()); }
  Result<bool>
  run(const std::atomic<bool> &stop,
      const std::function<void(const EpochReport &)> &done) override;
  Result<double> step(const RowsOfInputs &rows, TensorView labels,
                      double rate) override;
  Result<std::string> model() const override;

private:
  Status openSession();
  void findClasses();
  Status compile();
  Result<Program> program(TrainingRequest::Part part);
  Status setWeights();
  Status setSeed();
  Status restore();
  Status saveCheckpoint() const;
  Result<bool> trainEpoch(int64_t epoch, const std::atomic<bool> &stop,
                          Sums &sums);
  void divideRows();
  void set(const Data &from, std::span<const int64_t> rows, double rate);
  Status failByLoss(double loss, const std::string &cause) const;
  Status train(std::span<const int64_t> rows, double rate, Sums &sums);
  std::string causeOfLoss();
  Status evaluate(EpochReport &report);
  int64_t stepsOfEpoch() const {
    return (trainingRows() + options.batch - 1) / options.batch;
  }

  TrainerOptions options;
  WeightFile file;
  std::shared_ptr<const MemoryFile> memory; ///< the model for other batches
  std::unique_ptr<Session> session;
  std::unique_ptr<Data> data;
  Host host;
  std::unique_ptr<SessionStates> states;
  std::unique_ptr<StepProgram> theStep, evaluation;
  std::vector<Weight> theWeights;
  std::vector<std::string> statistics; ///< running ones, of the file
  std::vector<int64_t> order, held; ///< rows for training, and for validation
  int64_t declaredRows = 0;         ///< rows of the file, if `memory` differs
  int64_t classes = 0;              ///< 0 where the model declares none
  int64_t stepsDone = 0;

  // A step changes the states, so that one whose loss is not finite is repeated
  // from states of some steps before.
  static constexpr size_t mostRepeated = 64;
  struct Batch {
    std::vector<int64_t> rows;
    double rate;
  };
  std::unique_ptr<SessionStates> kept; ///< before the first of `batches`
  std::vector<Batch> batches;
};

} // namespace

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static Status checkOptions(const TrainerOptions &options) {
  if (options.epochs < 1 || options.batch < 1)
    return failureOf(Code::InvalidArgument,
                     {"epochs and batch should be at least 1, and are ",
                      std::to_string(options.epochs), " and ",
                      std::to_string(options.batch)});
  if (!(options.validation >= 0 && options.validation < 1))
    return failureOf(Code::InvalidArgument,
                     {"validation is a share of the rows from 0 to below 1, "
                      "and is ",
                      std::to_string(options.validation)});
  return Status();
}

/// Finds the number of classes that the model declares.
void TrainerOfModel::findClasses() {
  if (options.training.loss != lossNames[0])
    return;
  for (const Binding &output : session->outputs())
    if (options.training.output.empty() ||
        output.name == options.training.output) {
      const Ints &shape = output.type.shape;
      classes = shape.size() > 1 ? std::max<int64_t>(0, shape[1]) : 0;
      return;
    }
}

/// Opens the model. If the file declares a number of rows that is not the
/// batch, a copy in memory leaves that open.
Status TrainerOfModel::openSession() {
  Result<std::unique_ptr<Session>> opened =
      options.sessions->open(options.model);
  if (!opened)
    return opened.status();
  session = opened.take();
  findClasses();
  std::vector<std::string> names;
  bool isOther = false;
  for (const Binding &input : session->inputs()) {
    names.push_back(input.name);
    const int64_t rows = file.rowsOf(input.name);
    if (rows >= 0 && rows != options.batch)
      isOther = true, declaredRows = rows;
  }
  if (!isOther)
    return Status();
  Result<std::string> bytes = file.bytesForRows(names);
  if (!bytes)
    return bytes.status();
  auto made = MemoryFile::make(options.model, *bytes);
  if (!made)
    return made.status();
  memory = made.take();
  opened = options.sessions->open(memory->path());
  if (!opened)
    return opened.status();
  session = opened.take();
  return Status();
}

Result<Program> TrainerOfModel::program(TrainingRequest::Part part) {
  CompileRequest request = options.request;
  request.path = memory ? memory->path() : options.model;
  request.shapes = data->shapes(options.batch);
  request.cacheDir.clear();
  TrainingRequest training = options.training;
  training.part = part;
  training.among = file.names();
  request.training = std::make_shared<TrainingRequest>(std::move(training));
  Result<Program> made = session->compile(request);
  if (made || !memory || made.status().code() != Code::Reported)
    return made;
  const std::string rows = std::to_string(declaredRows);
  return failureOf(Code::Unsupported,
                   {options.model, " declares ", rows,
                    " rows, and cannot be compiled for a batch of ",
                    std::to_string(options.batch), ": say --batch=", rows});
}

/// Compiles the step and, for rows of validation, the loss alone: two programs
/// over the same weights.
Status TrainerOfModel::compile() {
  std::vector<Program> programs;
  std::vector<TrainingRequest::Part> parts = {TrainingRequest::Step};
  if (!held.empty())
    parts.push_back(TrainingRequest::Evaluation);
  for (TrainingRequest::Part part : parts) {
    Result<Program> made = program(part);
    if (!made)
      return made.status();
    programs.push_back(made.take());
    if (part == TrainingRequest::Step)
      if (Status status = data->check(programs.back(), classes); !status.ok())
        return status;
  }
  std::vector<const Program *> all;
  for (const Program &program : programs)
    all.push_back(&program);
  Result<std::unique_ptr<SessionStates>> opened = SessionStates::create(all);
  if (!opened)
    return opened.status();
  states = opened.take();
  for (size_t i = 0; i < programs.size(); ++i) {
    Result<StepProgram> loaded =
        StepProgram::load(host, std::move(programs[i]), *states, i);
    if (!loaded)
      return loaded.status();
    (i ? evaluation : theStep) = std::make_unique<StepProgram>(loaded.take());
  }
  return Status();
}

/// Gives the states that are weights of the file their values. Returns their
/// numbers.
static Result<std::vector<size_t>> takeWeights(const WeightFile &file,
                                               SessionStates &states) {
  const std::vector<std::string> known = file.names();
  std::vector<size_t> weights;
  for (size_t i = 0; i < states.all().size(); ++i) {
    const std::string &name = states.all()[i].pair.input;
    if (std::ranges::find(known, name) == known.end())
      continue;
    Result<Tensor> value = file.value(name);
    if (!value)
      return value.status();
    if (Status status = states.set(i, value->view()); !status.ok())
      return status;
    weights.push_back(i);
  }
  return weights;
}

Status TrainerOfModel::setWeights() {
  Result<std::vector<size_t>> weights = takeWeights(file, *states);
  if (!weights)
    return weights.status();
  for (size_t state : *weights) {
    const StateInfo &info = states->all()[state];
    if (info.pair.output.ends_with(training::moved))
      statistics.push_back(info.pair.input);
    else
      theWeights.push_back({info.pair.input, info.type});
  }
  return setSeed();
}

/// Gives dropouts, where there are any, their first seed.
Status TrainerOfModel::setSeed() {
  Result<size_t> state = states->find(training::seed);
  if (!state)
    return Status();
  Result<Tensor> seed = Tensor::zeros(states->all()[*state].type);
  if (!seed)
    return seed.status();
  seed->elements<uint32_t>()[0] =
      uint32_t(options.seed) ^ uint32_t(options.seed >> 32);
  return states->set(*state, seed->view());
}

Result<std::vector<std::string>> glow::weightNames(const std::string &model) {
  Result<WeightFile> file = WeightFile::open(model);
  if (!file)
    return file.status();
  return file->names();
}

Status glow::saveFirstStates(const Program &step, const std::string &model,
                             const std::string &path) {
  Result<WeightFile> file = WeightFile::open(model);
  if (!file)
    return file.status();
  Result<std::unique_ptr<SessionStates>> states = SessionStates::create(step);
  if (!states)
    return states.status();
  if (auto weights = takeWeights(*file, **states); !weights)
    return weights.status();
  return (*states)->save(path);
}

/// Continues from the checkpoint, if there is one.
Status TrainerOfModel::restore() {
  std::error_code error;
  if (options.checkpoint.empty() ||
      !std::filesystem::exists(options.checkpoint, error))
    return Status();
  Status status = states->restore(options.checkpoint);
  Result<size_t> steps = states->find(training::steps);
  if (status.ok())
    status = steps.status();
  if (!status.ok())
    return status.prefixed("--checkpoint: ");
  stepsDone = int64_t(*states->value(*steps).as<const float>());
  return Status();
}

Status TrainerOfModel::saveCheckpoint() const {
  return options.checkpoint.empty() ? Status()
                                    : states->save(options.checkpoint);
}

/// The rows for validation are drawn once, by the seed.
void TrainerOfModel::divideRows() {
  order.resize(size_t(data->rows()));
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, options.seed);
  const auto kept =
      size_t(std::llround(double(order.size()) * (1 - options.validation)));
  held.assign(order.begin() + std::ptrdiff_t(std::max<size_t>(1, kept)),
              order.end());
  order.resize(order.size() - held.size());
}

Status TrainerOfModel::open() {
  Status status = checkOptions(options);
  if (status.ok())
    status = openSession();
  if (!status.ok())
    return status;
  Result<Data> opened = Data::open(options, session->inputs());
  if (!opened)
    return opened.status();
  data = std::make_unique<Data>(opened.take());
  divideRows();
  status = compile();
  if (status.ok())
    status = setWeights();
  return status.ok() ? restore() : status;
}

Result<std::unique_ptr<Trainer>> Trainer::open(const TrainerOptions &options) {
  Result<WeightFile> file = WeightFile::open(options.model);
  if (!file)
    return file.status();
  auto trainer = std::make_unique<TrainerOfModel>(options, file.take());
  if (Status status = trainer->open(); !status.ok())
    return status;
  return std::unique_ptr<Trainer>(std::move(trainer));
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Sets the inputs of a step.
void TrainerOfModel::set(const Data &from, std::span<const int64_t> rows,
                         double rate) {
  from.gather(rows, theStep->inputs);
  theStep->inputs.at(training::rate).elements<float>()[0] = float(rate);
}

static std::string wordOf(const NonFinite &found) {
  return found.hasNan ? "NaN" : "an infinite number";
}

/// Repeats the last step, and finds the first value that is not finite. The
/// states are of no use then.
std::string TrainerOfModel::causeOfLoss() {
  states = std::move(kept);
  for (const Batch &batch : std::span(batches).first(batches.size() - 1)) {
    set(*data, batch.rows, batch.rate);
    if (!theStep->run(host, *states).ok())
      return "";
    states->advance();
  }
  set(*data, batches.back().rows, batches.back().rate);
  for (const auto &[name, input] : theStep->inputs)
    if (NonFinite found = NonFinite::in(input.view()); found.any())
      return "input '" + name + "' has " + wordOf(found);
  for (size_t i = 0; i < states->all().size(); ++i)
    if (NonFinite found = NonFinite::in(states->value(i)); found.any())
      return "'" + states->all()[i].pair.input + "' has " + wordOf(found) +
             " when the step begins";
  auto first = std::make_shared<FirstNonFinite>();
  host.observe(first);
  const Status status = theStep->run(host, *states);
  host.observe(nullptr);
  return status.ok() ? first->text() : "";
}

Status TrainerOfModel::failByLoss(double loss, const std::string &cause) const {
  return failureOf(Code::InvalidArgument,
                   {"the loss is ", std::isnan(loss) ? "NaN" : "infinite",
                    " in step ", std::to_string(stepsDone + 1), ": ", cause,
                    cause.empty() ? "" : "; ",
                    "a smaller --rate, or --clip-norm, may keep it finite"});
}

Result<double> TrainerOfModel::step(const RowsOfInputs &rows, TensorView labels,
                                    double rate) {
  TrainerOptions given;
  given.rows = rows, given.labelRows = labels;
  Result<Data> batch = Data::open(given, session->inputs());
  if (!batch)
    return batch.status();
  if (Status status = batch->check(theStep->program(), classes); !status.ok())
    return status;
  if (batch->rows() > options.batch)
    return failureOf(Code::ShapeMismatch,
                     {"the step has ", std::to_string(batch->rows()),
                      " rows, and a batch at most ",
                      std::to_string(options.batch)});
  kept.reset(); // a later step cannot repeat this one, whose rows are gone
  std::vector<int64_t> all(static_cast<size_t>(batch->rows()));
  std::iota(all.begin(), all.end(), 0);
  set(*batch, all, rate);
  if (Status status = theStep->run(host, *states); !status.ok())
    return status;
  const double loss = theStep->number(training::loss);
  if (!std::isfinite(loss))
    return failByLoss(loss, "");
  states->advance();
  ++stepsDone;
  return loss;
}

Status TrainerOfModel::train(std::span<const int64_t> rows, double rate,
                             Sums &sums) {
  if (!kept || batches.size() == mostRepeated) {
    kept = states->fork();
    batches.clear();
  }
  batches.push_back({{rows.begin(), rows.end()}, rate});
  set(*data, rows, rate);
  if (Status status = theStep->run(host, *states); !status.ok())
    return status;
  const double loss = theStep->number(training::loss);
  if (!std::isfinite(loss))
    return failByLoss(loss, causeOfLoss());
  states->advance();
  ++stepsDone;
  sums.add(*theStep, int64_t(rows.size()));
  return Status();
}

Status TrainerOfModel::evaluate(EpochReport &report) {
  Sums sums;
  const auto batch = size_t(options.batch);
  for (size_t at = 0; at < held.size(); at += batch) {
    std::span<const int64_t> rows(held);
    rows = rows.subspan(at, std::min(batch, held.size() - at));
    data->gather(rows, evaluation->inputs);
    if (Status status = evaluation->run(host, *states); !status.ok())
      return status;
    sums.add(*evaluation, int64_t(rows.size()));
  }
  report.isValidated = true;
  report.validationLoss = sums.meanLoss();
  if (evaluation->hasOutput(training::correct))
    report.validationAccuracy = sums.accuracy();
  return Status();
}

/// Trains on all rows, in the order of the epoch. A checkpoint may have done
/// its first steps. Returns whether it was stopped.
Result<bool> TrainerOfModel::trainEpoch(int64_t epoch,
                                        const std::atomic<bool> &stop,
                                        Sums &sums) {
  const int64_t perEpoch = stepsOfEpoch();
  std::vector<int64_t> rows = order;
  shuffle(rows, options.seed + uint64_t(epoch));
  const auto batch = size_t(options.batch);
  for (auto at = size_t(stepsDone % perEpoch) * batch; at < rows.size();
       at += batch) {
    if (stop.load(std::memory_order_relaxed))
      return true;
    const double rate =
        options.schedule.at(stepsDone, perEpoch * options.epochs, perEpoch);
    if (Status status = train(std::span<const int64_t>(rows).subspan(
                                  at, std::min(batch, rows.size() - at)),
                              rate, sums);
        !status.ok())
      return status;
  }
  return false;
}

Result<bool>
TrainerOfModel::run(const std::atomic<bool> &stop,
                    const std::function<void(const EpochReport &)> &done) {
  for (int64_t epoch = 1 + stepsDone / stepsOfEpoch(); epoch <= options.epochs;
       ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    Sums sums;
    Result<bool> isStopped = trainEpoch(epoch, stop, sums);
    if (!isStopped)
      return isStopped;
    if (Status status = saveCheckpoint(); !status.ok())
      return status;
    if (*isStopped)
      return true;
    const std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    EpochReport report{epoch, sums.meanLoss()};
    if (theStep->hasOutput(training::correct))
      report.accuracy = sums.accuracy();
    report.samplesPerSecond = double(sums.rows) / time.count();
    if (evaluation)
      if (Status status = evaluate(report); !status.ok())
        return status;
    done(report);
  }
  return false;
}

Result<std::string> TrainerOfModel::model() const {
  Result<WeightFile> changed = WeightFile::open(options.model);
  if (!changed)
    return changed.status();
  std::vector<std::string> names = statistics;
  for (const Weight &weight : theWeights)
    names.push_back(weight.name);
  for (const std::string &name : names) {
    Result<size_t> state = states->find(name);
    if (!state)
      return state.status();
    if (Status status = changed->set(name, states->value(*state)); !status.ok())
      return status;
  }
  return changed->bytes();
}
