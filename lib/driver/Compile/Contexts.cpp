//===- Contexts.cpp - contexts of compilations ----------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Compile/CompilerDriver.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace glow;

std::shared_ptr<MLIRContext> glow::makeContext() {
  DialectRegistry registry;
  registerDialects(registry);
  auto context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  // Errors in a model are reported without the operation's whole text.
  context->printOpOnDiagnostic(false);
  return context;
}

const std::shared_ptr<MLIRContext> &ContextOfMany::next() {
  // A context keeps every type and attribute that was ever created in it, so a
  // process that compiles for ever would grow.
  constexpr unsigned most = 32;
  if (!context || ++uses % most == 0)
    context = makeContext();
  return context;
}
