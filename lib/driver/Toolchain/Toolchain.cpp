//===- Toolchain.cpp - sessions that compile ------------------------------===//

#include "glow/Toolchain/Toolchain.h"
#include "CompilingSession.h"
#include "glow/Graph/LastReader.h"
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
  std::vector<std::string> roomNames() const override {
    return glow::roomNames();
  }
};

} // namespace

SessionFactory &glow::toolchain() {
  static Toolchain toolchain;
  return toolchain;
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
    Result<PlannedEntry> planned = session->plan(entry.compile, entry.name);
    if (!planned)
      return planned.status();
    modules.push_back(std::move(planned->module));
    points.push_back(std::move(planned->point));
  }
  for (OwningOpRef<ModuleOp> &module : modules) // they end with this
    (*module)->setAttr(lastReader, UnitAttr::get(module->getContext()));
  return (*backend)->emit(points, request);
}

/// What is called, of a backend that chooses nothing.
static std::vector<StepReport> stepsOf(const Program &program) {
  std::vector<StepReport> reports;
  if (auto *code = dynamic_cast<const StepCode *>(program.code.get()))
    for (const Step &step : code->steps)
      reports.push_back({step.node, step.instruction, "", "", "", 0});
  return reports;
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
