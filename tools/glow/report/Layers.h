//===- Layers.h - choices and times of layers -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_REPORT_LAYERS_H
#define GLOW_TOOLS_GLOW_REPORT_LAYERS_H

#include "glow/Toolchain/Layers.h"
#include "model/Runner.h"

namespace glow::tool {

using Layer = ChosenLayer;
using Layers = ChosenLayers;

/// The node of a step, also of one that only moves elements for others of it.
std::string nodeOf(const StepReport &report);

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

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_REPORT_LAYERS_H
