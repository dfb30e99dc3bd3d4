//===- Main.cpp - every sample of every record ----------------------------===//
//
// With names of nodes, only theirs. `--load-backend FILE` brings the samples of
// a plug-in.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Pipeline/Pipeline.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include <dlfcn.h>

using namespace glow;

static llvm::cl::list<std::string>
    plugins("load-backend", llvm::cl::desc("a plug-in, whose samples count"));
static llvm::cl::list<std::string> names(llvm::cl::Positional,
                                         llvm::cl::desc("nodes"));

static bool isChosen(llvm::StringRef node) {
  return names.empty() || llvm::is_contained(names, node);
}

/// Whether the node's gradient is something to compare.
static bool hasGradient(llvm::StringRef node) {
  const GradientInfo *info = findGradient(node);
  return info && info->build;
}

static unsigned report(const SampleInfo &sample, const std::string &why) {
  if (why.empty())
    return 0;
  llvm::errs() << sample.node << " sample '" << sample.label << "' " << why
               << "\n";
  return 1;
}

static unsigned checkSamples(mlir::MLIRContext &context) {
  unsigned failures = 0, count = 0;
  for (const SampleInfo &sample : allSamples()) {
    if (!isChosen(sample.node))
      continue;
    ++count;
    failures += report(sample, test::checkSample(context, sample));
  }
  llvm::outs() << count - failures << " of " << count << " samples hold\n";
  return failures;
}

static unsigned checkGradients(mlir::MLIRContext &context) {
  unsigned failures = 0, count = 0, derivatives = 0;
  llvm::StringSet<> nodes;
  for (const SampleInfo &sample : allSamples()) {
    if (!isChosen(sample.node) || *sample.refuses || !hasGradient(sample.node))
      continue;
    ++count;
    nodes.insert(sample.node);
    failures +=
        report(sample, test::checkGradient(context, sample, derivatives));
  }
  llvm::outs() << "gradients of " << nodes.size()
               << " nodes: " << count - failures << " of " << count
               << " samples agree with finite differences at " << derivatives
               << " elements\n";
  for (const NodeInfo &node : allNodes()) {
    if (isChosen(node.name) && hasGradient(node.name) &&
        !nodes.contains(node.name)) {
      llvm::errs() << node.name << " has a gradient that no sample checks\n";
      ++failures;
    }
  }
  return failures;
}

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
  unsigned failures = checkSamples(context);
  failures += checkGradients(context);
  return failures ? 1 : 0;
}
