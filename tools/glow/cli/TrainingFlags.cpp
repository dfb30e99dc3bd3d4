//===- TrainingFlags.cpp - flags of a training step -----------------------===//
// SPDX-License-Identifier: MIT

#include "TrainingFlags.h"
#include "CommandLine.h"
#include "Numbers.h"

using namespace glow;
using namespace glow::tool;

void tool::addLossFlags(CLI::App &app, TrainingRequest &request) {
  addWord(app, "--loss", request.loss, lossNames,
          "how the output is compared with the labels");
  app.add_option("--compare", request.output,
                 "name of the output that is compared; default: the first of "
                 "floats")
      ->type_name("OUTPUT");
}

void tool::addLayerFlags(CLI::App &app, TrainingRequest &request) {
  addWord(app, "--batch-norm", request.batchNorm, batchNormNames,
          "normalizations whose weights change: by mean and variance of the "
          "batch, which move the running ones; or by the running ones");
  addWord(app, "--dropout", request.dropout, dropoutNames,
          "dropouts in a step: drop elements, or none");
}

void tool::addTrainableFlag(CLI::App &app, TrainingRequest &request) {
  app.add_option("--trainable", request.weights,
                 "names of the weights that change, the others stay; again for "
                 "more; default: all of several elements that reach the output")
      ->type_name("REGEX")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void tool::addOptimizerFlags(CLI::App &app, OptimizerRequest &how) {
  HelpGroup group(app, "Optimizer");
  constexpr double most = 1e9;
  addWord(app, "--optimizer", how.name, optimizerNames,
          "how weights follow their gradients");
  addNumber(app, "--momentum", how.momentum, 0.0, 1.0,
            "of momentum and nesterov: share of the last step that stays");
  addNumber(app, "--beta1", how.beta1, 0.0, 0.9999999,
            "of adam and adamw: share of the mean of gradients that stays");
  addNumber(app, "--beta2", how.beta2, 0.0, 0.9999999,
            "of adam and adamw: share of the mean of squares that stays");
  addNumber(app, "--keep", how.keep, 0.0, 1.0,
            "of rmsprop: share of the mean of squares that stays");
  addNumber(app, "--decay", how.decay, 0.0, most,
            "of adamw: decay of weights, times the rate");
  addNumber(app, "--l1", how.l1, 0.0, most, "penalty on the sizes of weights");
  addNumber(app, "--l2", how.l2, 0.0, most,
            "penalty on half the squares of weights");
  addNumber(app, "--clip-value", how.clipValue, 0.0, most,
            "largest element of a gradient; 0: any");
  addNumber(app, "--clip-norm", how.clipNorm, 0.0, most,
            "largest norm of all gradients together; 0: any");
}
