//===- Training.cpp - the trainers of glow.h ------------------------------===//
// SPDX-License-Identifier: MIT

#include "../Guard.h"
#include "TrainingWords.h"
#include "glow/Base/NewFile.h"
#include <deque>

using namespace glow;
using namespace glow::capi;

/// The caller's rows.
namespace {
struct Rows {
  RowsOfInputs inputs;
  TensorView labels = {nullptr, nullptr};
  std::deque<TensorType> types; // at their addresses

  /// Fails as typeOf does.
  Result<TensorView> view(const glow_tensor &tensor);
  Status set(const char *const *names, const glow_tensor *tensors, size_t count,
             const glow_tensor *ofLabels);
};
} // namespace

struct glow_trainer {
  Rows rows;
  std::unique_ptr<Trainer> trainer;
};

Result<TensorView> Rows::view(const glow_tensor &tensor) {
  Result<TensorType> type = typeOf(tensor);
  if (!type)
    return type.status();
  if (!tensor.data && type->bytes() != 0)
    return Status(Code::InvalidArgument, "the data of a tensor is null");
  types.push_back(type.take());
  return TensorView{const_cast<void *>(tensor.data), &types.back()};
}

Status Rows::set(const char *const *names, const glow_tensor *tensors,
                 size_t count, const glow_tensor *ofLabels) {
  if (count)
    if (Status status = checkPointers({names, tensors}); !status.ok())
      return status;
  for (size_t i = 0; i < count; ++i) {
    if (Status status = checkPointers({names[i]}); !status.ok())
      return status;
    Result<TensorView> rows = view(tensors[i]);
    if (!rows)
      return rows.status().prefixed(std::string("'") + names[i] + "': ");
    inputs.emplace_back(names[i], *rows);
  }
  if (!ofLabels)
    return Status();
  Result<TensorView> given = view(*ofLabels);
  if (given)
    labels = *given;
  return given.status().prefixed("labels: ");
}

glow_status glow_trainer_new(const char *model, const glow_options *options,
                             const char *const *words, size_t word_count,
                             const char *const *names,
                             const glow_tensor *inputs, size_t input_count,
                             const glow_tensor *labels,
                             glow_trainer **trainer) {
  return guarded([&] {
    Status status = checkPointers({model, trainer});
    if (status.ok() && word_count)
      status = checkPointers({words});
    auto made = std::make_unique<glow_trainer>();
    if (status.ok())
      status = made->rows.set(names, inputs, input_count, labels);
    TrainerOptions how;
    for (size_t i = 0; i < word_count && status.ok(); ++i) {
      status = checkPointers({words[i]});
      if (status.ok())
        status = setTrainingWord(how, words[i]);
    }
    if (!status.ok())
      return status;
    how.sessions = &sessions();
    how.model = model;
    how.request = options ? options->request : bestRequest();
    how.threads = options ? options->run.threads : 0;
    how.rows = made->rows.inputs, how.labelRows = made->rows.labels;
    Result<std::unique_ptr<Trainer>> opened = Trainer::open(how);
    if (!opened)
      return opened.status();
    made->trainer = opened.take();
    *trainer = made.release();
    return Status();
  });
}

void glow_trainer_free(glow_trainer *trainer) { delete trainer; }

glow_status glow_trainer_run(glow_trainer *trainer, glow_epoch_done done,
                             void *context) {
  return guarded([&] {
    if (Status status = checkPointers({trainer}); !status.ok())
      return status;
    std::atomic<bool> stop = false;
    Result<bool> ended =
        trainer->trainer->run(stop, [&](const EpochReport &report) {
          const bool isValidated = report.isValidated;
          const glow_epoch epoch = {report.epoch,
                                    report.loss,
                                    report.accuracy,
                                    isValidated ? report.validationLoss : -1,
                                    isValidated ? report.validationAccuracy
                                                : -1,
                                    report.samplesPerSecond};
          if (done && done(context, &epoch) != 0)
            stop = true;
        });
    return ended ? Status() : ended.status();
  });
}

glow_status glow_trainer_step(glow_trainer *trainer, const char *const *names,
                              const glow_tensor *inputs, size_t input_count,
                              const glow_tensor *labels, double rate,
                              double *loss) {
  return guarded([&] {
    Rows rows;
    Status status = checkPointers({trainer, labels, loss});
    if (status.ok())
      status = rows.set(names, inputs, input_count, labels);
    if (!status.ok())
      return status;
    Result<double> before =
        trainer->trainer->step(rows.inputs, rows.labels, rate);
    if (before)
      *loss = *before;
    return before ? Status() : before.status();
  });
}

glow_status glow_trainer_save(const glow_trainer *trainer, const char *path) {
  return guarded([&] {
    if (Status status = checkPointers({trainer, path}); !status.ok())
      return status;
    Result<std::string> bytes = trainer->trainer->model();
    return bytes ? writeFile(path, *bytes) : bytes.status();
  });
}
