//===- Algorithm.cpp - the code that the record has for a node ------------===//

#include "Algorithm.h"
#include "glow/Backend/Backend.h"

llvm::StringRef glow::cpu::algorithmOf(mlir::Operation *node) {
  const CodeInfo *code = codeFor("cpu", node);
  return code ? code->algorithm : "";
}
