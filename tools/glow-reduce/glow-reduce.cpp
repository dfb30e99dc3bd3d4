//===- glow-reduce.cpp - the smallest module that still fails -------------===//

#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  glow::registerDialects(registry);
  mlir::registerTransformsPasses();
  glow::registerPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
