//===- Arithmetic.h - how much a model computes -----------------*- C++ -*-===//

#ifndef GLOW_EXPLAIN_ARITHMETIC_H
#define GLOW_EXPLAIN_ARITHMETIC_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>

namespace glow {

/// Operations on elements by the names of the model's nodes, as the index
/// notation of the instructions' records has them: a sum of products counts two
/// for each, what only moves elements none. Padding is counted as if it were
/// read. What has no notation is left out.
std::map<std::string, double> arithmeticOf(mlir::ModuleOp instructions);

} // namespace glow

#endif // GLOW_EXPLAIN_ARITHMETIC_H
