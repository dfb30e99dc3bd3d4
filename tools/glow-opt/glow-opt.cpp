//===- glow-opt.cpp - passes on text --------------------------------------===//

#include "../LoadBackend.h"
#include "ReadModel.h"
#include "glow/Backend/Backend.h"
#include "glow/Pipeline/Pipeline.h"
#include "glow/Program/BackendRecord.h"
#include "mlir/IR/MLIRContext.h"
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
struct RoomOptions {
  LoadBackendOption plugins{"glow-opt"};

  const std::string help =
      "walk through the rooms up to and with this one, then run the passes "
      "given: " +
      llvm::join(roomNames(), ", ") +
      "; default: no room, or plan when there is a --backend";
  llvm::cl::opt<std::string> stopAfter{
      "stop-after", llvm::cl::value_desc("ROOM"), llvm::cl::desc(help)};
  llvm::cl::opt<std::string> backend{
      "backend", llvm::cl::value_desc("NAME"),
      llvm::cl::desc("what the rooms from lower on compile for; default: as "
                     "glow")};

  llvm::cl::list<std::string> shapes{
      "shape", llvm::cl::value_desc("NAME=SIZES"),
      llvm::cl::desc("size of an input of a model of ONNX, as x=1x3x224x224; "
                     "default: as the model has it, with a batch of 1")};

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

/// What libraries of LLVM have registered is for other tools. Called before any
/// of ours is.
static void hideOptionsOfOthers() {
  constexpr StringRef kept[] = {"help", "help-hidden", "version"};
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (!llvm::is_contained(kept, name))
      option->setHiddenFlag(llvm::cl::ReallyHidden);
}

/// Puts the rooms before the passes of the command line. Says what is wrong.
static LogicalResult addRoomsTo(MlirOptMainConfig &config,
                                const RoomOptions &options) {
  Result<Room> room =
      options.stopAfter.empty() ? Room::Plan : roomNamed(options.stopAfter);
  std::string backend =
      options.backend.empty() ? preferredBackend() : options.backend.getValue();
  Status status = checkBackend(backend);
  if (!room)
    fail(room.status().message());
  else if (!status.ok())
    fail(status.message());
  if (!room || !status.ok())
    return failure();
  config.setPassPipelineSetupFn(
      [given = config, backend, room = *room](PassManager &passes) {
        addRooms(passes, backend, room);
        return given.setupPassPipeline(passes);
      });
  return success();
}

/// A module, or what a model of ONNX is as one. Null after an error.
static std::unique_ptr<llvm::MemoryBuffer>
readInput(StringRef path, const RoomOptions &options,
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

static int runOn(int argc, char **argv, StringRef inputFile,
                 StringRef outputFile, const RoomOptions &options,
                 DialectRegistry &registry) {
  llvm::InitLLVM initialize(argc, argv);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (options.given() && failed(addRoomsTo(config, options)))
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

int main(int argc, char **argv) {
  forgetFlag("stop-after");
  hideOptionsOfOthers();
  RoomOptions options;
  DialectRegistry registry;
  registerDialects(registry);
  registerTransformsPasses();
  glow::registerPasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv,
      "Glow's passes on text, or on a model FILE.onnx; bytecode is trusted: "
      "LLVM's reader ends the process at some mistakes in it\n",
      registry);
  if (!options.given() && !StringRef(input).ends_with(".onnx"))
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return runOn(argc, argv, input, output, options, registry);
}
