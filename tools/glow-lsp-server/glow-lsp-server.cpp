//===- glow-lsp-server.cpp - editors on text of both dialects -------------===//

#include "../LoadBackend.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp trust("\nBytecode is trusted: LLVM's reader ends "
                                 "the process at some mistakes in it.\n");

static glow::LoadBackendOption plugins("glow-lsp-server");

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  glow::registerDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
