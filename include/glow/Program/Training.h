//===- Training.h - a request to train a model ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_PROGRAM_TRAINING_H
#define GLOW_PROGRAM_TRAINING_H

#include <string>
#include <vector>

namespace glow {

/// Names of the values that a training step has beside those of its model.
namespace training {
inline constexpr char labels[] = "training.labels"; ///< compared with the model
inline constexpr char rows[] = "training.rows";     ///< weights of the rows
inline constexpr char rate[] = "training.rate";     ///< the learning rate
inline constexpr char steps[] = "training.steps";   ///< steps so far
inline constexpr char loss[] = "training.loss";     ///< mean over the rows
inline constexpr char seed[] = "training.seed";     ///< state of the dropouts
inline constexpr char correct[] = "training.correct"; ///< rows of right class
/// End of the name of the next value of a state.
inline constexpr char next[] = ".next";
/// End of the name of the next running mean or variance of a layer.
inline constexpr char moved[] = ".moved";
} // namespace training

/// The words of the options `loss` and `optimizer`.
inline constexpr const char *lossNames[] = {"cross-entropy", "squared-error",
                                            "absolute-error",
                                            "sigmoid-cross-entropy"};
inline constexpr const char *optimizerNames[] = {
    "sgd", "momentum", "nesterov", "adam", "adamw", "rmsprop", "adagrad"};
/// The words of the options `batch-norm` and `dropout`.
inline constexpr const char *batchNormNames[] = {"train", "frozen"};
inline constexpr const char *dropoutNames[] = {"train", "off"};

/// How weights follow their gradients. 0 of a limit is none.
struct OptimizerRequest {
  std::string name = "sgd";          ///< one of `optimizerNames`
  double momentum = 0.9;             ///< of momentum and nesterov
  double beta1 = 0.9, beta2 = 0.999; ///< of adam and adamw
  double keep = 0.99;                ///< of rmsprop
  double decay = 0.01;               ///< of adamw
  double l1 = 0, l2 = 0;             ///< penalties on weights
  double clipValue = 0;              ///< largest element of a gradient
  double clipNorm = 0;               ///< largest norm of all gradients
};

/// A request to make a step of training of a model, or a part of one.
struct TrainingRequest {
  enum Part {
    Gradient,   ///< `output` is differentiated by the weights
    Evaluation, ///< the loss alone
    Step,       ///< the loss, and the next values of the weights
    Inference,  ///< the model, whose weights are inputs
    // A step in two programs, between which gradients may be changed.
    Backward, ///< the loss, and its gradients `NAME.gradient`
    Update    ///< the next values of the weights; gradients are inputs
  };
  Part part = Step;

  /// Regular expressions of whole names of constants that become weights;
  /// empty: all that `make-trainable` chooses.
  std::vector<std::string> weights = {};
  /// Names of the constants that may become weights; empty: any.
  std::vector<std::string> among = {};
  std::string loss = "cross-entropy"; ///< one of `lossNames`
  /// The output that is compared or, as Gradient, differentiated. If empty, the
  /// first output of floats is compared, and the only number differentiated.
  std::string output = {};
  std::string batchNorm = "train"; ///< one of `batchNormNames`
  std::string dropout = "train";   ///< one of `dropoutNames`
  OptimizerRequest optimizer = {};
};

} // namespace glow

#endif // GLOW_PROGRAM_TRAINING_H
