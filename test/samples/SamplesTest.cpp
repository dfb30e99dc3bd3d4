//===- SamplesTest.cpp - every sample of every record ---------------------===//
// SPDX-License-Identifier: MIT
//
// With names of nodes, only theirs. `--load-backend FILE` brings the samples of
// a plug-in. Code that reads or writes behind the end of a tensor ends the
// process.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/Memory.h"
#include "glow/Base/Plugin.h"
#include "glow/Samples/Cases.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace glow;

static llvm::cl::list<std::string>
    plugins("load-backend", llvm::cl::desc("a plug-in, whose samples count"));
static llvm::cl::opt<bool> showsFormulas(
    "show-formulas",
    llvm::cl::desc("say how many units in the last place formulas are off"));
static llvm::cl::opt<bool>
    opensSizes("open-sizes",
               llvm::cl::desc("run open sizes on all backends that take them"));
static llvm::cl::opt<bool>
    showsSkipped("show-skipped",
                 llvm::cl::desc("report each case that is skipped, and why"));
static llvm::cl::opt<bool>
    showsCases("show-cases",
               llvm::cl::desc("report each case before it runs, for crashes"));
static llvm::cl::list<std::string> names(llvm::cl::Positional,
                                         llvm::cl::desc("nodes"));

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv);
  GuardedMemory guard;
  for (const std::string &file : plugins)
    if (Status status = loadPlugin(file); !status.ok()) {
      llvm::errs() << status.message() << "\n";
      return 2;
    }
  CaseChoice choice;
  choice.nodes = {names.begin(), names.end()};
  choice.openSizes = opensSizes ? CaseChoice::OpenSizes::All
                                : CaseChoice::OpenSizes::Reference;
  std::map<CaseKind, unsigned> runs, skipped;
  std::set<std::string> differentiated;
  unsigned elements = 0, failures = 0;
  for (const SampleCase &test : sampleCases(choice)) {
    ++runs[test.kind];
    if (test.kind == CaseKind::Gradient)
      differentiated.insert(test.subject);
    if (showsCases)
      llvm::errs() << test.name << "\n";
    CaseOutcome outcome = test.run();
    elements += outcome.elements;
    if (test.kind == CaseKind::Formula && showsFormulas)
      llvm::outs() << test.name << ": " << llvm::format("%.2f", outcome.units)
                   << "\n";
    if (outcome.skipped) {
      ++skipped[test.kind];
      if (showsSkipped)
        llvm::outs() << test.name << " is skipped: " << outcome.why << "\n";
      continue;
    }
    if (outcome.why.empty())
      continue;
    ++failures;
    llvm::errs() << test.name << " " << outcome.why << " (" << test.place
                 << ")\n";
  }
  llvm::outs() << runs[CaseKind::Node] << " runs of nodes, "
               << runs[CaseKind::Backend] << " on other backends, "
               << runs[CaseKind::Order] << " in other orders of axes, "
               << runs[CaseKind::Formula] << " of formulas in more digits, "
               << runs[CaseKind::Empty] << " with sizes of 0, "
               << runs[CaseKind::Length] << " with open sizes, of which "
               << skipped[CaseKind::Length] << " need the greatest, "
               << runs[CaseKind::Half] << " of halves beside f32, "
               << runs[CaseKind::Rewrite] << " of rewrites, "
               << runs[CaseKind::Device] << " on devices\n"
               << "gradients of " << differentiated.size() << " nodes on "
               << runs[CaseKind::Gradient] << " samples at " << elements
               << " elements, against finite differences\n"
               << failures << " failures\n";
  return failures ? 1 : 0;
}
