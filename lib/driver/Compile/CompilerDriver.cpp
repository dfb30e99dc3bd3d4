//===- CompilerDriver.cpp - leads one model through the phases
//-------------===//
// SPDX-License-Identifier: MIT
//
// One model passes through all phases in one context, whose diagnostics are
// logged at once: with the file and the name of the node, and notes on lines of
// their own. A later status only states that the error was reported.
//
//===----------------------------------------------------------------------===//

#include "glow/Compile/CompilerDriver.h"
#include "CompileParts.h"
#include "NarrowSizes.h"
#include "PredictedCosts.h"
#include "glow/Autodiff/Passes.h"
#include "glow/Base/Log.h"
#include "glow/Base/OneLine.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/Importer/ModelFile.h"
#include "glow/Memory/Appending.h"
#include "glow/Optimizer/Passes.h"
#include "glow/Predication/Passes.h"
#include "glow/Quantization/GraphQuantization.h"
#include "glow/Quantization/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace glow;

/// A diagnostic as `model.onnx:conv_3: error: ...`, with notes on lines of
/// their own.
static std::string textOf(Diagnostic &diagnostic, StringRef path) {
  auto where = [&](Location location) {
    std::string text = path.str();
    // For a module's text, the line is more useful than the name of a value.
    auto file = location->findInstanceOf<FileLineColLoc>();
    if (file && file.getLine())
      text = (file.getFilename().getValue() + ":" + Twine(file.getLine()) +
              ":" + Twine(file.getColumn()))
                 .str();
    else if (auto name = dyn_cast<NameLoc>(location))
      text += ":" + name.getName().str();
    else if (file)
      text = file.getFilename().str();
    return oneLine(text);
  };
  const bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
  std::string text = where(diagnostic.getLocation()) +
                     (isError ? ": error: " : ": warning: ") +
                     oneLine(diagnostic.str());
  for (Diagnostic &note : diagnostic.getNotes())
    text += noteMark + oneLine(note.str());
  return text;
}

CompilerDriver::CompilerDriver(std::shared_ptr<MLIRContext> owned,
                               const std::string &path,
                               const CompileRequest &request,
                               const std::string &function)
    : context(std::move(owned)), path(path), function(function),
      request(request), memory(request.code.memoryLimit), use(memory),
      handler(context.get(), [this](Diagnostic &diagnostic) {
        const bool isError =
            diagnostic.getSeverity() == DiagnosticSeverity::Error;
        reported |= isError;
        kept.emplace_back(isError ? LogLevel::Error : LogLevel::Warning,
                          textOf(diagnostic, this->path));
        if (!isTrial)
          logKept();
        return success();
      }) {}

void CompilerDriver::logKept() {
  for (const auto &[level, text] : std::exchange(kept, {}))
    logText(level, text);
}

OwningOpRef<ModuleOp> CompilerDriver::read(ModelFile *file, bool mayCompute) {
  if (!file) {
    OwningOpRef<ModuleOp> module = parseModule(*context, path);
    // The parser has a handler of its own, which reported the error.
    reported |= !module;
    if (module && !function.empty() && failed(chooseProgram(*module, function)))
      return {};
    if (module && request.maxIterations &&
        failed(limitTrips(*module, request.maxIterations)))
      return {};
    if (module && failed(narrowSizes(*module, request)))
      return {};
    return module;
  }
  ImportOptions options;
  options.shapes = request.shapes;
  options.sizes = request.sizes;
  options.values = request.values;
  options.memoryLimit = request.code.memoryLimit;
  options.maxIterations = request.maxIterations;
  options.isForTraining =
      request.training && request.training->part != TrainingRequest::Gradient;
  if (GraphQuantization *changes = request.quantization.get()) {
    options.isForChanges = true;
    options.given = changes->given;
    options.missing = &changes->missing;
    changes->missing.clear();
  }
  computed = 0;
  options.computedLengths = mayCompute ? &computed : nullptr;
  // Stages have no program for a range, so that its failures are reported.
  const bool mayStage = request.mayRunInStages && request.sizes.empty();
  return importOnnx(*context, *file, options, mayStage ? &staged : nullptr);
}

bool CompilerDriver::runPhases(ModuleOp module, Phase last) {
  PassManager passes(context.get());
  if (!request.importPasses.empty()) {
    // The registry has no lock.
    [[maybe_unused]] static const bool once = (registerPasses(), true);
    if (failed(parsePassPipeline(request.importPasses, passes)))
      return false;
  }
  if (request.training)
    addTrainingPasses(passes, *request.training);
  if (request.quantization)
    passes.addPass(createQuantizeGraph(request.quantization));
  if (request.states.appends || !request.states.given.empty()) {
    // Equal nodes become one: an output and other nodes may have their own.
    passes.addPass(createCSEPass());
    AppendStatesOptions append;
    append.recognises = request.states.appends && request.states.recognises;
    for (const StatePair &pair : request.states.given)
      append.given.push_back(pair.input + "=" + pair.output);
    passes.addPass(createAppendStates(append));
  }
  if (request.predicates) {
    if (const BackendInfo *backend = findBackendInfo(request.backend);
        backend && !backend->takesLengths) {
      module.emitError() << "--predicate needs a backend that takes lengths, "
                         << "which '" << request.backend << "' does not";
      return false;
    }
    // The selects of one predicate have one condition then.
    passes.addPass(createCSEPass());
    passes.addPass(createPredicateRows());
  }
  std::optional<PartitionPlan> plan;
  if (request.partition)
    plan = {*request.partition, predictedCosts(request, context)};
  addPhases(passes, request.backend, last, request.code, /*alone=*/false,
            plan ? &*plan : nullptr);
#ifdef NDEBUG
  // Verifying after each pass finds errors of passes, but takes time that users
  // wait.
  passes.enableVerifier(false);
#endif
  // Verified once in any build: a module may come from a file.
  SizeDecisions decisions;
  const bool done =
      succeeded(mlir::verify(module)) && succeeded(passes.run(module));
  addConditions(module, decisions.conditions());
  return done;
}

/// Whether a condition of a run has a size that no input has. The program
/// would refuse runs that are possible in stages.
static bool dependsOnComputed(ModuleOp module,
                              const std::vector<SizeCondition> &conditions) {
  llvm::StringSet<> given;
  for (auto port : module.getOps<PlaceholderOp>())
    if (auto lengths = dyn_cast_or_null<LengthsAttr>(
            cast<RankedTensorType>(port.getType()).getEncoding());
        lengths && port.getRole() == PlaceholderRole::Input)
      for (const Length &length : lengths.lengths())
        length.visitVariables(
            [&](const SizeVariable &one) { given.insert(one.name); });
  bool isComputed = false;
  auto visit = [&](const SizeVariable &one) {
    isComputed |= !given.contains(one.name);
  };
  for (const SizeCondition &condition : conditions) {
    condition.left.visitVariables(visit);
    condition.right.visitVariables(visit);
  }
  return isComputed;
}

/// Logs why no program computes the sizes, for developers, and forgets it.
void CompilerDriver::explainStages(
    const std::vector<SizeCondition> &conditions) {
  std::string why;
  for (const SizeCondition &condition : conditions)
    why += (why.empty() ? "it needs " : ", ") + condition.text() +
           (condition.label.empty() ? "" : " [" + condition.label + "]");
  for (const auto &[level, text] : std::exchange(kept, {}))
    why += (why.empty() ? "" : "; ") + text;
  if (isLogged(LogLevel::Debug))
    logText(LogLevel::Debug, path + ": no program computes its sizes: " + why);
}

OwningOpRef<ModuleOp> CompilerDriver::runTo(Phase last, ModelFile *file) {
  const BackendInfo *backend = findBackendInfo(request.backend);
  const bool isDivided =
      request.partition || withFallbacks(request.backend).size() > 1;
  isTrial = file && backend && (backend->takesLengths || isDivided) &&
            request.mayComputeSizes;
  OwningOpRef<ModuleOp> module = read(file, isTrial);
  isTrial = computed != 0;
  if (isTrial) {
    if (module && runPhases(*module, last) &&
        !dependsOnComputed(*module, conditionsOf(*module)))
      return module;
    std::vector<std::pair<LogLevel, std::string>> before = kept;
    explainStages(module ? conditionsOf(*module)
                         : std::vector<SizeCondition>());
    reported = staged = false;
    isTrial = request.training != nullptr;
    module = read(file, false);
    isTrial = false;
    // Stages have no gradient, so that the errors of the program are reported.
    if (!module && request.training && !before.empty()) {
      kept = std::move(before);
      reported = true, staged = false;
    }
  }
  logKept();
  if (!module || !runPhases(*module, last))
    return {};
  return module;
}

Status CompilerDriver::refused() const {
  if (staged)
    return Status(Code::InStages, path + " runs in stages");
  if (reported)
    return Status(Code::Reported, path + " cannot be compiled");
  return Status(Code::Internal,
                path + " cannot be compiled, and no pass said why");
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Result<const Backend *> glow::compilingBackend(const std::string &name,
                                               const Settings &settings) {
  if (Status status = checkBackend(name, settings); !status.ok())
    return status;
  if (const Backend *backend = findBackend(name))
    return backend;
  return failure(Code::Unsupported, "backend '", name,
                 "' has no compiler in this build");
}

/// The only function of a module that no other calls, of nodes or of
/// instructions.
template <typename Function>
static Result<Function> onlyFunction(ModuleOp module, const std::string &path) {
  SmallVector<Function> entries;
  for (auto function : module.getOps<Function>())
    if (!function.getTakes())
      entries.push_back(function);
  if (entries.empty())
    return failure(Code::Unsupported, "'", path,
                   "' has no function to compile");
  if (entries.size() > 1)
    return failure(Code::Unsupported, "'", path, "' has several functions, @",
                   entries[0].getSymName().str(), " and @",
                   entries[1].getSymName().str(),
                   " first: choose one by --function");
  return entries.front();
}

Result<ir::FuncOp> glow::functionOf(ModuleOp module, const std::string &path) {
  return onlyFunction<ir::FuncOp>(module, path);
}

/// The values that the functions of a module assume for its inputs.
static std::vector<Constant> assumedBy(ModuleOp module) {
  std::vector<Constant> assumed;
  for (auto placeholder : module.getOps<PlaceholderOp>())
    if (ElementsAttr value = placeholder.getAssumedAttr()) {
      TensorBytes bytes = bytesOf(value);
      auto owner =
          // The program outlives the module, which owns the original bytes.
          std::make_shared<std::string>(bytes.bytes.begin(), bytes.bytes.end());
      auto type = cast<RankedTensorType>(value.getType());
      assumed.push_back(
          {placeholder.portName().str(),
           {*kindOf(type.getElementType()), Ints(type.getShape())},
           owner->data(),
           owner});
    }
  return assumed;
}

/// Declares the states that grow, as append-states has found them. Fails if the
/// plan moves their old rows.
static Status declareAppended(ModuleOp planned, const StateRequest &request,
                              Program &program) {
  std::vector<StatePair> pairs;
  for (auto output : planned.getOps<PlaceholderOp>()) {
    auto input = output->getAttrOfType<StringAttr>(appendsTo);
    if (!input)
      continue;
    StatePair pair{input.str(), output.portName().str(), true};
    pair.isGiven = llvm::is_contained(request.given, pair);
    pairs.push_back(std::move(pair));
    for (auto port : planned.getOps<PlaceholderOp>())
      for (auto function : planned.getOps<ir::FuncOp>())
        if (port.getRole() == PlaceholderRole::Input &&
            port.portName() == input.getValue())
          if (std::string fault = ir::faultOfAppending(
                  function, port.getSymName(), output.getSymName());
              !fault.empty())
            return Status(Code::Internal, fault);
  }
  if (!pairs.empty())
    program.states = std::move(pairs);
  return Status();
}

void glow::declareNext(ModuleOp planned, Program &program) {
  for (auto output : planned.getOps<PlaceholderOp>())
    if (auto input = output->getAttrOfType<StringAttr>(nextOf)) {
      if (!program.states)
        program.states.emplace();
      program.states->push_back({input.str(), output.portName().str()});
    }
}

Result<Program> CompilerDriver::compile(ModuleOp planned) {
  auto parts = planned.getOps<ModuleOp>();
  SizeDecisions decisions;
  Result<Program> program =
      parts.empty() ? compilePart(planned) : compileParts(planned);
  if (!program)
    return program;
  addConditions(planned, decisions.conditions());
  program->conditions = conditionsOf(planned);
  if (dependsOnComputed(planned, program->conditions))
    return Status(Code::Unsupported, path + " has a condition of a size that a "
                                            "node computes");
  logKept();
  program->assumed = assumedBy(planned);
  Status status = declareAppended(planned, request.states, *program);
  if (!status.ok())
    return status;
  declareNext(planned, *program);
  return program;
}

Result<Program> CompilerDriver::compileParts(ModuleOp planned) {
  std::vector<Program> programs;
  for (ModuleOp part : planned.getOps<ModuleOp>()) {
    Result<Program> program = compilePart(part);
    if (!program)
      return program;
    programs.push_back(program.take());
  }
  return programOfParts(planned, std::move(programs), request.backend);
}

/// A backend that takes no lengths compiles modules of fixed sizes alone.
static Status checkLengths(ModuleOp module, const BackendInfo &backend) {
  if (backend.takesLengths)
    return Status();
  for (auto placeholder : module.getOps<PlaceholderOp>())
    if (auto lengths = dyn_cast_or_null<LengthsAttr>(
            cast<RankedTensorType>(placeholder.getType()).getEncoding()))
      return failure(Code::Unsupported, "backend '", backend.name,
                     "' compiles for fixed sizes, but '",
                     placeholder.portName().str(), "' has the sizes ",
                     lengths.getText().str(), ": give one size for each");
  return Status();
}

Result<Program> CompilerDriver::compilePart(ModuleOp planned) {
  auto name = planned->getAttrOfType<StringAttr>(ofBackend);
  Result<const Backend *> found =
      compilingBackend(name ? name.str() : request.backend, {});
  if (!found)
    return found.status();
  const Backend &backend = **found;
  CodeOptions options = request.code;
  options.settings = settingsFor(backend.name().str(), request.code.settings);
  auto compileOnly = [&](auto function, auto compile) -> Result<Program> {
    if (!function)
      return function.status();
    // It ends with this.
    planned->setAttr(lastReader, UnitAttr::get(context.get()));
    FailureOr<Program> program = compile(*function);
    if (mlir::failed(program))
      return refused();
    if (auto device = planned->getAttrOfType<StringAttr>(ofDevice))
      program->device = device.str();
    return *program;
  };
  const BackendInfo &record = *findBackendInfo(backend.name());
  if (Status status = checkLengths(planned, record); !status.ok())
    return status;
  if (record.takesNodes)
    return compileOnly(
        onlyFunction<FuncOp>(planned, path), [&](FuncOp function) {
          return backend.compileNodes(function, context, options);
        });
  return compileOnly(functionOf(planned, path), [&](ir::FuncOp function) {
    return backend.compile(function, context, options);
  });
}

Result<std::optional<Program>>
glow::compileModule(const std::shared_ptr<MLIRContext> &context,
                    const CompileRequest &request, ImportModule import) {
  Result<const Backend *> backend =
      compilingBackend(request.backend, request.code.settings);
  if (!backend)
    return backend.status();
  CompilerDriver driver(context, request.path, request);
  Result<OwningOpRef<ModuleOp>> module = import();
  if (!module)
    return module.status();
  if (!*module)
    return std::optional<Program>();
  if (!driver.runPhases(**module, Phase::Plan))
    return driver.refused();
  Result<Program> program = driver.compile(**module);
  if (!program)
    return program.status();
  return std::optional(program.take());
}
