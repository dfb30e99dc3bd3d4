//===- SessionTexts.cpp - a model as text, drawing and explanation --------===//
// SPDX-License-Identifier: MIT

#include "CompilingSession.h"
#include "glow/Backend/LoopsText.h"
#include "glow/Draw/Draw.h"
#include "glow/Explain/Arithmetic.h"
#include "glow/Explain/Explain.h"
#include "glow/Exporter/Exporter.h"
#include "glow/Toolchain/Calibrate.h"
#include "glow/Toolchain/Layers.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

/// Makes sure that the printed parts are those that are compiled. Without
/// memory limits, that needs no compilation.
Status CompilingSession::settle(CompileRequest &request) {
  if (Status status = chooseRanges(request); !status.ok())
    return status;
  if (!request.partition || llvm::none_of(request.partition->devices,
                                          [](const PartitionDevice &device) {
                                            return device.memoryBytes != 0;
                                          }))
    return Status();
  return compileToFit(request).status();
}

static Result<std::string> bytecodeOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (mlir::failed(writeBytecodeToFile(module, os)))
    return Status(Code::Internal, "there is no bytecode of the module");
  return text;
}

Result<std::string> glow::textOf(ModuleOp module, bool bytecode) {
  if (bytecode)
    return bytecodeOf(module);
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  // Otherwise, resources would be written completely before their length is
  // checked.
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(0);
  module->print(os, flags);
  // MLIR prints an empty frame for omitted resources.
  if (constexpr StringLiteral frame = "\n{-#\n\n#-}\n";
      StringRef(text).ends_with(frame))
    text.resize(text.size() - frame.size());
  return text + "\n";
}

Result<OwningOpRef<ModuleOp>>
CompilingSession::moduleAfter(const CompileRequest &request,
                              std::string_view word,
                              const std::shared_ptr<MLIRContext> &in) {
  if (Status status = checkModel(); !status.ok())
    return status;
  Result<Phase> phase = phaseNamed(StringRef(word.data(), word.size()));
  if (!phase)
    return phase.status();
  if (Status status = checkTarget(request); !status.ok())
    return status;
  CompileRequest settled = request;
  if (Status status = settle(settled); !status.ok())
    return status;
  CompilerDriver driver(in, path, settled, theFunction);
  OwningOpRef<ModuleOp> module = driver.runTo(*phase, model.get());
  if (!module)
    return driver.refused();
  return std::move(module);
}

/// The request for the gradient of a model, of all weights unless it names
/// some.
static CompileRequest ofGradient(CompileRequest request) {
  TrainingRequest training;
  if (request.training)
    training = *request.training;
  training.part = TrainingRequest::Gradient;
  request.training = std::make_shared<TrainingRequest>(std::move(training));
  return request;
}

Result<std::string> CompilingSession::print(const CompileRequest &request,
                                            std::string_view emit,
                                            bool bytecode) {
  if (emit == "onnx")
    return printOnnx(request);
  if (emit == "gradient")
    return print(ofGradient(request), "graph", bytecode);
  bool isLoops = emit == "loops";
  Result<OwningOpRef<ModuleOp>> module =
      moduleAfter(request, isLoops ? "plan" : emit, contexts.next());
  if (!module)
    return module.status();
  if (Status status =
          isLoops ? checkFixed(**module, "a text of loops") : Status();
      !status.ok())
    return status;
  if (isLoops)
    return loopsText(**module, request.backend, request.code);
  return textOf(**module, bytecode);
}

/// A node without an ONNX operator is reported like an error of compilation.
Result<std::string> CompilingSession::printOnnx(const CompileRequest &request) {
  if (Status status = checkModel(); !status.ok())
    return status;
  CompileRequest settled = request;
  if (Status status = settle(settled); !status.ok())
    return status;
  settled.mayComputeSizes = false; // ONNX has other operators for these
  CompilerDriver driver = driverFor(settled);
  OwningOpRef<ModuleOp> module = driver.runTo(Phase::Import, model.get());
  if (!module)
    return driver.refused();
  FailureOr<std::string> bytes = settled.quantization && model
                                     ? exportChanges(*module, path)
                                     : exportOnnx(*module);
  return failed(bytes) ? Result<std::string>(driver.refused())
                       : std::move(*bytes);
}

Result<std::string>
CompilingSession::draw(const CompileRequest &request, const std::string &phase,
                       const std::map<std::string, double> &times) {
  Result<OwningOpRef<ModuleOp>> module =
      moduleAfter(request, phase, contexts.next());
  if (!module)
    return module.status();
  std::string text;
  llvm::raw_string_ostream os(text);
  printDot(**module, os, times);
  return text;
}

/// The model is compiled twice. First up to its parts, whose graphs are lowered
/// under observation; then up to its plan, if possible.
Result<Explanation> CompilingSession::explain(const CompileRequest &request,
                                              bool json) {
  if (Status status = checkModel(); !status.ok())
    return status;
  if (Status status = checkTarget(request); !status.ok())
    return status;
  CompileRequest settled = request;
  if (Status status = settle(settled); !status.ok())
    return status;
  CompilerDriver driver = driverFor(settled);
  OwningOpRef<ModuleOp> module = driver.runTo(Phase::Partition, model.get());
  if (!module)
    return driver.refused();
  auto plan = [&] { return driver.runTo(Phase::Plan, model.get()); };
  Result<Explanation> found =
      glow::explain(*module, *findBackendInfo(request.backend), plan, json);
  return found ? found : driver.refused();
}

Result<Explanation> CompilingSession::explainAll(const CompileRequest &request,
                                                 bool json) {
  Result<Explanation> found = explain(request, json);
  if (!found || found->refused)
    return found;
  CompileRequest chosen = request;
  chosen.code.reportsOnly = true;
  Result<Program> program = compile(chosen);
  if (!program)
    return program.status();
  ChosenLayers layers;
  layers.numbers = numbersOf(request);
  layers.add(*program);
  layers.addArithmetic(arithmetic(request), request);
  found->text = json ? jsonText(explainedAsJson(found->text, layers))
                     : explainedAsText(found->text, layers);
  return found;
}

std::map<std::string, double>
CompilingSession::arithmetic(const CompileRequest &asked) {
  if (compiled)
    return {};
  CompileRequest request = asked;
  request.backend = referenceBackend();
  request.code = {.memoryLimit = asked.code.memoryLimit};
  request.partition.reset();
  if (!chooseRanges(request).ok())
    return {};
  std::shared_ptr<MLIRContext> context = contexts.next();
  CompilerDriver driver(context, path, request, theFunction);
  // A node without a kernel in the reference is no error of the user.
  ScopedDiagnosticHandler quiet(context.get(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = driver.runTo(Phase::IRGen, model.get());
  return module ? arithmeticOf(*module) : std::map<std::string, double>();
}
