//===- glow-opt.cpp - passes on text --------------------------------------===//

#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  glow::registerDialects(registry);
  mlir::registerTransformsPasses();
  glow::registerPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Glow's passes on text\n", registry));
}
