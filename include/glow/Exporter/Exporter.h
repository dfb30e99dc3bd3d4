//===- Exporter.h - from nodes to an ONNX file ------------------*- C++ -*-===//

#ifndef GLOW_EXPORTER_EXPORTER_H
#define GLOW_EXPORTER_EXPORTER_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace glow {

/// The bytes of an ONNX model of a module as it is imported, which is changed
/// meanwhile. Inputs and outputs keep their names and sizes, nodes the names of
/// their locations.
///
/// A node is written by a record that imports it: as the first operator of
/// which the record makes the same node again, which is tried. One of which no
/// record does is lowered by the rules for all backends; one without a rule is
/// an error. The opset is 17, or the next one in which everything can be
/// written.
///
/// Fails after errors told to the diagnostic engine.
mlir::FailureOr<std::string> exportOnnx(mlir::ModuleOp module);

} // namespace glow

#endif // GLOW_EXPORTER_EXPORTER_H
