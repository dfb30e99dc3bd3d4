//===- Samples.h - the samples of nodes, for generated tests --*- C++ -*-===//

#ifndef GLOW_GRAPH_SAMPLES_H
#define GLOW_GRAPH_SAMPLES_H

#include "mlir/IR/Builders.h"
#include <span>
#include <vector>

namespace glow {

/// A Sample record. `operands` are texts such as "f32[2,3] in 0.5..2", absent
/// ones left out. `build` makes the node of them, or reports why not and
/// returns null.
struct SampleInfo {
  const char *node, *label;
  const char *refuses; ///< the requirement that it breaks, "" for none
  std::vector<const char *> operands;
  mlir::Operation *(*build)(mlir::OpBuilder &, mlir::Location,
                            mlir::ValueRange operands);
};

void registerSamples(std::span<const SampleInfo> table);
/// All samples, in the order of their records.
const std::vector<SampleInfo> &allSamples();

} // namespace glow

#endif // GLOW_GRAPH_SAMPLES_H
