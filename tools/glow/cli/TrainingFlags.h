//===- TrainingFlags.h - flags of a training step ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_CLI_TRAININGFLAGS_H
#define GLOW_TOOLS_GLOW_CLI_TRAININGFLAGS_H

#include "glow/Program/Training.h"
#include <CLI/CLI.hpp>

namespace glow::tool {

/// Adds a flag for one of several words. The default is the value of `word`.
template <size_t count>
void addWord(CLI::App &app, const char *flag, std::string &word,
             const char *const (&names)[count],
             const std::string &description) {
  app.add_option(flag, word, description)
      ->check(CLI::IsMember(std::vector<std::string>(names, names + count)))
      ->capture_default_str();
}

/// Adds --loss and --compare.
void addLossFlags(CLI::App &app, TrainingRequest &request);

/// Adds --batch-norm and --dropout.
void addLayerFlags(CLI::App &app, TrainingRequest &request);

/// Adds --trainable.
void addTrainableFlag(CLI::App &app, TrainingRequest &request);

/// Adds --optimizer and the numbers of optimizers, as a group.
void addOptimizerFlags(CLI::App &app, OptimizerRequest &how);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_CLI_TRAININGFLAGS_H
