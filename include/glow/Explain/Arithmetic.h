//===- Arithmetic.h - arithmetic of a model's nodes -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_EXPLAIN_ARITHMETIC_H
#define GLOW_EXPLAIN_ARITHMETIC_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>

namespace glow {

/// Operations on elements for each node of the model, from the index notation
/// of the instructions' records. A term of a sum of products counts two; moving
/// elements counts nothing. Padding counts as if it were read. Instructions
/// without index notation are omitted.
std::map<std::string, double> arithmeticOf(mlir::ModuleOp instructions);

} // namespace glow

#endif // GLOW_EXPLAIN_ARITHMETIC_H
