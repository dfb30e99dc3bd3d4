//===- SamplesTest.cpp - every sample of every record ---------------------===//
//
// With names of nodes, only theirs. `--load-backend FILE` brings the samples of
// a plug-in.
//
//===----------------------------------------------------------------------===//

#include "Samples.h"
#include "glow/Pipeline/Pipeline.h"
#include "llvm/Support/CommandLine.h"
#include <dlfcn.h>

using namespace glow;

static llvm::cl::list<std::string>
    plugins("load-backend", llvm::cl::desc("a plug-in, whose samples count"));
static llvm::cl::list<std::string> names(llvm::cl::Positional,
                                         llvm::cl::desc("nodes"));

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  for (const std::string &file : plugins)
    if (!::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      llvm::errs() << ::dlerror() << "\n";
      return 2;
    }
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto isChosen = [](llvm::StringRef node) {
    return names.empty() || llvm::is_contained(names, node);
  };
  unsigned nodes = 0, orders = 0, rewrites = 0, empty = 0;
  GradientCounts gradients;
  unsigned failures = testNodes(context, isChosen, nodes) +
                      testPermuted(context, isChosen, orders) +
                      testEmpty(context, isChosen, empty) +
                      testGradients(context, isChosen, gradients);
  if (names.empty())
    failures += testRewrites(context, rewrites);
  llvm::outs() << nodes << " runs of nodes, " << orders
               << " in other orders of axes, " << empty << " with sizes of 0, "
               << rewrites << " of rewrites\n"
               << "gradients of " << gradients.nodes << " nodes on "
               << gradients.samples << " samples at " << gradients.elements
               << " elements, against finite differences\n"
               << failures << " failures\n";
  return failures ? 1 : 0;
}
