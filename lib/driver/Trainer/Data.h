//===- Data.h - rows that a model learns from -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_DRIVER_TRAINER_DATA_H
#define GLOW_DRIVER_TRAINER_DATA_H

#include "MappedRows.h"
#include "glow/Program/Program.h"
#include "glow/Trainer/Trainer.h"
#include <random>

namespace glow {

/// The rows of all inputs and of the labels.
class Data {
public:
  /// Opens the files and folders, or takes the rows in memory. `inputs` are
  /// those of the model. Fails as MappedRows::open and `openFolder` do, with
  /// Code::NotFound if an input has no rows or there are no labels, and with
  /// Code::ShapeMismatch if files differ in their rows.
  static Result<Data> open(const TrainerOptions &options,
                           const std::vector<Binding> &inputs);

  /// The shape of each input for a batch of this many rows.
  std::map<std::string, Ints> shapes(int64_t batch) const;

  /// Fails with Code::ShapeMismatch if the rows of an input or of the labels
  /// are not those of a program, and with Code::InvalidArgument, naming the
  /// row, if a label is no class. `classes` is 0 where labels are none.
  Status check(const Program &program, int64_t classes) const;

  /// Makes the tensors of a batch, with random changes of rows that follow from
  /// `draw`. Fails as the sources of rows do.
  Status gather(std::span<const int64_t> rows, std::optional<uint64_t> draw,
                std::map<std::string, Tensor> &batch) const;

  int64_t rows() const { return labels.rows(); }

private:
  explicit Data(MappedRows labels) : labels(std::move(labels)) {}
  using Source = std::shared_ptr<const RowSource>;
  using Sources = std::vector<std::pair<std::string, Source>>;
  static Result<Sources> sourcesOf(const TrainerOptions &options,
                                   const std::vector<Binding> &inputs);
  static Result<MappedRows> labelsOf(const TrainerOptions &options,
                                     const Sources &sources);

  Sources inputs;
  MappedRows labels;
};

/// Puts rows into an order that the seed alone determines.
void shuffle(std::span<int64_t> rows, uint64_t seed);

} // namespace glow

#endif // GLOW_DRIVER_TRAINER_DATA_H
