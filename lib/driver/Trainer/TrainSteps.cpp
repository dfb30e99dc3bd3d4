//===- TrainSteps.cpp - the steps of a training ---------------------------===//
// SPDX-License-Identifier: MIT

#include "NonFinite.h"
#include "TrainerOfModel.h"
#include "glow/Program/Failure.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

using namespace glow;

/// Sets the inputs of a step.
Status TrainerOfModel::set(const Data &from, const Batch &batch) {
  if (!update)
    theStep->inputs.at(training::rate).elements<float>()[0] = float(batch.rate);
  return from.gather(batch.rows, batch.draw, theStep->inputs);
}

static std::string wordOf(const NonFinite &found) {
  return found.hasNan ? "NaN" : "an infinite number";
}

/// Repeats the last step, and finds the first value that is not finite. The
/// states are of no use then.
std::string TrainerOfModel::causeOfLoss() {
  states = std::move(kept);
  for (const Batch &batch : std::span(batches).first(batches.size() - 1)) {
    if (!set(*data, batch).ok() || !theStep->run(host, *states).ok())
      return "";
    states->advance();
  }
  if (!set(*data, batches.back()).ok())
    return "";
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
  if (!group.isAlone())
    return Status(Code::Unsupported,
                  "processes of a group train on whole epochs");
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
  Batch all{std::vector<int64_t>(size_t(batch->rows())), rate, {}};
  std::iota(all.rows.begin(), all.rows.end(), 0);
  if (Status status = set(*batch, all); !status.ok())
    return status;
  if (Status status = theStep->run(host, *states); !status.ok())
    return status;
  const double loss = theStep->number(training::loss);
  if (!std::isfinite(loss))
    return failByLoss(loss, "");
  states->advance();
  ++stepsDone;
  return loss;
}

/// Adds the losses of a run on some rows.
static void addLosses(LossSums &sums, const StepProgram &step, int64_t rows) {
  sums.loss += step.number(training::loss) * double(rows);
  if (step.hasOutput(training::correct))
    sums.right += step.number(training::correct);
  sums.rows += double(rows);
}

Status TrainerOfModel::train(Batch batch, LossSums &sums) {
  if (!kept || batches.size() == mostRepeated) {
    kept = states->fork();
    batches.clear();
  }
  const auto rows = int64_t(batch.rows.size());
  batches.push_back(std::move(batch));
  if (Status status = set(*data, batches.back()); !status.ok())
    return status;
  if (Status status = theStep->run(host, *states); !status.ok())
    return status;
  const double loss = theStep->number(training::loss);
  if (!std::isfinite(loss))
    return failByLoss(loss, causeOfLoss());
  states->advance();
  ++stepsDone;
  addLosses(sums, *theStep, rows);
  return Status();
}

Status TrainerOfModel::trainInGroup(const Batch &batch, bool &isStopped,
                                    LossSums &sums) {
  const std::span<const int64_t> mine = group.own(batch.rows, ownBatch());
  const auto rows = double(mine.size());
  Status status;
  if (!mine.empty())
    status = set(*data, {{mine.begin(), mine.end()}, batch.rate, batch.draw});
  // A process that fails alone would leave the others waiting.
  Status added = shared->run(
      host, *states, status.ok() ? rows / double(batch.rows.size()) : 0);
  if (status.ok())
    status = std::move(added);
  LossSums losses;
  if (status.ok() && !mine.empty())
    addLosses(losses, *theStep, int64_t(mine.size()));
  status = group.share(std::move(status), &losses, &isStopped);
  if (!status.ok())
    return status;
  if (!std::isfinite(losses.meanLoss()))
    return group.rank() == 0
               ? failByLoss(losses.meanLoss(), "")
               : Status(Code::Cancelled, "the loss is not finite");
  status = shared->take(*states);
  if (status.ok()) {
    update->inputs.at(training::rate).elements<float>()[0] = float(batch.rate);
    status = update->run(host, *states);
  }
  status = group.agree(std::move(status));
  if (!status.ok())
    return status;
  states->advance(1);
  ++stepsDone;
  sums.loss += losses.loss, sums.right += losses.right;
  sums.rows += losses.rows;
  return Status();
}

Status TrainerOfModel::evaluateRows(std::span<const int64_t> rows,
                                    LossSums &sums) {
  if (rows.empty())
    return Status();
  if (Status status = data->gather(rows, {}, evaluation->inputs); !status.ok())
    return status;
  if (Status status = evaluation->run(host, *states); !status.ok())
    return status;
  addLosses(sums, *evaluation, int64_t(rows.size()));
  return Status();
}

Status TrainerOfModel::evaluate(EpochReport &report) {
  LossSums sums;
  Status status;
  const auto batch = size_t(options.batch);
  for (size_t at = 0; at < held.size() && status.ok(); at += batch) {
    std::span<const int64_t> rows(held);
    rows = rows.subspan(at, std::min(batch, held.size() - at));
    status = evaluateRows(group.own(rows, ownBatch()), sums);
  }
  status = group.share(std::move(status), &sums, nullptr);
  if (!status.ok())
    return status;
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
                                        LossSums &sums) {
  const int64_t perEpoch = stepsOfEpoch();
  std::vector<int64_t> rows = order;
  shuffle(rows, options.seed + uint64_t(epoch));
  const auto batch = size_t(options.batch);
  for (auto at = size_t(stepsDone % perEpoch) * batch; at < rows.size();
       at += batch) {
    bool isStopped = stop.load(std::memory_order_relaxed);
    if (isStopped && group.isAlone())
      return true;
    const double rate =
        options.schedule.at(stepsDone, perEpoch * options.epochs, perEpoch);
    const auto first = rows.begin() + std::ptrdiff_t(at);
    const auto count = std::ptrdiff_t(std::min(batch, rows.size() - at));
    Batch next{{first, first + count}, rate, options.seed + uint64_t(epoch)};
    if (Status status = group.isAlone() ? train(std::move(next), sums)
                                        : trainInGroup(next, isStopped, sums);
        !status.ok())
      return status;
    // All processes of a group end behind the same step.
    if (isStopped)
      return true;
  }
  return false;
}

Result<bool>
TrainerOfModel::run(const std::atomic<bool> &stop,
                    const std::function<void(const EpochReport &)> &done) {
  for (int64_t epoch = 1 + stepsDone / stepsOfEpoch(); epoch <= options.epochs;
       ++epoch) {
    const auto start = std::chrono::steady_clock::now();
    LossSums sums;
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
    report.samplesPerSecond = sums.rows / time.count();
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
