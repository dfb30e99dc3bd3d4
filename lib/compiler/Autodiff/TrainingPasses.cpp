//===- TrainingPasses.cpp - the passes of a training step, in order -------===//
// SPDX-License-Identifier: MIT

#include "glow/Autodiff/Passes.h"

using namespace glow;

static AddOptimizerOptions optionsOf(const OptimizerRequest &request) {
  AddOptimizerOptions options;
  options.optimizer = request.name;
  options.momentum = request.momentum;
  options.beta1 = request.beta1, options.beta2 = request.beta2;
  options.keep = request.keep, options.decay = request.decay;
  options.l1 = request.l1, options.l2 = request.l2;
  options.clipValue = request.clipValue, options.clipNorm = request.clipNorm;
  return options;
}

void glow::addTrainingPasses(mlir::OpPassManager &passes,
                             const TrainingRequest &request) {
  DifferentiateOptions gradients;
  gradients.of = request.output;
  // The loss comes first: weights are constants that lead to it.
  const bool hasLoss = request.part != TrainingRequest::Gradient &&
                       request.part != TrainingRequest::Inference;
  if (hasLoss) {
    AddLossOptions loss;
    loss.loss = request.loss, loss.output = request.output;
    passes.addPass(createAddLoss(loss));
    gradients.of = training::loss;
  }
  MakeTrainableOptions weights;
  weights.of = gradients.of;
  llvm::append_range(weights.names, request.weights);
  llvm::append_range(weights.among, request.among);
  passes.addPass(createMakeTrainable(weights));
  TrainingLayersOptions layers;
  layers.step = request.part == TrainingRequest::Step ||
                request.part == TrainingRequest::Backward;
  layers.batchNorm = request.batchNorm, layers.dropout = request.dropout;
  passes.addPass(createTrainingLayers(layers));
  if (request.part == TrainingRequest::Evaluation ||
      request.part == TrainingRequest::Inference)
    return;
  passes.addPass(createDifferentiate(gradients));
  AddOptimizerOptions optimizer = optionsOf(request.optimizer);
  optimizer.apart = request.part == TrainingRequest::Update;
  if (optimizer.apart || request.part == TrainingRequest::Step)
    passes.addPass(createAddOptimizer(optimizer));
}
