//===- RandomGraph.h - graphs out of the records' samples -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A node of a random graph begins as one of its samples. Sizes are exchanged,
// all equal ones together, and operands become results of other nodes.
// Sometimes an attribute changes; nodes that the record then refuses are left
// out. So graphs contain every node with a record, and are valid.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TEST_FUZZ_RANDOMGRAPH_H
#define GLOW_TEST_FUZZ_RANDOMGRAPH_H

#include "glow/Samples/Samples.h"

namespace glow {

/// A module of one function `main` with at most `most` nodes, the same for a
/// seed. Its inputs are in the ranges that their placeholders say.
mlir::OwningOpRef<mlir::ModuleOp> randomGraph(mlir::MLIRContext &context,
                                              unsigned seed, unsigned most);

/// The inputs of such a module, each the same for its name and type.
std::vector<NamedTensor> randomInputs(mlir::ModuleOp module);

} // namespace glow

#endif // GLOW_TEST_FUZZ_RANDOMGRAPH_H
