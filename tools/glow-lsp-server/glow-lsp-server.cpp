//===- glow-lsp-server.cpp - editors on text of both dialects -------------===//
// SPDX-License-Identifier: MIT

#include "../LoadBackend.h"
#include "Hover.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp trust("\nBytecode is trusted: LLVM's reader ends "
                                 "the process at some mistakes in it.\n");

static glow::LoadBackendOption plugins("glow-lsp-server");

/// Whether LLVM will print text and end the process. The text is no message for
/// an editor.
static bool asksForText(llvm::ArrayRef<char *> arguments) {
  return llvm::any_of(arguments, [](llvm::StringRef argument) {
    return argument.contains("help") || argument.contains("version");
  });
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  glow::registerDialects(registry);
  std::optional<glow::HoverOutput> output;
  if (!asksForText({argv + 1, argv + argc}))
    output.emplace();
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
}
