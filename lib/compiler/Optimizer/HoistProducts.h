//===- HoistProducts.h - products of slices of all trips ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_OPTIMIZER_HOISTPRODUCTS_H
#define GLOW_LIB_OPTIMIZER_HOISTPRODUCTS_H

#include "glow/Graph/ControlFlow.h"

namespace glow {

/// Moves a product of a slice and a matrix that no trip changes in front of a
/// loop, as one product for all trips. False if there is none.
bool hoistProduct(LoopOp loop, CalledBody &body,
                  const mlir::SymbolTable &symbols);

} // namespace glow

#endif // GLOW_LIB_OPTIMIZER_HOISTPRODUCTS_H
