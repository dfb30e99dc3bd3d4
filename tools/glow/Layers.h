//===- Layers.h - what was chosen for each layer, and its time --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_LAYERS_H
#define GLOW_TOOLS_GLOW_LAYERS_H

#include "Runner.h"
#include "glow/Toolchain/Toolchain.h"

namespace glow::tool {

/// The node of a step, also of one that only moves elements for others of it.
std::string nodeOf(const StepReport &report);

/// A step of a compiled model.
struct Layer {
  StepReport report;
  StepTypes types;      ///< none where they are not known
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
  /// What is known of it best.
  double time() const { return measured > 0 ? measured : predicted; }
};

/// How well the layers of a model are predicted that are both predicted and
/// measured: times in milliseconds, errors relative to what was measured.
struct Accuracy {
  double predicted = 0, measured = 0;
  double error = 0;       ///< that half of the layers stay below
  double errorOfTime = 0; ///< that layers of half of the time stay below
};
Accuracy accuracyOf(const std::vector<Layer> &layers);

/// A compiled model, or the programs of one that runs in stages.
struct Layers {
  std::vector<Layer> rows; ///< none if its backend does not say what it chose
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

/// Compiles a model, and runs it if there are inputs.
Result<Layers> layersOf(std::shared_ptr<Session> session,
                        const CompileRequest &request,
                        const std::vector<NamedTensor> *inputs);

/// The time of every step that runs, by its node and its instruction.
class StepTimes final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override;
  /// Gives layers that have one their time: that of all runs of it, by `runs`.
  void giveTo(std::vector<Layer> &layers, unsigned runs) const;

private:
  std::map<std::pair<std::string, std::string>, double> milliseconds;
};

/// Of all layers, in milliseconds.
double timeOf(const std::vector<Layer> &layers);

/// "53 steps, 8.2 GFLOP, weights 97.5 MiB, arena 9.2 MiB, predicted 12.3 ms on
/// one thread, 61 % of the peak", without what is not known; and as an object.
std::string summaryAsText(const Layers &layers);
Json summaryAsJson(const Layers &layers);

/// A table of those that take longest, at most so many; and an array of objects
/// in the order of the program.
std::string layersAsText(const std::vector<Layer> &layers,
                         size_t most = std::numeric_limits<size_t>::max());
Json layersAsJson(const std::vector<Layer> &layers);

/// The sums of all layers of one instruction and one algorithm.
std::string kernelsAsText(const std::vector<Layer> &layers);
Json kernelsAsJson(const std::vector<Layer> &layers);

/// How well they were predicted, in lines; and as members of an object.
std::string accuracyAsText(const Layers &layers);
void addAccuracy(Json &object, const Layers &layers);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_LAYERS_H
