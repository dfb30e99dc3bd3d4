//===- glow-reduce.cpp - the smallest module that still fails -------------===//
// SPDX-License-Identifier: MIT

#include "../LoadBackend.h"
#include "Reducer.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace glow::reduce;
using namespace llvm;

static cl::OptionCategory category("glow-reduce");
static cl::opt<std::string> input(cl::Positional, cl::desc("FILE"),
                                  cl::value_desc("text or bytecode"),
                                  cl::Required, cl::cat(category));
static cl::opt<std::string> output("o", cl::value_desc("OUT"), cl::init("-"),
                                   cl::desc("file to write; default: - for "
                                            "standard output"),
                                   cl::cat(category));
static cl::opt<std::string>
    testName("test", cl::value_desc("PROGRAM"), cl::Required,
             cl::desc("is run with a file as its last argument; exit status 0 "
                      "says that the file is still interesting"),
             cl::cat(category));
static cl::list<std::string> testArguments("test-arg", cl::value_desc("TEXT"),
                                           cl::desc("argument of the test "
                                                    "before the file"),
                                           cl::cat(category));
static cl::opt<unsigned>
    seconds("timeout", cl::value_desc("SECONDS"), cl::init(60),
            cl::desc("time a test may take, in seconds; 0: any; default: 60"),
            cl::cat(category));

static glow::LoadBackendOption plugins("glow-reduce", category);

static int fail(const Twine &message) {
  errs() << "glow-reduce: error: " << message << "\n";
  return 1;
}

static int reduceModule(mlir::OwningOpRef<mlir::ModuleOp> module) {
  Expected<Test> test = Test::find(testName, testArguments, seconds);
  if (!test)
    return fail(toString(test.takeError()));
  size_t before = sizeOf(*module);
  Reducer reducer(*test, std::move(module));
  if (Error error = reducer.run())
    return fail("'" + input + "': " + toString(std::move(error)));
  std::string message;
  auto file = mlir::openOutputFile(output, &message);
  if (!file)
    return fail(message);
  reducer.result().print(file->os());
  file->os() << "\n";
  file->keep();
  errs() << "reduced " << before << " nodes and instructions to "
         << sizeOf(reducer.result()) << " in " << reducer.tests() << " tests\n";
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM initialize(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Makes a module as small as a test still finds it interesting; bytecode "
      "is trusted: LLVM's reader ends the process at some mistakes in it\n");
  mlir::DialectRegistry registry;
  glow::registerDialects(registry);
  mlir::MLIRContext context(registry);
  std::string message;
  auto file = mlir::openInputFile(input, &message);
  if (!file)
    return fail(message);
  auto sources = std::make_shared<SourceMgr>();
  sources->AddNewSourceBuffer(std::move(file), SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(*sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(*sources, &context);
  return module ? reduceModule(std::move(module)) : 1;
}
