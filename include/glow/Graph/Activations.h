//===- Activations.h - activations of recurrent nodes -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_ACTIVATIONS_H
#define GLOW_GRAPH_ACTIVATIONS_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace glow {

/// A row of the generated table: an activation function that a gate may have.
struct CellActivation {
  llvm::StringRef onnx;         ///< its name in ONNX
  llvm::StringRef mnemonic;     ///< the Pointwise node of one operand
  std::vector<double> defaults; ///< default attributes of that node
};
void registerCellActivations(const std::vector<CellActivation> &table);

} // namespace glow

#endif // GLOW_GRAPH_ACTIVATIONS_H
