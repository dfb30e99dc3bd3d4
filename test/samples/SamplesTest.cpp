//===- SamplesTest.cpp - every sample of every record ---------------------===//

#include "Samples.h"
#include "glow/Pipeline/Pipeline.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow;

int main() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned nodes = 0, orders = 0, folds = 0;
  unsigned failures = testNodes(context, nodes) +
                      testPermuted(context, orders) + testFolds(context, folds);
  llvm::outs() << nodes << " runs of nodes, " << orders
               << " in other orders of axes, " << folds << " of folds, "
               << failures << " failures\n";
  return failures ? 1 : 0;
}
