//===- TextFuzzer.cpp - changed text of every check, until something breaks
//===//
// SPDX-License-Identifier: MIT
//
// The text of a module after a phase is changed by a few characters. The
// changed module passes through the later phases, to a program, and a run. A
// diagnostic is as good as a result. docs/Fuzzing.md documents its use.
//
//===----------------------------------------------------------------------===//

#include "ChangedText.h"
#include "PhaseText.h"
#include "glow/Compile/CompilerDriver.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Runtime/Host.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace glow;
using namespace mlir;

static llvm::cl::opt<unsigned> seed("seed", llvm::cl::init(1),
                                    llvm::cl::desc("of the first file"));
static llvm::cl::opt<unsigned> files("files", llvm::cl::init(50000),
                                     llvm::cl::desc("how many"));
static llvm::cl::opt<bool>
    textsOnly("texts", llvm::cl::desc("change nothing: name the instructions "
                                      "that occur in no text"));
static llvm::cl::opt<std::string>
    folder("save", llvm::cl::init("findings"),
           llvm::cl::desc("where to write files that are findings"));
static llvm::cl::opt<std::string>
    backend("backend", llvm::cl::init("cpu"),
            llvm::cl::desc("for which to compile FILE"));
static llvm::cl::opt<std::string>
    file(llvm::cl::Positional, llvm::cl::desc("FILE: a finding to run again"));

/// The number of changed texts that are made of one text.
static constexpr unsigned changesOfOne = 4;

/// A file that takes longer hangs.
static constexpr unsigned patience = 120;

/// The memory limit of a program's tensors, so that runs are short.
static constexpr uint64_t memoryLimit = 4 << 20;

namespace {

/// Shared memory for the progress of a process that may die.
struct Progress {
  unsigned number;                       ///< current file
  unsigned texts, parsed, compiled, ran; ///< counts of earlier files
  bool instrs[4096];                     ///< those that occurred
};

} // namespace

static Progress *progress;

static void note(const PhaseText &text) {
  static const std::vector<StringRef> known = ir::knownInstrs();
  ++progress->texts;
  for (StringRef instr : text.instrs)
    progress->instrs[llvm::lower_bound(known, instr) - known.begin()] = true;
}

static std::vector<NamedTensor> inputsOf(const Program &program) {
  std::vector<NamedTensor> inputs;
  for (const Binding &input : program.inputs) {
    Result<glow::Tensor> tensor = glow::Tensor::zeros(input.type);
    if (!tensor)
      return {};
    char *bytes = static_cast<char *>(tensor->data());
    // Small numbers of either sign: among them indices out of range.
    for (uint64_t i = 0; i < input.type.bytes(); ++i)
      bytes[i] = input.type.kind == ElementKind::Bool
                     ? char(i % 2)
                     : char(int(i * 37 % 5) - 1);
    inputs.push_back({input.name, tensor.take()});
  }
  return inputs;
}

/// Compiles the text through all phases to a program, and runs it.
static void lead(const std::string &text, const std::string &backend) {
  std::shared_ptr<MLIRContext> context = makeContext();
  CompileRequest request;
  request.path = "changed.mlir";
  request.backend = backend;
  request.code.memoryLimit = memoryLimit;
  auto parse = [&]() -> Result<OwningOpRef<ModuleOp>> {
    auto module = parseSourceString<ModuleOp>(text, context.get());
    if (!module)
      return Status(Code::Reported, "");
    ++progress->parsed;
    return module;
  };
  auto program = compileModule(context, request, parse);
  if (!program)
    return;
  ++progress->compiled;
  Host host;
  auto network = host.load(**program);
  std::vector<NamedTensor> outputs;
  if (network && host.run(*network, inputsOf(**program), outputs).ok())
    ++progress->ran;
}

static void writeFile(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Files from `first` on, in this process.
static void leadAll(MLIRContext &context, unsigned first, unsigned end) {
  PhaseText base;
  for (unsigned number = first; number < end; ++number) {
    progress->number = number;
    ::alarm(patience);
    if (number == first || number % changesOfOne == 0) {
      base = phaseText(context, number / changesOfOne);
      note(base);
    }
    if (base.text.empty() || textsOnly)
      continue;
    std::mt19937 random(number);
    std::string text = changedText(base.text, random);
    writeFile(folder + "/changed.mlir", "// " + base.backend + "\n" + text);
    lead(text, base.backend);
  }
  progress->number = end;
}

static std::string describe(int status) {
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM
               ? "hangs"
               : "crashes with signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) ? "ends the process" : "";
}

/// The result of work in a process of its own, whose messages go to a file.
static std::string aside(llvm::function_ref<void()> work) {
  pid_t child = ::fork();
  if (child == 0) {
    int log =
        ::open((folder + "/log").c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
    ::dup2(log, 2);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return describe(status);
}

static void keep(unsigned number) {
  std::string name = folder + "/" + std::to_string(number);
  llvm::sys::fs::rename(folder + "/changed.mlir", name + ".mlir");
  llvm::sys::fs::rename(folder + "/log", name + ".log");
}

static unsigned leadAside(MLIRContext &context) {
  constexpr unsigned batch = 100 * changesOfOne;
  unsigned findings = 0, end = seed + files;
  for (unsigned number = seed; number < end;) {
    unsigned last = std::min(end, number + batch);
    std::string why = aside([&] { leadAll(context, number, last); });
    if (!why.empty()) {
      ++findings;
      llvm::errs() << "file " << progress->number << ": " << why << "\n";
      keep(progress->number);
    }
    number = why.empty() ? last : progress->number + 1;
  }
  return findings;
}

static int leadFile() {
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  lead(text, backend);
  llvm::outs() << progress->parsed << " parsed, " << progress->compiled
               << " compiled, " << progress->ran << " ran\n";
  return 0;
}

static void report() {
  unsigned expected = 0;
  std::string missing;
  for (auto [occurs, name] : llvm::zip(progress->instrs, ir::knownInstrs())) {
    // The instruction of a node that every backend lowers has no kernel.
    if (!occurs && !KernelRegistry::instance().find(std::string_view(name)))
      continue;
    ++expected;
    if (textsOnly && !occurs)
      missing += "no text has " + name.str() + "\n";
  }
  llvm::outs() << files << " files of " << progress->texts << " texts, of "
               << llvm::count(progress->instrs, true) << " of " << expected
               << " instructions; " << progress->parsed << " parsed, "
               << progress->compiled << " compiled, " << progress->ran
               << " ran\n"
               << missing;
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "runs changed text\n");
  progress = static_cast<Progress *>(::mmap(nullptr, sizeof(Progress),
                                            PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (!file.empty())
    return leadFile();
  llvm::sys::fs::create_directories(folder);
  DialectRegistry registry;
  registerDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  unsigned findings = leadAside(context);
  report();
  llvm::outs() << findings << " findings\n";
  return findings ? 1 : 0;
}
