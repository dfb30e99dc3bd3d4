//===- Toolchain.cpp - sessions that compile ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Toolchain/Toolchain.h"
#include "CompilingSession.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/LastReader.h"
#include "glow/Graph/Storage.h"
#include "glow/Pipeline/OwnPasses.h"
#include "glow/Program/Parts.h"
#include "glow/Program/Steps.h"

using namespace mlir;
using namespace glow;

namespace {

class Toolchain final : public SessionFactory {
public:
  Result<std::unique_ptr<Session>> open(const std::string &path) override {
    auto session = std::make_unique<CompilingSession>(path);
    if (Status status = session->read(); !status.ok())
      return status;
    return std::unique_ptr<Session>(std::move(session));
  }
  Status checkBackend(const std::string &name) const override {
    return glow::checkBackend(name);
  }
  std::vector<std::string> phaseNames() const override {
    return glow::phaseNames();
  }
  Trace::Notes traceNotes(Session &session,
                          const CompileRequest &request) override;
};

} // namespace

SessionFactory &glow::toolchain() {
  static Toolchain toolchain;
  return toolchain;
}

Trace::Notes Toolchain::traceNotes(Session &session,
                                   const CompileRequest &asked) {
  CompileRequest request = asked;
  request.mayRunInStages = true;
  Trace::Notes notes;
  Result<Program> program = session.compile(request);
  if (!program)
    return notes;
  std::map<std::string, double> operations =
      glow::arithmeticOf(session, request);
  for (const StepReport &report : reportOf(*program)) {
    Trace::Note &note = notes[{report.node, report.instruction}];
    auto add = [&](const char *name, const std::string &text) {
      if (!text.empty())
        note.members += (note.members.empty() ? "" : ", ") + jsonText(name) +
                        ": " + jsonText(text);
    };
    if (!note.members.empty())
      continue; // the first of several
    add("kernel", report.algorithm);
    add("tile", report.tile);
    add("layout", report.layout);
    if (auto found = operations.find(report.node); found != operations.end())
      note.operations = found->second;
  }
  return notes;
}

/// Fails if the model needs the value of an input: a file cannot check it.
static Status checkFree(ModuleOp module) {
  for (auto placeholder : module.getOps<PlaceholderOp>())
    if (placeholder.getAssumedAttr())
      return failure(
          Code::Unsupported, "input '", placeholder.portName().str(),
          "' has a fixed value, on which the code depends, and which "
          "a file does not check yet; glow run takes it with the "
          "model");
  return Status();
}

Result<std::vector<EmittedFile>>
glow::emitModels(std::span<const EmitEntry> entries,
                 const EmitRequest &request) {
  if (entries.empty())
    return Status(Code::InvalidArgument, "there is no model to emit");
  Result<const Backend *> backend =
      compilingBackend(entries[0].compile.backend, request.code.settings);
  if (!backend)
    return backend.status();
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<EntryPoint> points;
  for (const EmitEntry &entry : entries) {
    auto *session = static_cast<CompilingSession *>(entry.session);
    CompileRequest compile = entry.compile;
    compile.code.settings = (*backend)->settingsFor(request);
    Result<PlannedEntry> planned = session->plan(compile, entry.name);
    if (!planned)
      return planned.status();
    if (Status status = checkFree(*planned->module); !status.ok())
      return status;
    modules.push_back(std::move(planned->module));
    points.push_back(std::move(planned->point));
  }
  for (OwningOpRef<ModuleOp> &module : modules) // they end with this
    (*module)->setAttr(lastReader, UnitAttr::get(module->getContext()));
  return (*backend)->emit(points, request);
}

Result<std::string> glow::joinModels(std::span<const EmitEntry> entries,
                                     std::string_view phase, bool bytecode) {
  std::shared_ptr<MLIRContext> context = makeContext();
  OwningOpRef<ModuleOp> whole;
  for (const EmitEntry &entry : entries) {
    auto *session = static_cast<CompilingSession *>(entry.session);
    Result<OwningOpRef<ModuleOp>> module =
        session->moduleAfter(entry.compile, phase, context);
    if (!module)
      return module.status();
    if (!whole)
      whole = ModuleOp::create((*module)->getLoc());
    if (mlir::failed(addProgram(*whole, **module, entry.name)))
      return failure(Code::InvalidArgument, "'", entry.name,
                     "' cannot be a function beside the others");
  }
  return textOf(*whole, bytecode);
}

glow::Status glow::loadPasses(const std::string &file) {
  return loadPassPlugin(file);
}

glow::Status glow::choosePasses(const std::string &pipeline) {
  return setOwnPasses(pipeline);
}

Result<std::string>
glow::drawModel(Session &session, const CompileRequest &request,
                const std::string &phase,
                const std::map<std::string, double> &times) {
  return static_cast<CompilingSession &>(session).draw(request, phase, times);
}

/// The steps of a program, for a backend that does not choose algorithms.
static std::vector<StepReport> stepsOf(const Program &program) {
  std::vector<StepReport> reports;
  if (auto *code = dynamic_cast<const StepCode *>(program.code.get()))
    for (const Step &step : code->steps)
      reports.push_back({step.node, step.instruction, "", "", "", 0});
  return reports;
}

std::vector<StepTypes> glow::typesOf(const Program &program) {
  std::vector<StepTypes> all;
  if (const PartsCode *code = partsOf(program))
    for (const PartsCode::Part &part : code->parts)
      llvm::append_range(all, typesOf(part.program));
  auto *code = dynamic_cast<const StepCode *>(program.code.get());
  for (size_t i = 0; code && i < code->steps.size(); ++i) {
    const Step &step = code->steps[i];
    StepTypes types;
    for (size_t k = 0; k < step.buffers.size(); ++k)
      (k < step.results ? types.results : types.operands)
          .push_back(code->buffers[step.buffers[k]].type);
    all.push_back(std::move(types));
  }
  return all;
}

std::map<std::string, double>
glow::arithmeticOf(Session &session, const CompileRequest &request) {
  return static_cast<CompilingSession &>(session).arithmetic(request);
}

std::vector<StepReport> glow::reportOf(const Program &program) {
  if (const PartsCode *code = partsOf(program)) {
    std::vector<StepReport> all;
    for (const PartsCode::Part &part : code->parts) {
      std::vector<StepReport> reports = reportOf(part.program);
      llvm::append_range(all, reports.empty() ? stepsOf(part.program)
                                              : std::move(reports));
    }
    return all;
  }
  const Backend *backend = findBackend(program.backend);
  return backend ? backend->report(program) : std::vector<StepReport>();
}
