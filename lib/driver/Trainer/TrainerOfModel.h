//===- TrainerOfModel.h - the trainer of one model --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_TRAINEROFMODEL_H
#define GLOW_DRIVER_TRAINER_TRAINEROFMODEL_H

#include "Data.h"
#include "Group.h"
#include "SharedValues.h"
#include "StepProgram.h"
#include "WeightFile.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Trainer/Trainer.h"

namespace glow {

/// Trains by programs over the states of a session: a step or, in a group of
/// processes, its two parts, and the loss of rows for validation.
class TrainerOfModel final : public Trainer {
public:
  TrainerOfModel(const TrainerOptions &options, WeightFile file)
      : options(options), file(std::move(file)), group(options.group),
        host(DeviceOptions{options.threads}) {}

  Status open();
  Status divideAmongProcesses();

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
  std::string identity() const;
  Result<bool> trainEpoch(int64_t epoch, const std::atomic<bool> &stop,
                          LossSums &sums);
  void divideRows();
  struct Batch {
    std::vector<int64_t> rows;
    double rate;
    std::optional<uint64_t> draw; ///< of random changes of the rows
  };
  Status set(const Data &from, const Batch &batch);
  Status failByLoss(double loss, const std::string &cause) const;
  Status train(Batch batch, LossSums &sums);
  Status trainInGroup(const Batch &batch, bool &isStopped, LossSums &sums);
  std::string causeOfLoss();
  Status evaluateRows(std::span<const int64_t> rows, LossSums &sums);
  Status evaluate(EpochReport &report);
  int64_t stepsOfEpoch() const {
    return (trainingRows() + options.batch - 1) / options.batch;
  }

  /// Rows of a batch that this process has.
  int64_t ownBatch() const { return options.batch / group.count(); }

  TrainerOptions options;
  WeightFile file;
  Group group;
  std::shared_ptr<const MemoryFile> memory; ///< the model for other batches
  std::unique_ptr<Session> session;
  std::unique_ptr<Data> data;
  Host host;
  std::unique_ptr<SessionStates> states;
  /// A step, or its part before the update, which a group has apart.
  std::unique_ptr<StepProgram> theStep, update;
  std::unique_ptr<SharedValues> shared; ///< null for a process alone
  std::unique_ptr<StepProgram> evaluation;
  std::vector<Weight> theWeights;
  std::vector<std::string> statistics; ///< running ones, of the file
  std::vector<int64_t> order, held; ///< rows for training, and for validation
  int64_t declaredRows = 0;         ///< rows of the file, if `memory` differs
  int64_t classes = 0;              ///< 0 where the model declares none
  int64_t stepsDone = 0;

  // A step changes the states, so that one whose loss is not finite is repeated
  // from states of some steps before.
  static constexpr size_t mostRepeated = 64;
  std::unique_ptr<SessionStates> kept; ///< before the first of `batches`
  std::vector<Batch> batches;
};

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_TRAINEROFMODEL_H
