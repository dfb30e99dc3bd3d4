//===- Autodiff.td - passes that make a training step of a graph ----------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PASSES_AUTODIFF
#define GLOW_PASSES_AUTODIFF

include "mlir/Pass/PassBase.td"

def MakeTrainable : Pass<"make-trainable", "::mlir::ModuleOp"> {
  let summary = "turn constants into weights that training may change";
  let description = [{
    A constant of floats of 32 or 64 bits becomes a `trainable` input of the same name. Without
    `names`, that is each constant of several elements from which values of floats lead to an
    output. The statistics of a `batch_norm` are no weights. A function that a branch or loop calls
    does not read it any more: each call captures it.
  }];
  let options = [ListOption<"names", "names", "std::string",
                            "regular expressions of whole names of constants">,
                 Option<"of", "of", "std::string", "\"\"",
                        "name of the output that they lead to; default: any output">,
                 ListOption<"among", "among", "std::string",
                            "names of constants that may be chosen; default: all">];
}

def AddLoss : Pass<"add-loss", "::mlir::ModuleOp"> {
  let summary = "compare an output with labels, in place of all outputs";
  let description = [{
    The loss is the mean over the rows of a batch, weighted by the input `training.rows`. The
    labels are the input `training.labels`. The outputs are `training.loss` and, of classes,
    `training.correct`: the weighted number of rows whose class is the most likely one.
  }];
  let options = [
    Option<"loss", "loss", "std::string", "\"cross-entropy\"",
           "cross-entropy, squared-error, absolute-error or sigmoid-cross-entropy">,
    Option<"output", "output", "std::string", "\"\"",
           "name of the output that is compared; default: the first of floats">];
}

def TrainingLayers : Pass<"training-layers", "::mlir::ModuleOp"> {
  let summary = "replace the nodes of layers that differ in training";
  let description = [{
    In a `step`, a `batch_norm_training` whose scale or bias is a weight takes mean and variance
    of the rows of the batch that count in `training.rows`. Its running mean and variance become
    inputs, and the outputs `NAME.moved` have their next values. Any other one becomes a
    `batch_norm` by its running statistics. In programs that are no step, these are inputs of the
    same names. A `dropout` becomes a `dropout_training`, whose seed is the input
    `training.seed`, one more after each step; elsewhere it is its operand. Layers in functions
    that a branch or loop calls compute as for inference.
  }];
  let options = [
    Option<"step", "step", "bool", "true", "whether the program is a step of training">,
    Option<"batchNorm", "batch-norm", "std::string", "\"train\"", "train or frozen">,
    Option<"dropout", "dropout", "std::string", "\"train\"", "train or off">];
}

def RoundFactors : Pass<"round-factors", "::mlir::ModuleOp"> {
  let summary = "multiply numbers of bf16 in place of f32";
  let description = [{
    Operands of products of matrices and of convolutions are converted to bf16, once for all
    readers, and results back to f32. Weights, which are inputs by then, keep all of their digits.
    Differentiation makes products of bf16 of these.
  }];
}

def Differentiate : Pass<"differentiate", "::mlir::ModuleOp"> {
  let summary = "add the gradient of an output with respect to weights";
  let description = [{
    The sum of the elements of the output `of` is differentiated, so that the pass can follow
    itself. A weight is a `trainable` input. Its gradient becomes the output `NAME.gradient`.
    All nodes that have no gradient are listed in one error, each with the path from the output
    to a weight. The gradient of a branch or loop calls new functions, `NAME.gradient`. A loop
    whose gradient reads carried values calls `NAME.forward`, which stacks them. With a `scale`,
    all gradients but those that are saved are as many times as large.
  }];
  let options = [
    Option<"scale", "scale", "double", "1.0",
           "gradient of the output, by which gradients of weights are divided again">,
    Option<"of", "of", "std::string", "\"\"",
           "name of the output; default: training.loss, or the only one of one number">,
    ListOption<"names", "names", "std::string",
               "regular expressions of whole names of weights; default: all">,
    Option<"suffix", "suffix", "std::string", "\".gradient\"",
           "what the name of a gradient has behind that of its weight">];
}

def AddOptimizer : Pass<"add-optimizer", "::mlir::ModuleOp"> {
  let summary = "update weights by their gradients";
  let description = [{
    Each gradient that `differentiate` has saved is replaced by the next value of its weight,
    the output `NAME.next`. The learning rate is the input `training.rate`. States of the
    optimizer, such as `NAME.velocity`, are inputs with next values, too. With `apart`, gradients
    become inputs, and all else is removed: another function computes them.
  }];
  let options = [
    Option<"optimizer", "optimizer", "std::string", "\"sgd\"",
           "sgd, momentum, nesterov, adam, adamw, rmsprop or adagrad">,
    Option<"momentum", "momentum", "double", "0.9", "share of the last step that stays">,
    Option<"beta1", "beta1", "double", "0.9", "of adam: share of the mean that stays">,
    Option<"beta2", "beta2", "double", "0.999", "of adam: share of the squares that stays">,
    Option<"keep", "keep", "double", "0.99", "of rmsprop: share of the squares that stays">,
    Option<"decay", "decay", "double", "0.01", "of adamw: decay of weights">,
    Option<"l1", "l1", "double", "0.0", "penalty on the sizes of weights">,
    Option<"l2", "l2", "double", "0.0", "penalty on half the squares of weights">,
    Option<"clipValue", "clip-value", "double", "0.0", "largest element of a gradient; 0: any">,
    Option<"clipNorm", "clip-norm", "double", "0.0", "largest norm of all gradients; 0: any">,
    Option<"apart", "apart", "bool", "false", "take gradients as inputs, and update alone">];
}

#endif // GLOW_PASSES_AUTODIFF
