//===- Updates.cpp - the nodes of optimizers ------------------------------===//
// SPDX-License-Identifier: MIT

#include "Updates.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Nodes.h"

using namespace glow;
using namespace mlir;

static bool isMoving(const OptimizerRequest &how) {
  return how.name == "momentum" || how.name == "nesterov";
}
static bool isAdam(const OptimizerRequest &how) {
  return how.name == "adam" || how.name == "adamw";
}

SmallVector<const char *> glow::statesOf(const OptimizerRequest &how) {
  if (how.name == "sgd")
    return {};
  if (isMoving(how))
    return {".velocity"};
  if (isAdam(how))
    return {".mean", ".square"};
  return {".square"};
}

Operation *glow::buildUpdate(OpBuilder &builder, const OptimizerRequest &how,
                             const UpdateOperands &of, ArrayRef<Value> states) {
  // Small numbers that keep a quotient finite, as in PyTorch.
  constexpr double ofSquares = 1e-8, ofSums = 1e-10;
  Location location = of.weight.getLoc();
  if (isAdam(how))
    return createAdam(builder, location, of.weight, of.slope, states[0],
                      states[1], of.steps, of.rate, how.beta1, how.beta2,
                      ofSquares, how.name == "adamw" ? how.decay : 0, how.l1,
                      how.l2);
  if (isMoving(how))
    return createMomentum(builder, location, of.weight, of.slope, states[0],
                          of.rate, how.momentum, how.name == "nesterov", how.l1,
                          how.l2);
  if (how.name == "rmsprop")
    return createRmsProp(builder, location, of.weight, of.slope, states[0],
                         of.rate, how.keep, ofSquares, how.l1, how.l2);
  if (how.name == "adagrad")
    return createAdagrad(builder, location, of.weight, of.slope, states[0],
                         of.rate, ofSums, how.l1, how.l2);
  return createSgd(builder, location, of.weight, of.slope, of.rate, how.l1,
                   how.l2);
}
