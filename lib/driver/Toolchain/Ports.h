//===- Ports.h - ports of a model -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_LIB_TOOLCHAIN_PORTS_H
#define GLOW_LIB_TOOLCHAIN_PORTS_H

#include "glow/Importer/Importer.h"
#include "glow/Program/Program.h"

namespace glow {

struct Ports {
  std::vector<Binding> inputs, outputs, overridable = {};
};

/// The ports of an ONNX model, as its file declares them.
Ports portsOf(const ModelInterface &interface);

/// The ports of a module of nodes or of instructions.
Ports portsOf(mlir::ModuleOp module);

} // namespace glow

#endif // GLOW_LIB_TOOLCHAIN_PORTS_H
