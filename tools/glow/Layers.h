//===- Layers.h - what was chosen for each layer, and its time --*- C++ -*-===//

#ifndef GLOW_TOOLS_GLOW_LAYERS_H
#define GLOW_TOOLS_GLOW_LAYERS_H

#include "Runner.h"

namespace glow::tool {

/// A step of a compiled model.
struct Layer {
  StepReport report;
  double predicted = 0; ///< milliseconds of one core; 0 if unknown
  double measured = 0;  ///< milliseconds, the median of some runs; 0 if not
};

/// The clock of this processor, by operations that wait for each other: a cycle
/// each on every one.
double cyclesPerMillisecond();

/// A compiled model.
struct Layers {
  std::vector<Layer> rows; ///< none if its backend does not say what it chose
  uint64_t arenaBytes = 0; ///< with what kernels take on one thread
};

/// Compiles a model, and runs it on random inputs if it should `measure`.
Result<Layers> layersOf(std::shared_ptr<Session> session,
                        const ModelOptions &options, bool measure);

/// As a table, and as an array of objects.
std::string layersAsText(const std::vector<Layer> &layers);
Json layersAsJson(const std::vector<Layer> &layers);

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_LAYERS_H
