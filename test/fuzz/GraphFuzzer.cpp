//===- GraphFuzzer.cpp - random graphs, until something is wrong ----------===//
// SPDX-License-Identifier: MIT
//
// Each graph is checked in a process of its own, so that a crash is a finding
// like any other. docs/Fuzzing.md documents its use.
//
//===----------------------------------------------------------------------===//

#include "CheckGraph.h"
#include "RandomGraph.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <dlfcn.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace glow;
using namespace mlir;

static llvm::cl::list<std::string>
    plugins("load-backend", llvm::cl::desc("a plug-in, whose samples count"));
static llvm::cl::opt<unsigned> seed("seed", llvm::cl::init(1),
                                    llvm::cl::desc("of the first graph"));
static llvm::cl::opt<unsigned> graphs("graphs", llvm::cl::init(UINT_MAX),
                                      llvm::cl::desc("how many, at most"));
static llvm::cl::opt<unsigned> seconds("seconds", llvm::cl::init(60),
                                       llvm::cl::desc("for how long"));
static llvm::cl::opt<unsigned> most("nodes", llvm::cl::init(12),
                                    llvm::cl::desc("of a graph, at most"));
static llvm::cl::opt<std::string>
    backend("backend", llvm::cl::init("cpu"),
            llvm::cl::desc("what is held to the interpreter"));
static llvm::cl::opt<std::string>
    processor("cpu", llvm::cl::desc("the processor that its code is for"));
static llvm::cl::opt<std::string>
    folder("save", llvm::cl::desc("where to write graphs that are findings"));
static llvm::cl::opt<bool>
    found("found", llvm::cl::desc("succeed if FILE is a finding"));
static llvm::cl::opt<std::string>
    file(llvm::cl::Positional, llvm::cl::desc("FILE: a graph to check again"));

/// A graph that takes longer hangs.
static constexpr unsigned patience = 300;

/// The exit status of a child that had results to compare.
static constexpr int comparedStatus = 100;

/// Graphs that had results to compare.
static unsigned comparisons = 0;

/// The result of checkGraph, run in a child.
static std::string checkAside(ModuleOp module) {
  int ends[2];
  if (::pipe(ends) != 0)
    return "no pipe";
  pid_t child = ::fork();
  if (child == 0) {
    ::alarm(patience);
    bool compared = false;
    std::string why = checkGraph(module, backend, processor, compared);
    [[maybe_unused]] ssize_t written = ::write(ends[1], why.data(), why.size());
    ::_exit(compared ? comparedStatus : 0);
  }
  ::close(ends[1]);
  std::string why;
  char part[4096];
  for (ssize_t size; (size = ::read(ends[0], part, sizeof part)) > 0;)
    why.append(part, size_t(size));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM
               ? "hangs"
               : "crashes with signal " + std::to_string(WTERMSIG(status));
  comparisons += WEXITSTATUS(status) == comparedStatus;
  return WEXITSTATUS(status) % comparedStatus ? "ends the process" : why;
}

static void save(ModuleOp module, unsigned number) {
  if (folder.empty())
    return;
  llvm::sys::fs::create_directories(folder);
  std::error_code error;
  llvm::raw_fd_ostream os(folder + "/" + std::to_string(number) + ".mlir",
                          error);
  if (error)
    llvm::errs() << folder << ": " << error.message() << "\n";
  else
    module.print(os);
}

static int checkFile(MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 2;
  std::string why = checkAside(*module);
  if (!why.empty())
    llvm::errs() << file << " " << why << "\n";
  return why.empty() != found ? 0 : 1;
}

/// Counts the nodes with a record, and collects their names.
static size_t countNodes(ModuleOp module, std::set<std::string> &names) {
  size_t count = 0;
  module.walk([&](Operation *op) {
    if (!findNode(op->getName().getStringRef()))
      return;
    ++count;
    names.insert(op->getName().getStringRef().str());
  });
  return count;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "checks random graphs\n");
  for (const std::string &plugin : plugins)
    if (!::dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      llvm::errs() << ::dlerror() << "\n";
      return 2;
    }
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (!file.empty())
    return checkFile(context);
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::seconds(seconds);
  std::set<std::string> names;
  size_t nodes = 0, findings = 0;
  unsigned count = 0;
  for (; count < graphs && Clock::now() < end; ++count) {
    OwningOpRef<ModuleOp> module = randomGraph(context, seed + count, most);
    nodes += countNodes(*module, names);
    std::string why = checkAside(*module);
    if (why.empty())
      continue;
    ++findings;
    llvm::errs() << "graph " << seed + count << ": " << why << "\n";
    save(*module, seed + count);
  }
  llvm::outs() << count << " graphs of " << nodes << " nodes, of "
               << names.size() << " kinds, " << comparisons
               << " with results to compare\n"
               << findings << " findings\n";
  return findings ? 1 : 0;
}
