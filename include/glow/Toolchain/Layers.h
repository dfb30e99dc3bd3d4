//===- Layers.h - what was chosen for each layer, and its time --*- C++ -*-===//
//
// Includes no LLVM and no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLCHAIN_LAYERS_H
#define GLOW_TOOLCHAIN_LAYERS_H

#include "glow/Toolchain/Toolchain.h"
#include <limits>
#include <nlohmann/json.hpp>

namespace glow {

using LayerJson = nlohmann::ordered_json;

/// A step of a compiled model.
struct ChosenLayer {
  StepReport report;
  StepTypes types;      ///< empty where the backend has none
  double predicted = 0; ///< milliseconds of one core; 0 if unknown
  double measured = 0;  ///< milliseconds, of a quick run of some; 0 if not
  /// Operations on elements of the model's node; of steps that share a node,
  /// each has the part that its time is. 0 if unknown.
  double operations = 0;
  double least = 0; ///< milliseconds that these take at the processor's peak

  /// Of its time, the part in which the processor would make these operations
  /// at best; 0 if unknown.
  double shareOfPeak() const { return time() > 0 ? least / time() : 0; }
  /// Whether it is above the peak since its algorithm makes fewer operations.
  bool isAbovePeak() const {
    return report.fewerOperations && shareOfPeak() > 1;
  }
  bool isCompared() const { return predicted > 0 && measured > 0; }
  /// Predicted by measured time.
  double ratio() const { return isCompared() ? predicted / measured : 0; }
  /// The measured time or, without one, the predicted time.
  double time() const { return measured > 0 ? measured : predicted; }
};

/// How well the layers of a model are predicted that are both predicted and
/// measured: times in milliseconds, errors relative to what was measured.
struct Accuracy {
  double predicted = 0, measured = 0;
  double error = 0;       ///< that half of the layers stay below
  double errorOfTime = 0; ///< that layers of half of the time stay below
};
Accuracy accuracyOf(const std::vector<ChosenLayer> &layers);

/// A compiled model, or the programs of one that runs in stages.
struct ChosenLayers {
  /// Empty for a backend that does not report its choices.
  std::vector<ChosenLayer> rows;
  uint64_t arenaBytes = 0; ///< with what kernels take on one thread
  uint64_t weightBytes = 0;
  std::string numbers;   ///< by which they were predicted; "" if not
  double operations = 0; ///< of the model, on elements; 0 if unknown

  /// Adds the steps of a program, one more of those that run after each other.
  void add(const Program &program);
  /// Tells the layers what the model's nodes compute, and how long it takes at
  /// the peak of the processor.
  void addArithmetic(const std::map<std::string, double> &operations,
                     const CompileRequest &request);
};

/// Of all layers, in milliseconds.
double timeOf(const std::vector<ChosenLayer> &layers);

/// "53 steps, 8.2 GFLOP, weights 97.5 MiB, arena 9.2 MiB, predicted 12.3 ms on
/// one thread, 61 % of the peak", without what is not known; and as an object.
std::string summaryAsText(const ChosenLayers &layers);
LayerJson summaryAsJson(const ChosenLayers &layers);

/// A table of those that take longest, at most so many; and an array of objects
/// in the order of the program.
std::string layersAsText(const std::vector<ChosenLayer> &layers,
                         size_t most = std::numeric_limits<size_t>::max());
LayerJson layersAsJson(const std::vector<ChosenLayer> &layers);

/// The sums of all layers of one instruction and one algorithm.
std::string kernelsAsText(const std::vector<ChosenLayer> &layers);
LayerJson kernelsAsJson(const std::vector<ChosenLayer> &layers);

/// How well they were predicted, in lines; and as members of an object.
std::string accuracyAsText(const ChosenLayers &layers);
void addAccuracy(LayerJson &object, const ChosenLayers &layers);

/// Layers as `glow explain` shows them: as members of an object; the sum of all
/// and those that take longest; and all of them, where those were not all, with
/// kernels and predictions.
void addLayers(LayerJson &object, const ChosenLayers &layers);
std::string beginningOf(const ChosenLayers &layers);
std::string tablesOf(const ChosenLayers &layers);

/// An explanation with the layers of the program, as `glow explain` prints it:
/// the beginning, `between`, the explanation and the tables; or the object that
/// it writes, of the explanation's own object.
std::string explainedAsText(const std::string &explanation,
                            const ChosenLayers &layers,
                            const std::string &between = "");
LayerJson explainedAsJson(const std::string &explanation,
                          const ChosenLayers &layers);

} // namespace glow

#endif // GLOW_TOOLCHAIN_LAYERS_H
