//===- ReadModel.h - models of ONNX as modules ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_OPT_READMODEL_H
#define GLOW_TOOLS_GLOW_OPT_READMODEL_H

#include "glow/Base/Status.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// The module after phase `import` of an ONNX file, as bytecode with all
/// weights. `shapes` are "NAME=1x3x224x224" each, for inputs that have symbolic
/// dimensions; where none is given, a symbolic first one of several is 1. Fails
/// with Code::Reported after errors that were printed.
Result<std::unique_ptr<llvm::MemoryBuffer>>
readModel(const std::string &path, const std::vector<std::string> &shapes,
          const mlir::DialectRegistry &registry);

} // namespace glow

#endif // GLOW_TOOLS_GLOW_OPT_READMODEL_H
