//===- Session.cpp - one model, read, compiled per shape ------------------===//

#include "glow/Pipeline/Session.h"
#include "Dot.h"
#include "Explain.h"
#include "Walk.h"
#include "glow/Backend/Backend.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Structure.h"
#include "glow/Importer/Importer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace glow;

struct Session::State {
  std::string path;
  std::shared_ptr<MLIRContext> context;
  std::vector<Binding> inputs, outputs;
};

static std::vector<Binding> bindingsOf(const std::vector<ModelPort> &ports) {
  std::vector<Binding> result;
  for (const ModelPort &port : ports)
    result.push_back({port.name,
                      {port.kind.value_or(ElementKind::F32), port.shape},
                      port.dimensions,
                      port.ranked});
  return result;
}

Session::Session(std::unique_ptr<State> state) : state(std::move(state)) {}
Session::Session(Session &&) noexcept = default;
Session &Session::operator=(Session &&) noexcept = default;
Session::~Session() = default;

const std::vector<Binding> &Session::inputs() const { return state->inputs; }
const std::vector<Binding> &Session::outputs() const { return state->outputs; }

static Status readTextPorts(MLIRContext &context, const std::string &path,
                            std::vector<Binding> &inputs,
                            std::vector<Binding> &outputs) {
  OwningOpRef<ModuleOp> module = parseModule(context, path);
  if (!module)
    return Status(Code::Reported, path + " is not a valid module");
  for (auto placeholder : module->getOps<PlaceholderOp>()) {
    auto type = cast<RankedTensorType>(placeholder.getType());
    Binding binding{placeholder.getSymName().str(),
                    {*kindOf(type.getElementType()), Ints(type.getShape())},
                    {}};
    (placeholder.getRole() == "output" ? outputs : inputs)
        .push_back(std::move(binding));
  }
  return Status();
}

Result<Session> Session::open(const std::string &path) {
  auto state = std::make_unique<State>();
  state->path = path;
  DialectRegistry registry;
  registerDialects(registry);
  state->context =
      std::make_shared<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  state->context->loadAllAvailableDialects();
  // A mistake in a model is no place for a wall of our own text.
  state->context->printOpOnDiagnostic(false);
  if (isModuleFile(path)) {
    Status status =
        readTextPorts(*state->context, path, state->inputs, state->outputs);
    if (!status.ok())
      return status;
    return Session(std::move(state));
  }
  Result<ModelInterface> interface = readInterface(path);
  if (!interface)
    return interface.status();
  state->inputs = bindingsOf(interface->inputs);
  state->outputs = bindingsOf(interface->outputs);
  return Session(std::move(state));
}

Status glow::checkBackend(const std::string &name) {
  if (findBackendInfo(name))
    return Status();
  std::string known;
  for (const BackendInfo &info : allBackends())
    known += (known.empty() ? "" : ", ") + std::string(info.name);
  return Status(Code::NotFound,
                "no backend is named '" + name + "'; there are: " + known);
}

Result<Program> Session::compile(const CompileRequest &request) {
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  Walk walk(*state->context, state->path, request);
  OwningOpRef<ModuleOp> module = walk.to(Room::Plan);
  if (!module)
    return walk.refused();
  auto functions = module->getOps<ir::FuncOp>();
  const Backend *backend = findBackend(request.backend);
  if (functions.empty() || !backend)
    return failure(Code::Unsupported, "'", state->path, "' has ",
                   functions.empty() ? "no function to compile"
                                     : "no compiler for its backend");
  // The context owns what constants refer to.
  FailureOr<Program> program =
      backend->compile(*functions.begin(), state->context);
  if (mlir::failed(program))
    return walk.refused();
  return *program;
}

Result<std::string> Session::print(const CompileRequest &request,
                                   std::string_view emit) {
  bool picture = emit == "dot";
  std::optional<Room> room =
      picture ? Room::Graph : roomNamed(StringRef(emit.data(), emit.size()));
  if (!room)
    return Status(Code::Unsupported,
                  "no room is named '" + std::string(emit) + "'");
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  Walk walk(*state->context, state->path, request);
  OwningOpRef<ModuleOp> module = walk.to(*room);
  if (!module)
    return walk.refused();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (picture) {
    printDot(*module, os);
    return text;
  }
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(64);
  module->print(os, flags);
  os << "\n";
  return text;
}

Result<Explanation> Session::explain(const CompileRequest &request, bool json) {
  if (Status status = checkBackend(request.backend); !status.ok())
    return status;
  return glow::explain(*state->context, state->path, request, json);
}

std::vector<std::string> glow::backendNames() {
  std::vector<std::string> names;
  for (const BackendInfo &info : allBackends())
    names.push_back(info.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string glow::defaultBackend() {
  return findBackendInfo("cpu") ? "cpu" : CompileRequest().backend;
}
