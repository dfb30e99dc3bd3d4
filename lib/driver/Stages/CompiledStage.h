//===- CompiledStage.h - stages that were compiled --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_STAGES_COMPILEDSTAGE_H
#define GLOW_LIB_STAGES_COMPILEDSTAGE_H

#include "glow/Importer/ModelGraph.h"
#include "glow/Session/LoadedPrograms.h"

namespace glow {

/// The next step of a graph after some nodes: a program, or the nodes that
/// wait.
struct CompiledStage : LoadedProgram {
  const ModelGraph *graph;
  std::vector<bool> done; ///< the nodes before it
  std::vector<ImportedStage::Looked> looked;
  std::vector<Constant> assumed;
  std::vector<std::string> inputs, outputs; ///< in the program's order
  std::vector<TensorType> outputTypes;
  std::vector<int> nodes;             ///< that the program computes
  std::map<int, std::string> waiting; ///< see ImportedStage
  std::string refused;

  /// Whether the stage was compiled for the remaining nodes of a frame and the
  /// types of its values; and for the values themselves.
  bool isFor(const GraphFrame &frame) const;
  bool takesValues(const GraphFrame &frame) const;
};

} // namespace glow

#endif // GLOW_LIB_STAGES_COMPILEDSTAGE_H
