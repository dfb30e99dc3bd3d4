//===- Layers.h - choices and times of layers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLCHAIN_LAYERS_H
#define GLOW_TOOLCHAIN_LAYERS_H

#include "glow/Report/Table.h"
#include "glow/Toolchain/Toolchain.h"

namespace glow {

/// A step of a compiled model.
struct ChosenLayer {
  StepReport report;
  StepTypes types;      ///< empty for a backend without types
  double predicted = 0; ///< milliseconds of one core; 0 if unknown
  double measured = 0;  ///< milliseconds, from a few quick runs; 0 if not
                        ///< measured
  /// Operations on elements of the model's node. Steps of one node share its
  /// operations in proportion to their times. 0 if unknown.
  double operations = 0;
  double least = 0; ///< milliseconds of the operations at the processor's peak

  /// Share of the layer's time that its operations take at the processor's
  /// peak; 0 if unknown.
  double shareOfPeak() const { return time() > 0 ? least / time() : 0; }
  /// Whether the share exceeds 1 because its algorithm makes fewer operations.
  bool isAbovePeak() const {
    return report.fewerOperations && shareOfPeak() > 1;
  }
  bool isCompared() const { return predicted > 0 && measured > 0; }
  /// Ratio of predicted to measured time.
  double ratio() const { return isCompared() ? predicted / measured : 0; }
  /// The measured time or, without one, the predicted time.
  double time() const { return measured > 0 ? measured : predicted; }
};

/// Accuracy of predictions for the layers that are both predicted and measured.
/// Times are in milliseconds, errors relative to the measured time.
struct Accuracy {
  double predicted = 0, measured = 0;
  double error = 0;       ///< median over the layers
  double errorOfTime = 0; ///< median, weighted by time
};
Accuracy accuracyOf(const std::vector<ChosenLayer> &layers);

/// A compiled model, or the programs of one that runs in stages.
struct ChosenLayers {
  /// Empty for a backend that does not report its choices.
  std::vector<ChosenLayer> rows;
  uint64_t arenaBytes = 0; ///< with workspace of kernels on one thread
  uint64_t weightBytes = 0;
  std::string numbers;   ///< origin of the predictions; "" without any
  double operations = 0; ///< on elements, in the model; 0 if unknown
  struct State {
    StatePair pair;
    TensorType type; ///< extents are capacities of states that grow
    bool grows, isUpdated;
  };
  std::vector<State> states = {};

  /// Appends the steps of a program, the next of programs that run in sequence.
  void add(const Program &program);
  /// Sets the operations of layers from those of the model's nodes, and their
  /// time at the peak of the processor.
  void addArithmetic(const std::map<std::string, double> &operations,
                     const CompileRequest &request);
};

/// Sum over all layers, in milliseconds.
double timeOf(const std::vector<ChosenLayer> &layers);

/// Layers in the form of `glow explain`: as members of an object; the sum, the
/// states and the slowest layers; and the full list, if it is longer, with
/// kernels and predictions.
void addLayers(Json &object, const ChosenLayers &layers);
std::string beginningOf(const ChosenLayers &layers);
std::string tablesOf(const ChosenLayers &layers);

/// An explanation with the layers of the program, as `glow explain` prints it:
/// the beginning, `between`, the explanation and the tables; or, for JSON, the
/// object of the explanation with added members.
std::string explainedAsText(const std::string &explanation,
                            const ChosenLayers &layers,
                            const std::string &between = "");
Json explainedAsJson(const std::string &explanation,
                     const ChosenLayers &layers);

} // namespace glow

#endif // GLOW_TOOLCHAIN_LAYERS_H
