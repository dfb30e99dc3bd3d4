//===- ShowValues.h - values of a model as outputs --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_QUANTIZATION_NODES_SHOWVALUES_H
#define GLOW_LIB_QUANTIZATION_NODES_SHOWVALUES_H

#include "KnownValues.h"
#include "ValueNames.h"

namespace glow {

/// Whether a value is read from a constant, or from an input of the model. An
/// input of the module with an origin is a value that the host computes.
bool isInput(mlir::Value value);

/// Saves a value of a node as an output with this name, which no port has.
void showValue(mlir::Value value, llvm::StringRef name);

/// Saves each value of f32 that depends on an input, for a profile.
void showAll(mlir::ModuleOp module, const ValueNames &names,
             const KnownValues &known);

} // namespace glow

#endif // GLOW_LIB_QUANTIZATION_NODES_SHOWVALUES_H
