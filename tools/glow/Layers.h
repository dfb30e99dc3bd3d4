//===- Layers.h - what was chosen for each layer, and its time --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_LAYERS_H
#define GLOW_TOOLS_GLOW_LAYERS_H

#include "Runner.h"

namespace glow::tool {

/// A step of a compiled model.
struct Layer {
  StepReport report;
  double predicted = 0; ///< milliseconds of one core; 0 if unknown
  double measured = 0;  ///< milliseconds, of a quick run of some; 0 if not

  bool isCompared() const { return predicted > 0 && measured > 0; }
  /// Predicted by measured time.
  double ratio() const { return isCompared() ? predicted / measured : 0; }
};

/// How well the layers of a model are predicted that are both predicted and
/// measured: times in milliseconds, errors relative to what was measured.
struct Accuracy {
  double predicted = 0, measured = 0;
  double error = 0;       ///< that half of the layers stay below
  double errorOfTime = 0; ///< that layers of half of the time stay below
};
Accuracy accuracyOf(const std::vector<Layer> &layers);

/// A compiled model.
struct Layers {
  std::vector<Layer> rows; ///< none if its backend does not say what it chose
  uint64_t arenaBytes = 0; ///< with what kernels take on one thread
  std::string numbers;     ///< by which they were predicted; "" if not
};

/// Compiles a model, and runs it on random inputs if it should `measure`.
Result<Layers> layersOf(std::shared_ptr<Session> session,
                        const ModelOptions &options, bool measure);

/// As a table, and as an array of objects.
std::string layersAsText(const std::vector<Layer> &layers);
Json layersAsJson(const std::vector<Layer> &layers);

/// What there is to say of all layers, in lines; and as members of an object.
std::string accuracyAsText(const Layers &layers);
void addAccuracy(Json &object, const Layers &layers);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_LAYERS_H
