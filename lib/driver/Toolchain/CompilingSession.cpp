//===- CompilingSession.cpp - one model, read, compiled per shape ---------===//
// SPDX-License-Identifier: MIT
//
// A session has one model, in one of three forms. An ONNX model is parsed once
// and imported for each request. A module is parsed each time. A compiled
// program can only be run.
//
//===----------------------------------------------------------------------===//

#include "CompilingSession.h"
#include "CachedProgram.h"
#include "Ports.h"
#include "glow/Backend/Steps.h"
#include "glow/Base/Log.h"
#include "glow/Base/MemoryFile.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/FormulaAttr.h"
#include "glow/Graph/Marks.h"
#include "glow/Graph/OfDevice.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/Program/Parts.h"
#include "glow/Program/ProgramSeal.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/ProgramFile.h"
#include "glow/Session/Compiled.h"
#include "glow/Session/Specializer.h"
#include "glow/Toolchain/Calibrate.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace mlir;
using namespace glow;

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

Status CompilingSession::readModule() {
  OwningOpRef<ModuleOp> module = parseModule(*contexts.next(), path);
  if (!module)
    return Status(Code::Reported, path + " is not a valid module");
  if (theFunction.empty()) {
    theFunctions.clear();
    for (FuncOp program : programsOf(*module))
      theFunctions.push_back(program.getSymName().str());
  } else if (mlir::failed(chooseProgram(*module, theFunction))) {
    return failure(Code::Internal, path, " has no program '", theFunction, "'");
  }
  Ports ports = portsOf(*module);
  theOutputs = symbolicBindings(std::move(ports.outputs));
  // Inputs keep the ranges of the text.
  theInputs = symbolicBindings(ports.inputs);
  for (auto [input, port] : llvm::zip_equal(theInputs, ports.inputs))
    input.lengths = std::move(port.lengths);
  return Status();
}

Status CompilingSession::choose(const std::string &name) {
  if (theFunctions.empty() || !llvm::is_contained(theFunctions, name))
    return Session::choose(name);
  theFunction = name;
  return readModule();
}

Status CompilingSession::readModel() {
  Result<std::unique_ptr<ModelFile>> file = ModelFile::open(path);
  if (!file)
    return file.status();
  model = file.take();
  Ports ports = portsOf(model->interface());
  theFiles = model->interface().files;
  theOverridable = std::move(ports.overridable);
  theInputs = std::move(ports.inputs), theOutputs = std::move(ports.outputs);
  return Status();
}

Status CompilingSession::openProgram() {
  Result<Program> program = glow::openProgram(path);
  if (!program)
    return program.status();
  theInputs = symbolicBindings(program->inputs);
  theOutputs = symbolicBindings(program->outputs);
  compiled = program.take();
  return Status();
}

/// The file name determines the form; a file in memory has no name and is
/// recognized by its first bytes.
Status CompilingSession::read() {
  if (isProgramFile(path))
    return openProgram();
  const bool isModule = isModuleFile(path) ||
                        MemoryFile::begins(path, "ML\xefR") ||
                        MemoryFile::begins(path, "glow.");
  return isModule ? readModule() : readModel();
}

Result<std::unique_ptr<Session>> CompilingSession::another() const {
  auto session = std::make_unique<CompilingSession>(path);
  session->theFiles = theFiles;
  session->theInputs = theInputs, session->theOutputs = theOutputs;
  session->theOverridable = theOverridable;
  session->theFunctions = theFunctions, session->theFunction = theFunction;
  session->compiled = compiled;
  session->model = model;
  session->constants = constants;
  return std::unique_ptr<Session>(std::move(session));
}

std::vector<SizeVariable>
CompilingSession::ownSizes(const std::string &backend) const {
  std::vector<SizeVariable> sizes;
  const BackendInfo *info = findBackendInfo(backend);
  if (info && info->takesLengths)
    for (const Binding &input : theInputs)
      for (const Length &length : input.lengths)
        if (const SizeVariable *own = length.variable();
            own && !llvm::is_contained(sizes, *own))
          sizes.push_back(*own);
  return sizes;
}

std::shared_ptr<Specializer>
CompilingSession::specializer(const CompileRequest &request,
                              std::vector<Constant> kept) {
  return std::make_shared<Specializer>(*this, request, std::move(kept));
}

Status CompilingSession::checkModel() const {
  if (!compiled)
    return Status();
  return failure(Code::Unsupported, path, " is ", textOfOrigin(path),
                 "; this needs the model");
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

Status glow::checkTarget(const CompileRequest &request) {
  if (Status status = checkBackend(request.backend, request.code.settings);
      !status.ok())
    return status;
  const bool isSaid =
      !request.code.settings.empty() || !request.code.plans.empty();
  const Backend *backend = findBackend(request.backend);
  return isSaid && backend ? backend->checkOptions(request.code) : Status();
}

void SharedConstants::share(Program &program) {
  std::lock_guard lock(mutex);
  std::erase_if(all, [](const Known &known) { return known.owner.expired(); });
  std::vector<Constant> kept;
  for (const Known &known : all)
    kept.push_back({"", known.type, known.data, known.owner.lock()});
  const uint64_t bytes = shareConstants(program, kept);
  if (bytes && isLogged(LogLevel::Debug))
    logText(LogLevel::Debug, "function '" + program.entry + "' shares " +
                                 std::to_string(bytes) +
                                 " bytes of constants with others");
  for (const Constant &constant : program.constants)
    if (constant.owner)
      all.push_back({constant.type, constant.data, constant.owner});
}

Result<Program> CompilingSession::compile(const CompileRequest &asked) {
  Result<Program> program = compileOrLoad(asked);
  if (program && (theFunctions.size() > 1 || asked.training))
    constants->share(*program);
  return program;
}

Result<Program> CompilingSession::compileOrLoad(const CompileRequest &asked) {
  theSource = compiled ? Source::File : Source::Compiler;
  if (compiled)
    return checkRequest(*compiled, asked);
  CompileRequest request = asked;
  useMeasured(request);
  Result<const Backend *> backend =
      compilingBackend(request.backend, request.code.settings);
  if (!backend)
    return backend.status();
  if (Status status = checkTarget(request); !status.ok())
    return status;
  const auto start = std::chrono::steady_clock::now();
  auto tell = [&](const char *what) {
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    if (isLogged(LogLevel::Info))
      logText(LogLevel::Info,
              llvm::formatv("{0}: {1} for '{2}' in {3:f1} ms", request.path,
                            what, request.backend, time.count())
                  .str());
  };
  // Before anything is imported.
  CachedProgram cached(request, **backend, path, *this);
  if (std::optional<Program> program = cached.load()) {
    tell("found in the cache");
    theSource = Source::Cache;
    return withStates(std::move(*program), request);
  }
  if (Status status = chooseRanges(request); !status.ok())
    return status;
  Result<Program> program = compileToFit(request);
  if (program) {
    tell("compiled");
    cached.store(*program);
  }
  return withStates(std::move(program), request);
}

Result<Program> CompilingSession::compileAnew(const CompileRequest &request) {
  {
    CompilerDriver driver = driverFor(request);
    OwningOpRef<ModuleOp> module = driver.runTo(Phase::Plan, model.get());
    if (!module)
      return driver.refused();
    Result<Program> program = driver.compile(*module);
    if (!driver.computesSizes() ||
        (program && program->arenaBytes <= modestBytes))
      return program;
  }
  CompileRequest fixed = request;
  fixed.mayComputeSizes = false;
  return compileAnew(fixed);
}

/// Compiles until all parts fit. The size of a compiled program decides that:
/// packed weights may be larger, and only placement determines the arena. If a
/// part exceeds its device's memory, the model is partitioned again, with
/// estimates that are larger by the same factor.
Result<Program> CompilingSession::compileToFit(CompileRequest &request) {
  constexpr int most = 6;
  if (request.partition && !request.partition->report)
    request.partition->report = std::make_shared<PartitionReport>();
  for (int round = 1;; ++round) {
    Result<Program> program = compileAnew(request);
    if (!program || !request.partition || round == most)
      return program;
    bool fits = true;
    std::map<std::string, uint64_t> taken = bytesByDevice(*program);
    for (DeviceLoad &load : request.partition->report->devices) {
      auto device = llvm::find_if(
          request.partition->devices,
          [&](const PartitionDevice &one) { return one.name == load.name; });
      const uint64_t bytes = taken[load.name];
      if (device->memoryBytes && bytes > device->memoryBytes) {
        fits = false;
        device->compiledBytes = std::min(
            bytes, device->compiledBytes ? device->compiledBytes : bytes);
        device->memoryFactor *=
            1.001 * double(bytes) / double(load.memoryBytes);
      }
      load.memoryBytes = bytes;
    }
    if (fits)
      return program;
  }
}

/// A file is compiled for a single backend.
static Status checkWhole(ModuleOp planned, const std::string &path,
                         const std::string &backend) {
  std::string others;
  auto note = [&](ModuleOp part) {
    auto name = part->getAttrOfType<StringAttr>(ofBackend);
    if (name && name.getValue() != backend &&
        !StringRef(others).contains("'" + name.str() + "'"))
      others += (others.empty() ? "'" : ", '") + name.str() + "'";
  };
  note(planned);
  llvm::for_each(planned.getOps<ModuleOp>(), note);
  if (others.empty())
    return Status();
  return failure(Code::Unsupported, path, " needs backend ", others,
                 ", which '", backend,
                 "' falls back to; a file has the code of one backend");
}

Status glow::checkFixed(ModuleOp module, const char *what) {
  Status status;
  module.walk([&](Operation *op) {
    const ir::InstrInfo *info = ir::infoOf(op);
    if (info && info->givesLength() && isa<LengthsAttr>(op->getAttr("length")))
      status = failure(Code::Unsupported, what, " has fixed sizes, but node '",
                       modelName(op->getLoc()), "' computes one");
  });
  if (!status.ok())
    return status;
  for (auto placeholder : module.getOps<PlaceholderOp>())
    if (auto lengths = dyn_cast_or_null<LengthsAttr>(
            cast<RankedTensorType>(placeholder.getType()).getEncoding()))
      return failure(Code::Unsupported, what, " has fixed sizes, but '",
                     placeholder.portName().str(), "' has the sizes ",
                     lengths.getText().str(),
                     ": give one size in place of each range");
  return Status();
}

Result<PlannedEntry> CompilingSession::plan(const CompileRequest &asked,
                                            const std::string &name) {
  if (Status status = checkModel(); !status.ok())
    return status;
  CompileRequest request = asked;
  if (Status status = chooseRanges(request); !status.ok())
    return status;
  std::shared_ptr<MLIRContext> context = contexts.next();
  CompilerDriver driver(context, path, request, theFunction);
  OwningOpRef<ModuleOp> module = driver.runTo(Phase::Plan, model.get());
  if (!module)
    return driver.refused();
  if (Status status = checkWhole(*module, path, request.backend); !status.ok())
    return status;
  const BackendInfo *info = findBackendInfo(request.backend);
  if (!info || !info->takesLengths)
    if (Status status = checkFixed(
            *module, ("a file of backend '" + request.backend + "'").c_str());
        !status.ok())
      return status;
  for (auto port : module->getOps<PlaceholderOp>())
    if (auto input = port->getAttrOfType<StringAttr>(appendsTo))
      return failure(Code::Unsupported, "a file has no states that grow, but '",
                     port.portName().str(), "' appends to '", input.str(),
                     "': leave --state out");
  Result<ir::FuncOp> function = functionOf(*module, path);
  if (!function)
    return function.status();
  Ports ports = portsOf(*module);
  Program program;
  program.inputs = std::move(ports.inputs);
  program.outputs = std::move(ports.outputs);
  declareNext(*module, program);
  Result<Program> declared = withStates(std::move(program), request);
  if (!declared)
    return declared.status();
  return PlannedEntry{std::move(module),
                      {name, *function, context, *declared->states}};
}

Result<std::unique_ptr<StagedModel>>
CompilingSession::stages(const CompileRequest &asked, Host &host) {
  CompileRequest request = asked;
  useMeasured(request);
  if (!model)
    return failure(Code::Unsupported, path, " is no model of ONNX");
  Result<const Backend *> backend =
      compilingBackend(request.backend, request.code.settings);
  if (!backend)
    return backend.status();
  return openStages(
      *model, request, host,
      std::make_unique<CachedStages>(request, **backend, path, *this));
}

Status CompilingSession::withRefusedNodes(const Status &status) const {
  return model ? model->withRefusedNodes(status) : status;
}
