//===- Steps.h - instructions as steps of a program -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKEND_STEPS_H
#define GLOW_BACKEND_STEPS_H

#include "glow/Graph/Dialect.h"
#include "glow/Program/Steps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace glow {

TensorType tensorTypeOf(mlir::RankedTensorType type);
/// The lengths of a list or of a type's encoding; empty without any.
std::vector<Length> lengthsOf(mlir::Attribute attribute);

/// The binding of a placeholder, under the placeholder's own name.
Binding bindingOf(PlaceholderOp placeholder);

/// The model's name in a location; "" if the location has none.
std::string modelName(mlir::Location location);

/// An instruction as a step; `bufferIndex` numbers its buffers.
Step stepOf(mlir::Operation *instr,
            llvm::function_ref<uint32_t(mlir::Value)> bufferIndex);

} // namespace glow

#endif // GLOW_BACKEND_STEPS_H
