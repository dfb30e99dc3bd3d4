//===- GraphQuantizer.h - a version of a module -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_GRAPHQUANTIZER_H
#define GLOW_LIB_QUANTIZATION_NODES_GRAPHQUANTIZER_H

#include "NodeSource.h"

namespace glow {

/// Makes the requested version of a module, and fills in the results of the
/// request. Without a layer, the module is not changed.
void quantizeGraph(mlir::ModuleOp module, GraphQuantization &request);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_GRAPHQUANTIZER_H
