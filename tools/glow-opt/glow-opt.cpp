//===- glow-opt.cpp - passes on text --------------------------------------===//
// SPDX-License-Identifier: MIT

#include "../LoadBackend.h"
#include "ReadModel.h"
#include "glow/Backend/Backend.h"
#include "glow/Backend/LoopsText.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Program/BackendRecord.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace glow;

static int fail(const Twine &message) {
  llvm::errs() << "glow-opt: error: " << message << "\n";
  return 1;
}

namespace {
struct PhaseOptions {
  LoadBackendOption plugins{"glow-opt"};

  const std::string help =
      "walk through the phases up to and with this one, then run the passes "
      "given: " +
      llvm::join(phaseNames(), ", ") +
      "; default: no phase, or plan when there is a --backend";
  llvm::cl::opt<std::string> stopAfter{
      "stop-after", llvm::cl::value_desc("PHASE"), llvm::cl::desc(help)};
  llvm::cl::opt<std::string> backend{
      "backend", llvm::cl::value_desc("NAME"),
      llvm::cl::desc("what the phases from lower on compile for; default: as "
                     "glow")};

  llvm::cl::list<std::string> shapes{
      "shape", llvm::cl::value_desc("NAME=SIZES"),
      llvm::cl::desc("size of an input of a model of ONNX, as x=1x3x224x224; "
                     "default: as the model has it, with a batch of 1")};

  llvm::cl::opt<bool> loops{
      "loops", llvm::cl::desc("the input is the text of loops, as glow compile "
                              "--emit=loops writes it; FILE.loops is one "
                              "without this; with --backend its plans are "
                              "made")};
  llvm::cl::list<std::string> settings{
      "setting", llvm::cl::value_desc("NAME=VALUE"),
      llvm::cl::desc("an option of the backend that plans loops, as "
                     "cpu=x86-64-v4")};

  bool given() const { return !stopAfter.empty() || !backend.empty(); }
};
} // namespace

/// The code generator of LLVM, if it is linked in, has the flag for passes of
/// its own, which are not asked for here.
static void forgetFlag(StringRef name) {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto found = options.find(name); found != options.end())
    found->second->removeArgument();
}

/// Hides the options that libraries of LLVM have registered for other tools.
/// Called before Glow registers its own.
static void hideOptionsOfOthers() {
  constexpr StringRef kept[] = {"help", "help-hidden", "version"};
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!llvm::is_contained(kept, name))
      option->setHiddenFlag(llvm::cl::ReallyHidden);
}

/// Runs the phases before the passes of the command line. Reports errors.
static LogicalResult addPhasesTo(MlirOptMainConfig &config,
                                 const PhaseOptions &options) {
  Result<Phase> phase =
      options.stopAfter.empty() ? Phase::Plan : phaseNamed(options.stopAfter);
  std::string backend =
      options.backend.empty() ? preferredBackend() : options.backend.getValue();
  Status status = checkBackend(backend);
  if (!phase)
    fail(phase.status().message());
  else if (!status.ok())
    fail(status.message());
  if (!phase || !status.ok())
    return failure();
  config.setPassPipelineSetupFn(
      [given = config, backend, phase = *phase](PassManager &passes) {
        addPhases(passes, backend, phase);
        return given.setupPassPipeline(passes);
      });
  return success();
}

/// A module, or what a model of ONNX is as one. Null after an error.
static std::unique_ptr<llvm::MemoryBuffer>
readInput(StringRef path, const PhaseOptions &options,
          const DialectRegistry &registry) {
  if (path.ends_with(".onnx")) {
    Result<std::unique_ptr<llvm::MemoryBuffer>> module = readModel(
        path.str(), {options.shapes.begin(), options.shapes.end()}, registry);
    if (module)
      return module.take();
    if (module.status().code() != Code::Reported)
      fail(module.status().message());
    return nullptr;
  }
  std::string message;
  auto input = openInputFile(path, &message);
  if (!input)
    fail(message);
  return input;
}

/// Checks and prints the text of loops; a backend plans it first.
static int runOnLoops(StringRef inputFile, StringRef outputFile,
                      const PhaseOptions &options) {
  CodeOptions code;
  for (StringRef setting : options.settings) {
    auto [name, value] = setting.split('=');
    code.settings[name.str()] = value.str();
  }
  if (!options.stopAfter.empty())
    return fail("--stop-after is for modules, and the input is loops");
  if (Status status = options.backend.empty()
                          ? Status()
                          : checkBackend(options.backend, code.settings);
      !status.ok())
    return fail(status.message());
  std::string message;
  auto input = openInputFile(inputFile, &message);
  if (!input)
    return fail(message);
  Result<std::string> text = replannedLoops(
      input->getBuffer(), input->getBufferIdentifier(), options.backend, code);
  if (!text) {
    llvm::errs() << text.status().message() << "\n";
    return 1;
  }
  auto output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  output->os() << *text;
  output->keep();
  return 0;
}

static int runOn(int argc, char **argv, StringRef inputFile,
                 StringRef outputFile, const PhaseOptions &options,
                 DialectRegistry &registry) {
  llvm::InitLLVM initialize(argc, argv);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (options.given() && failed(addPhasesTo(config, options)))
    return 1;
  auto input = readInput(inputFile, options, registry);
  if (!input)
    return 1;
  std::string message;
  auto output = openOutputFile(outputFile, &message);
  if (!output)
    return fail(message);
  if (failed(MlirOptMain(output->os(), std::move(input), registry, config)))
    return 1;
  output->keep();
  return 0;
}

static bool asksForHelp(ArrayRef<char *> arguments) {
  return llvm::any_of(arguments, [](StringRef argument) {
    return argument.ltrim('-') == "help" && argument.starts_with("-");
  });
}

/// Flags and passes of Glow, before those of MLIR are registered; the rest of
/// the help is the library's, in one order of all.
static void printOwnHelp() {
  llvm::raw_ostream &os = llvm::outs();
  os << "glow-opt: Glow's passes on text, or on a model FILE.onnx\n\n"
        "  glow-opt FILE --fold-constants\n"
        "  glow-opt MODEL.onnx --stop-after=optimize --cse\n"
        "  glow-opt FILE --pass-pipeline='builtin.module(lower-nodes)'\n\n"
        "Flags of Glow:\n";
  constexpr size_t width = 30;
  auto &known = llvm::cl::getRegisteredOptions();
  for (StringRef name : {"stop-after", "backend", "shape", "load-backend"})
    known[name]->printOptionInfo(width);
  os << "\nOf Glow: ";
  os.flush();
  printRegisteredPasses();
  os << "\nFlags and passes of MLIR as well:\n\n";
}

int main(int argc, char **argv) {
  forgetFlag("stop-after");
  hideOptionsOfOthers();
  PhaseOptions options;
  DialectRegistry registry;
  registerDialects(registry);
  glow::registerPasses();
  if (asksForHelp({argv + 1, argv + argc}))
    printOwnHelp();
  registerTransformsPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv,
      "Glow's passes on text, or on a model FILE.onnx; bytecode is trusted: "
      "LLVM's reader ends the process at some mistakes in it\n",
      registry);
  if (options.loops || StringRef(input).ends_with(".loops"))
    return runOnLoops(input, output, options);
  if (!options.given() && !StringRef(input).ends_with(".onnx"))
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return runOn(argc, argv, input, output, options, registry);
}
