//===- Exporter.h - from nodes to an ONNX file ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_EXPORTER_EXPORTER_H
#define GLOW_EXPORTER_EXPORTER_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace glow {

/// The bytes of an ONNX model of a module as imported; the export modifies the
/// module. Inputs and outputs keep their names and sizes, nodes have the names
/// of their locations, and values those that the model gave them.
///
/// The import records are read in reverse. The first operator whose record
/// makes the same node again, together with nodes that lead to it, is written.
/// The export imports the operator and compares. A node that no record makes is
/// lowered by the rules for all backends; without a rule it is an error. The
/// opset is 17, or the next one in which everything can be written.
///
/// Sizes that a run gives are named dimensions, and nodes compute other sizes
/// of them. It is an error if the module has a condition on sizes that the
/// model has not, or an input with an expression as its size.
///
/// Fails after errors that were reported to the diagnostic engine.
mlir::FailureOr<std::string> exportOnnx(mlir::ModuleOp module);

/// The bytes of the model at `path` with the changes of a module that was
/// imported from it for changes. Nodes of the file that have other operands get
/// other inputs. New nodes are written as `exportOnnx` writes them, and new
/// outputs are added. All else of the file stays, but for nodes and weights
/// that nothing reads.
///
/// Fails after errors that were reported to the diagnostic engine.
mlir::FailureOr<std::string> exportChanges(mlir::ModuleOp module,
                                           const std::string &path);

} // namespace glow

#endif // GLOW_EXPORTER_EXPORTER_H
