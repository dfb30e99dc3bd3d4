//===- TrainingWords.h - words of a training -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_LIBGLOW_COMPILER_TRAININGWORDS_H
#define GLOW_TOOLS_LIBGLOW_COMPILER_TRAININGWORDS_H

#include "glow/Trainer/Trainer.h"

namespace glow::capi {

/// Sets one of the options from a word as "epochs=5". Fails with Code::NotFound
/// for an unknown name, and with Code::InvalidArgument for a value that the
/// option cannot have.
Status setTrainingWord(TrainerOptions &options, const std::string &word);

} // namespace glow::capi

#endif // GLOW_TOOLS_LIBGLOW_COMPILER_TRAININGWORDS_H
