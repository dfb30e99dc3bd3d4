//===- Algorithm.cpp - the code that the record has for a node ------------===//
// SPDX-License-Identifier: MIT

#include "Algorithm.h"
#include "glow/Backend/Backend.h"

using namespace glow;

bool cpu::hasCode(mlir::Operation *node) { return codeFor("cpu", node); }

llvm::StringRef cpu::algorithmOf(mlir::Operation *node) {
  const CodeInfo *code = codeFor("cpu", node);
  return code ? code->algorithm : "";
}

bool cpu::hasVectors(mlir::Operation *node) { return !isScalar(node); }
