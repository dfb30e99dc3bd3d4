//===- Trainer.h - a model that learns from data ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A step of training is a program: it reads the states of a session, which are
// weights and the optimizer's own, and writes their next values. Includes no
// LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TRAINER_TRAINER_H
#define GLOW_TRAINER_TRAINER_H

#include "glow/Runtime/ProcessGroup.h"
#include "glow/Session/Session.h"
#include "glow/Values/Tensor.h"
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glow {

/// The learning rate of each step.
struct RateSchedule {
  double rate = 0.01;
  std::string name = "constant"; ///< constant, cosine or step
  int64_t warmUp = 0;            ///< steps in which the rate rises to `rate`
  int64_t every = 0;   ///< of step: epochs until the rate is multiplied
  double factor = 0.1; ///< of step

  /// The rate of step `step` of `steps`, of which an epoch has `perEpoch`.
  double at(int64_t step, int64_t steps, int64_t perEpoch) const;
};

/// Rows of an input that are made when a batch has them, as pictures of a
/// folder are. Any thread may use one.
class RowSource {
public:
  virtual ~RowSource() = default;

  /// The kind of elements, and the number of rows before the sizes of a row.
  virtual const TensorType &type() const = 0;
  int64_t rows() const { return type().shape[0]; }

  /// The name of the source in messages.
  virtual const std::string &path() const = 0;

  /// Makes the first rows of a tensor whose rows have as many elements; all
  /// others become zero. Random changes follow from `draw`: an equal number
  /// gives a row the same change, and nothing changes none.
  virtual Status gather(std::span<const int64_t> rows,
                        std::optional<uint64_t> draw, Tensor &into) const = 0;

  /// The label of each row, for a source that knows them.
  virtual std::optional<TensorView> labels() const { return std::nullopt; }
};

/// Rows in memory of the caller, by the name of their input; "" is the only
/// input.
using RowsOfInputs = std::vector<std::pair<std::string, TensorView>>;

struct TrainerOptions {
  SessionFactory *sessions = nullptr;
  CompileRequest request; ///< the backend, its options and the memory limit
  unsigned threads = 0;
  std::string model;             ///< an ONNX file
  std::vector<std::string> data; ///< NAME=FILE, or FILE for the only input
  std::string labels;            ///< a file; "": those of a folder
  /// Opens a folder among `data`, with the labels of its rows, for an input.
  /// Folders are refused where it is empty.
  std::function<Result<std::shared_ptr<const RowSource>>(
      const std::string &folder, const Binding &input)>
      openFolder = nullptr;
  /// In place of files, if `labelRows` has data: rows that outlive the trainer.
  RowsOfInputs rows = {};
  TensorView labelRows = {nullptr, nullptr};
  TrainingRequest training; ///< weights, loss and optimizer
  RateSchedule schedule;
  int64_t epochs = 10, batch = 32;
  uint64_t seed = 0;
  double validation = 0; ///< share of the rows that is not trained on

  /// The job whose processes share each batch, with the same options; outlives
  /// the trainer. Null for a process that is alone.
  ProcessGroup *group = nullptr;

  /// A file with all states, which is written after each epoch and when the
  /// training is stopped; training goes on from it if it exists. "": none.
  std::string checkpoint = {};
};

/// The losses of an epoch. Accuracies are -1 where there are no classes.
struct EpochReport {
  int64_t epoch = 0; ///< from 1
  double loss = 0, accuracy = -1;
  double validationLoss = 0, validationAccuracy = -1; ///< of other rows
  bool isValidated = false;
  double samplesPerSecond = 0;
};

/// Trains the weights of one model.
class Trainer {
public:
  /// Reads the model and the data, and compiles the step. Fails, naming the
  /// file or the value, with
  ///   Code::NotFound         if a file cannot be opened;
  ///   Code::ShapeMismatch    if data, labels and model do not fit together;
  ///   Code::InvalidArgument  if a label is out of range, or an option is;
  /// and as Session::compile, Host::load and SessionStates::restore do. Fails
  /// with Code::Cancelled if another process of the group failed, or failed in
  /// the same way as the first one; so does `run`.
  static Result<std::unique_ptr<Trainer>> open(const TrainerOptions &options);
  virtual ~Trainer() = default;

  /// A weight that is trained.
  struct Weight {
    std::string name;
    TensorType type;
  };
  virtual const std::vector<Weight> &weights() const = 0;

  /// Steps that the checkpoint had done.
  virtual int64_t stepsBefore() const = 0;

  /// Rows that are trained on, and rows for validation.
  virtual int64_t trainingRows() const = 0;
  virtual int64_t validationRows() const = 0;

  /// Trains until all epochs are done, or `stop` is set by another thread or a
  /// signal handler. Calls `done` after each epoch that was completed. Returns
  /// whether it was stopped. Fails with Code::InvalidArgument, naming the step,
  /// if the loss is not finite; the weights are of no use then. Fails as
  /// SessionStates::save does.
  virtual Result<bool>
  run(const std::atomic<bool> &stop,
      const std::function<void(const EpochReport &)> &done) = 0;

  /// One step on these rows, of which there are at most those of a batch, with
  /// a learning rate of their own. Returns the loss before the step. Fails as
  /// `open` and `run` do; after a loss that is not finite, the weights are of
  /// no use. Fails with Code::Unsupported in a group.
  virtual Result<double> step(const RowsOfInputs &rows, TensorView labels,
                              double rate) = 0;

  /// The bytes of the model with the trained weights. All else of the file is
  /// as it was.
  virtual Result<std::string> model() const = 0;
};

/// The names of the initializers, and of the results of Constant nodes, that
/// may become weights of a step. Fails if the ONNX file cannot be read.
Result<std::vector<std::string>> weightNames(const std::string &model);

/// Writes the states with which the training of a model begins to a file of a
/// session: the weights of the ONNX file, and zeros. `step` is its compiled
/// step. Fails as Trainer::open and SessionStates::save do.
Status saveFirstStates(const Program &step, const std::string &model,
                       const std::string &path);

} // namespace glow

#endif // GLOW_TRAINER_TRAINER_H
