//===- Dialect.h - the dialect of nodes and their storage -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GRAPH_DIALECT_H
#define GLOW_GRAPH_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "glow/Graph/Choice.h"
#include "glow/Graph/Dialect.h.inc"
#include "glow/Graph/FormulaAttr.h"

namespace glow {
#include "glow/Graph/StorageChoices.h.inc"
} // namespace glow

#define GET_OP_CLASSES
#include "glow/Graph/Storage.h.inc"

#define GET_OP_CLASSES
#include "glow/Graph/ControlFlow.h.inc"

namespace glow {

/// Registers nodes for every dialect that is created from now on. Generated
/// code and plug-ins call it before a context exists.
void registerNodes(void (*add)(GlowDialect &));

/// Registers `attach` for every registry that is passed to `addAttachments`
/// from now on. Backends attach interfaces this way, such as the NodeEvaluator.
void registerAttachment(void (*attach)(mlir::DialectRegistry &));
void addAttachments(mlir::DialectRegistry &registry);

} // namespace glow

#endif // GLOW_GRAPH_DIALECT_H
